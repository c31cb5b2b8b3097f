/** Why a lead is where it is, in one sentence, and what would mend it. */
import { describe, expect, it } from '@jest/globals';
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { TrailEntry } from '../../../src/leads/rules/trail.js';
import { explainLead } from '../../../src/routing/explain/explain.js';
import { headline, type WaitingFor } from '../../../src/routing/explain/headline.js';
import { findMends, type WaitingDelivery } from '../../../src/routing/explain/mends.js';
import { shortReason } from '../../../src/routing/explain/shortReasons.js';
import { LEFT_OUT_REASONS } from '../../../src/routing/explain/explainLeftOut.js';
import { aBuyer } from '../../support/builders.js';
import { NOW } from '../rules/situations.js';
import { entry, PLAN, subject } from './explained.js';

const after = (ms: number): Date => new Date(Number(NOW) + ms);

const textOf = (lead: Partial<Lead>, waiting: WaitingFor[] = [], now = NOW): string => {
  const one = subject(lead);
  return headline(one, { buyers: explainLead(one).buyers, waiting, now });
};
const full = (buyer_id: string, limit = 'daily_cap'): TrailEntry =>
  entry('caps', 'full', {
    buyer_id,
    reason: 'buyer_cap',
    detail: { limit, allowed: 5, counted: 5 },
  });
const unsold = (...trail: TrailEntry[]): Partial<Lead> => ({ status: 'UNMATCHED', trail });

describe('the headline of a lead', () => {
  it.each([
    [
      unsold(full('b1'), full('b2')),
      'Not sold: both buyers were at their daily cap. Acme is full until 00:00 CST.',
    ],
    [
      unsold(full('b1', 'weekly_budget'), entry('delivery', 'rejected', { buyer_id: 'b2' })),
      'Not sold: Bolt refused it and Acme had spent its weekly budget. Acme is full until Nov 23, 00:00 CST.',
    ],
    [
      unsold(full('b1', 'total_cap'), entry('routing', 'skipped', { buyer_id: 'b2', reason: 'x' })),
      'Not sold: Acme was at its total cap and Bolt was not eligible.',
    ],
    [
      {
        status: 'REJECTED' as const,
        trail: [entry('filters', 'failed', { detail: { failures: [{ field: 'zip_code' }] } })],
      },
      'Not sold: the filters of the campaign refuse it for its zip_code.',
    ],
    [
      {
        status: 'REJECTED' as const,
        trail: [entry('caps', 'full', { reason: 'supplier_cap', detail: { limit: 'hourly_cap' } })],
      },
      'Not sold: the supplier was at its hourly cap. It is full until 13:00 CST.',
    ],
    [
      { status: 'DUPLICATE' as const, trail: [entry('duplicates', 'duplicate')] },
      'Not sold: it repeats an earlier lead.',
    ],
    [
      { status: 'WITHDRAWN' as const },
      'Not sold: no worker started it in time, and its supplier received 503.',
    ],
    [{ status: 'NEW' as const }, 'It is being decided.'],
  ] as [Partial<Lead>, string][])('of %j says %s', (lead, text) => {
    expect(textOf(lead)).toBe(text);
  });

  it('names the only buyer once', () => {
    const only = { ...PLAN, buyers: PLAN.buyers.slice(0, 1) };
    const one = subject(unsold(full('b1')), only);
    expect(headline(one, { buyers: explainLead(one).buyers, waiting: [], now: NOW })).toBe(
      'Not sold: Acme was at its daily cap. It is full until 00:00 CST.',
    );
  });

  it('says nothing of a cap that has room again', () => {
    expect(textOf(unsold(full('b1'), full('b2')), [], after(86_400_000))).toBe(
      'Not sold: both buyers were at their daily cap.',
    );
  });

  it('names the buyers that have it, and for what', () => {
    const sale = { attempt: 1, price: 42.5e6, cost: 1e6, at: NOW };
    const returned = { at: NOW, return_id: 'r', cost_reversed: true };
    const sales = [
      { ...sale, buyer_id: 'b1' },
      { ...sale, buyer_id: 'b2', returned },
    ];
    expect(textOf({ status: 'ACCEPTED', sales })).toBe(
      'Sold to Acme for $42.50 and Bolt for $42.50, which returned it.',
    );
  });

  it('says what it waits for, and until when', () => {
    const waiting = { buyer_id: 'b1', text: 'The buyer is closed now.', until: after(3_600_000) };
    expect(textOf({ status: 'PENDING' }, [waiting])).toBe(
      'Waits for Acme. The buyer is closed now. Until 13:00 CST.',
    );
  });

  it('has no word of a buyer, and no value of the person', () => {
    const said = entry('delivery', 'rejected', { buyer_id: 'b1', reason: 'Jane Doe is known' });
    const out = entry('routing', 'skipped', {
      buyer_id: 'b2',
      reason: 'state_not_served',
      detail: { state: 'CA', served: ['TX'] },
    });
    expect(textOf(unsold(out, said))).toBe(
      'Not sold: Acme refused it and Bolt did not want its state.',
    );
    for (const reason of LEFT_OUT_REASONS) {
      const buyer = { buyer_id: 'b1', name: 'Acme', text: '', detail: { state: 'CA', field: 'x' } };
      const { one } = shortReason({ ...buyer, verdict: 'passed_over', reason }, NOW, subject({}));
      expect([reason, one]).not.toEqual([reason, 'was not eligible']);
      expect(one).not.toMatch(/CA|undefined/);
    }
  });
});

describe('what mends a lead', () => {
  const mendsOf = (lead: Partial<Lead>, more: Partial<Parameters<typeof findMends>[1]> = {}) => {
    const one = subject(lead);
    const facts = { buyers: explainLead(one).buyers, waiting: [], current: PLAN, now: NOW };
    return findMends(one, { ...facts, ...more }).map(({ mend, text }) => [mend, text]);
  };
  const planWith = (caps: object, more: object = {}) => ({
    ...PLAN,
    buyers: [aBuyer({ buyer_id: 'b1', name: 'Acme', caps, ...more })],
  });

  it('is the cap that was full, while it is still so', () => {
    const lead = unsold(full('b1'));
    expect(mendsOf(lead, { current: planWith({ daily_cap: 5 }) })).toEqual([
      ['raise_cap', 'Raise the cap of Acme'],
    ]);
    expect(mendsOf(lead, { current: planWith({ daily_cap: 6 }) })).toEqual([]);
    expect(mendsOf(lead, { current: planWith({}) })).toEqual([]);
    expect(mendsOf(lead, { current: undefined })).toEqual([]);
  });

  it('is to resume a buyer that is still paused, and nothing where it is not', () => {
    const lead = unsold(entry('routing', 'skipped', { buyer_id: 'b1', reason: 'paused' }));
    expect(mendsOf(lead, { current: planWith({}, { status: 'paused' }) })).toEqual([
      ['resume', 'Resume Acme'],
    ]);
    expect(mendsOf(lead)).toEqual([]);
  });

  it('is to send or to resolve what waits, by the commands that it accepts', () => {
    const row: WaitingDelivery = {
      id: 'd',
      buyer_id: 'b1',
      name: 'Acme',
      commands: ['retry', 'hold'],
    };
    const commands = ['resolve', 'drop'] as const;
    expect(mendsOf({ status: 'PENDING' }, { waiting: [row, { ...row, commands }] })).toEqual([
      ['retry', 'Send to Acme now'],
      ['resolve', 'Record the answer of Acme'],
    ]);
  });

  it('is a buyer where the campaign has none, and its filters where they refuse it', () => {
    expect(mendsOf(unsold(), { current: { ...PLAN, buyers: [] } })).toEqual([
      ['add_buyer', 'Add a buyer'],
    ]);
    expect(mendsOf(unsold(entry('filters', 'failed')))).toEqual([
      ['edit_campaign_filters', 'Edit the filters of the campaign'],
    ]);
  });
});
