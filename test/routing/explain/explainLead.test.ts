/** The explanation of a lead as a whole, and of its buyers. */
import { describe, expect, it } from '@jest/globals';
import { explainLead } from '../../../src/routing/explain/explain.js';
import { NOT_ASKED_REASONS } from '../../../src/routing/explain/explainBuyers.js';
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { LeadStatus } from '../../../src/leads/rules/leadStatus.js';
import { B2, entry, subject } from './explained.js';
import { NOW } from '../rules/situations.js';

describe('a lead', () => {
  const ended: LeadStatus[] = ['UNMATCHED', 'REJECTED', 'DUPLICATE', 'EXPIRED', 'WITHDRAWN'];
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
    expect(summary({})).toContain('not decided yet: no worker has started');
    expect(summary({ run: 'run-1' })).toContain('being decided at this moment');
    const trail = [ranked, entry('closing', 'waiting', { buyer_id: 'b1', reason: 'HTTP 503' })];
    expect(summary({ status: 'PENDING', trail })).toContain(
      'it waits for Acme since 2026-11-21 12:00:00 (America/Chicago): “HTTP 503”',
    );
    const { buyers } = explainLead(subject({ status: 'PENDING', trail }));
    expect(buyers.map(({ verdict, reason }) => [verdict, reason])).toEqual([
      ['waiting', 'HTTP 503'],
      ['not_asked', 'behind'],
    ]);
  });

  it.each(ended)('that is %s is described so', (status) => {
    expect(summary({ status, duplicate_of: 'lead-1' })).toMatch(/^(The|No) /);
  });

  it('that is a test, or has a truncated trail, is described so', () => {
    expect(summary({ is_test: true, trail_dropped: 12 })).toMatch(
      /test lead.*12 steps in the middle/,
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
