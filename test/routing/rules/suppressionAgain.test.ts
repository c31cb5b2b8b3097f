/** Suppression lists and pauses, for a lead that has waited. */
import { describe, expect, it } from '@jest/globals';
import type { BuyerTerms, SuppressionRef } from '../../../src/account/rules/plan.js';
import type { SuppressionHit } from '../../../src/account/rules/suppressionKeys.js';
import { findSkipReason } from '../../../src/routing/rules/eligibility.js';
import { findReasonToWait, hitsOfBuyers } from '../../../src/routing/rules/suppression.js';
import { aBuyer, someFields } from '../../support/builders.js';

const LISTS: SuppressionRef[] = [
  { list_id: 'all', scope: 'organisation' },
  { list_id: 'campaign', scope: 'campaign' },
  { list_id: 'b1', scope: 'buyer', buyer_id: 'b1' },
  { list_id: 'b2', scope: 'buyer', buyer_id: 'b2' },
];
const hits = (...ids: string[]): SuppressionHit[] =>
  ids.map((list_id) => ({ list_id, field: 'phone' }));
const lead = { fields: someFields(), is_test: false, seed: 'l1' };

describe('the buyer that a lead has waited for', () => {
  const reason = (more: Partial<BuyerTerms>, ...ids: string[]) =>
    findReasonToWait({ suppression: LISTS }, aBuyer(more), lead, hits(...ids));

  it('may be sent it while nothing speaks against that', () => {
    expect(reason({})).toBeUndefined();
    expect(reason({}, 'b2', 'deleted')).toBeUndefined();
    // Its area and its price stay as they were when the lead was decided.
    expect(reason({ states: ['CA'], weight: 0 })).toBeUndefined();
  });

  it('must not be sent it when it is paused or in test mode, or a list has the person', () => {
    expect(reason({ status: 'paused' }, 'b1')).toBe('paused');
    expect(reason({ test_mode: true })).toBe('test_mode_only');
    for (const id of ['all', 'campaign', 'b1']) expect(reason({}, id)).toBe('suppressed');
  });
});

describe('the hits that concern single buyers', () => {
  it('are those of lists that are not general, also of lists that are gone', () => {
    const all = hits('all', 'b1', 'campaign', 'deleted');
    expect(hitsOfBuyers({ suppression: LISTS }, all)).toEqual(hits('b1', 'deleted'));
    expect(hitsOfBuyers({}, all)).toEqual(all);
  });
});

describe('a repeat that is bound to the buyer of its original', () => {
  const context = {
    now: new Date('2026-11-21T12:00:00Z'),
    timeZone: 'UTC',
    method: 'WATERFALL',
  } as const;
  const skip = (route_to?: string) =>
    findSkipReason(aBuyer(), { ...lead, ...(route_to ? { route_to } : {}) }, context);

  it('goes to no other', () => {
    expect(skip('b2')).toEqual({ reason: 'not_original', detail: { route_to: 'b2' } });
    expect(skip('b1')).toBeUndefined();
    expect(skip()).toBeUndefined();
  });
});
