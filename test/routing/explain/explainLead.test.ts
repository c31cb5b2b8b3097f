/** The explanation of a lead as a whole, and of its buyers. */
import { describe, expect, it } from '@jest/globals';
import { explainLead } from '../../../src/routing/explain/explain.js';
import { NOT_ASKED_REASONS } from '../../../src/routing/explain/explainBuyers.js';
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { ClosingReason, TrailEntry } from '../../../src/leads/rules/trail.js';
import type { LeadStatus } from '../../../src/leads/rules/leadStatus.js';
import { B2, entry, subject } from './explained.js';
import { NOW } from '../rules/situations.js';

const ENDINGS = {
  UNMATCHED: 'No buyer has the lead.',
  REJECTED: 'The lead was refused.',
  DUPLICATE: 'The lead is a duplicate of an earlier lead.',
  EXPIRED: 'The lead expired: a later decision was promised, and no buyer accepted it.',
} as const;
const WITHDRAWN =
  'The lead was withdrawn: no worker started it in time, so its supplier received 503 and nothing is owed.';
type ClosingStatus = keyof typeof ENDINGS;

describe('a lead', () => {
  const ranked = entry('routing', 'ranked', {
    detail: { method: 'WATERFALL', order: ['b1', 'b2'] },
  });
  const summary = (lead: Partial<Lead>): string => explainLead(subject(lead)).summary;

  it('that was sold names its buyer, its money, the order and the buyers asked before', () => {
    const sales = [{ buyer_id: 'b2', attempt: 2, price: 25e6, cost: 10e6, at: NOW }];
    const trail = [
      ranked,
      entry('delivery', 'rejected', { buyer_id: 'b1', reason: 'no' }),
      entry('delivery', 'accepted', { buyer_id: 'b2', reason: 'yes' }),
      entry('closing', 'ACCEPTED', { buyer_id: 'b2' }),
    ];
    const money = { price: 25e6, cost: 10e6, profit: 15e6 };
    expect(summary({ status: 'ACCEPTED', sales, trail, ...money })).toBe(
      'The lead was sold to Bolt for 25.00 USD: it brings 25.00 USD, costs 10.00 USD and leaves 15.00 USD. ' +
        '2 of 2 buyers were eligible; by priority: Acme and Bolt. Asked before, without a sale: Acme. ' +
        'Of 2 buyers: 1 refused it.',
    );
  });

  it('that is undecided is described so', () => {
    expect(summary({})).toBe('The lead is not decided yet: no worker has started it.');
    expect(summary({ run: 'run-1' })).toBe('The lead is being decided at this moment.');
    expect(summary({ status: 'PENDING' })).toBe(
      'The lead is not decided yet; its supplier was promised a decision.',
    );
    const trail = [ranked, entry('closing', 'waiting', { buyer_id: 'b1', reason: 'HTTP 503' })];
    expect(summary({ status: 'PENDING', trail })).toBe(
      'The lead is not decided yet: it waits for Acme since 2026-11-21 12:00:00 (America/Chicago): “HTTP 503”. ' +
        'Of 2 buyers: 1 not asked.',
    );
    const { buyers } = explainLead(subject({ status: 'PENDING', trail }));
    expect(buyers.map(({ verdict, reason }) => [verdict, reason])).toEqual([
      ['waiting', 'HTTP 503'],
      ['not_asked', 'behind'],
    ]);
  });

  it.each([...Object.entries(ENDINGS), ['WITHDRAWN', WITHDRAWN]])(
    'that is %s is described so',
    (status, ending) => {
      expect(summary({ status: status as LeadStatus })).toBe(`${ending} Of 2 buyers: 2 not asked.`);
    },
  );

  it('that is a duplicate names the lead that it repeats', () => {
    expect(summary({ status: 'DUPLICATE', duplicate_of: 'lead-1' })).toBe(
      'The lead is a duplicate of lead lead-1. Of 2 buyers: 2 not asked.',
    );
  });

  const closed = (status: ClosingStatus, how: Partial<TrailEntry>) =>
    explainLead(subject({ status, trail: [entry('closing', status, how)] }));

  it.each<[ClosingStatus, string]>([
    ['UNMATCHED', 'It ended unsold.'],
    ['REJECTED', 'It was refused.'],
    ['DUPLICATE', 'It ended as a duplicate.'],
    ['EXPIRED', 'It expired unsold.'],
  ])('that ended %s for no reason of its own is explained by that', (status, sentence) => {
    expect(closed(status, {}).steps).toMatchObject([{ text: sentence }]);
  });

  it.each<[ClosingStatus, ClosingReason, string]>([
    ['UNMATCHED', 'no_buyer', 'It ended unsold: no eligible buyer accepted it.'],
    ['REJECTED', 'filtered', 'It was refused: the filters of the campaign refuse it.'],
    ['EXPIRED', 'suspected_bot', 'It expired unsold: its page suspects a bot.'],
    ['EXPIRED', 'filtered', 'It expired unsold: the filters of the campaign refuse it.'],
    ['EXPIRED', 'suppressed', 'It expired unsold: the person is on a suppression list.'],
    ['EXPIRED', 'supplier_capped', 'It expired unsold: a cap of the supplier was full.'],
    ['EXPIRED', 'no_buyer', 'It expired unsold: no eligible buyer accepted it.'],
    ['EXPIRED', 'no_more_buyers', 'It expired unsold: no other buyer accepted it.'],
    ['EXPIRED', 'max_age', 'It expired unsold: its time limit for the buyer passed.'],
    ['EXPIRED', 'dropped', 'It expired unsold: an operator ended its waiting.'],
  ])('that ended %s by %s is explained by that', (status, reason, sentence) => {
    const { summary, steps } = closed(status, { reason });
    expect(steps.map(({ text }) => text)).toEqual([sentence]);
    expect(summary).toBe(`${ENDINGS[status]} ${sentence} Of 2 buyers: 2 not asked.`);
  });

  it('that ended while it waited for a buyer names that one, which could not receive it', () => {
    const trail = [entry('closing', 'EXPIRED', { buyer_id: 'b1', reason: 'dropped' })];
    expect(summary({ status: 'EXPIRED', trail })).toBe(
      'The lead expired: a later decision was promised, and no buyer accepted it. ' +
        'It expired unsold: an operator ended its waiting (it waited for Acme). ' +
        'Of 2 buyers: 1 could not receive it and 1 not asked.',
    );
  });

  it('that is a test, or has a truncated trail, is described so', () => {
    expect(summary({ is_test: true, trail_dropped: 12 })).toBe(
      'The lead is not decided yet: no worker has started it. ' +
        'It is a test lead: it has no cost and no revenue. ' +
        'Its trail is very long: it omits 12 steps in the middle.',
    );
  });

  it("shows only one buyer's part on request", () => {
    const trail = [
      entry('routing', 'skipped', { buyer_id: 'b2', reason: 'paused' }),
      entry('routing', 'skipped', { buyer_id: 'b1', reason: 'no_weight' }),
      entry('closing', 'UNMATCHED', { reason: 'no_buyer' }),
    ];
    const told = explainLead(subject({ status: 'UNMATCHED', trail }), B2);
    expect(told.summary).toBe(
      'Bolt was passed over: it, or its link to the campaign, was paused. No buyer has the lead.',
    );
    expect(told.steps).toHaveLength(2);
    expect(told.buyers).toMatchObject([
      { buyer_id: 'b2', verdict: 'passed_over', reason: 'paused' },
    ]);
    const other = explainLead(subject({ trail }), { buyer_id: 'b9', name: 'Late' });
    expect(other.buyers).toMatchObject([{ buyer_id: 'b9', verdict: 'not_linked' }]);
    expect(other.summary).toContain('Late was not a buyer of the campaign in version 7');
  });

  it('has a reason for each buyer that was not asked', () => {
    const reasons = [
      [{ trail: [entry('origin', 'suspected', { reason: 'honeypot' })] }, 'suspected_bot'],
      [{ trail: [entry('filters', 'failed')] }, 'filtered'],
      [{ trail: [entry('suppression', 'matched')] }, 'suppressed'],
      [{ trail: [entry('duplicates', 'duplicate')] }, 'duplicate'],
      [{ trail: [entry('duplicates', 'routed', { buyer_id: 'b1' })] }, 'not_original'],
      [{ trail: [entry('caps', 'full', { reason: 'supplier_cap' })] }, 'supplier_cap'],
      [{ trail: [entry('caps', 'full', { reason: 'campaign_cap' })] }, 'campaign_cap'],
      [{ sales: [{ buyer_id: 'b1', attempt: 1, price: 1, cost: 0, at: NOW }] }, 'outranked'],
      [{ trail: [entry('closing', 'waiting', { buyer_id: 'b1' })] }, 'behind'],
      [{ status: 'WITHDRAWN' as const }, 'withdrawn'],
      [{ status: 'NEW' as const }, 'undecided'],
      [{ trail: [] }, 'ended'],
    ] as const;
    const told = reasons.map(([lead]) => {
      const one = explainLead(subject({ status: 'UNMATCHED', ...lead } as Partial<Lead>), B2);
      return one.buyers[0];
    });
    expect(told.map((one) => one?.reason)).toEqual(reasons.map(([, reason]) => reason));
    expect([...NOT_ASKED_REASONS].sort()).toEqual(reasons.map(([, reason]) => reason).sort());
    expect(new Set(told.map((one) => one?.text)).size).toBe(reasons.length);
  });
});
