import { describe, expect, it } from '@jest/globals';
import { lossOf, type LossStep } from '../../../src/leads/rules/loss.js';

const unmatched = (...trail: LossStep[]) => lossOf({ status: 'UNMATCHED', trail });
const skipped = (buyer_id: string, reason: string): LossStep => ({
  step: 'routing',
  result: 'skipped',
  buyer_id,
  reason,
});
const answered = (buyer_id: string, result: string): LossStep => ({
  step: 'delivery',
  result,
  buyer_id,
});
const full = (reason: string, buyer_id?: string): LossStep => ({
  step: 'caps',
  result: 'full',
  reason,
  buyer_id,
});
const NO_BUYER: LossStep = { step: 'closing', result: 'UNMATCHED', reason: 'no_buyer' };

describe('why a lead was not sold', () => {
  it('is the check that refused it', () => {
    expect(lossOf({ status: 'REJECTED', refusal: 'supplier_capped' })).toEqual({
      reason: 'supplier_cap',
    });
    const failure = { filter_id: 'f1', field: 'zip_code' };
    expect(lossOf({ status: 'REJECTED', filter_errors: [failure] })).toEqual({
      reason: 'filtered',
      of: 'zip_code',
    });
    const listed = { filter_id: 'suppression', field: 'phone' };
    expect(lossOf({ status: 'REJECTED', filter_errors: [listed] })).toEqual({
      reason: 'suppressed',
      of: 'phone',
    });
    const bot: LossStep = { step: 'origin', result: 'suspected', reason: 'honeypot' };
    expect(lossOf({ status: 'REJECTED', trail: [bot] })).toEqual({ reason: 'suspected_bot' });
  });

  it('is the buyer that came nearest', () => {
    const capped = full('buyer_cap', 'second');
    expect(unmatched(skipped('first', 'state_not_served'), capped, NO_BUYER)).toEqual({
      reason: 'buyer_cap',
      of: 'second',
    });
    expect(unmatched(capped, answered('third', 'rejected'), NO_BUYER)).toEqual({
      reason: 'buyer_rejected',
      of: 'third',
    });
    expect(unmatched(answered('a', 'not_taken'), answered('b', 'not_taken'))).toEqual({
      reason: 'buyer_not_reached',
      of: 'a',
    });
  });

  it('names no buyer where the targeting of all of them decided it', () => {
    expect(unmatched(skipped('first', 'zip_not_served'), skipped('second', 'filtered'))).toEqual({
      reason: 'buyer_filters',
    });
    expect(unmatched(full('campaign_cap'))).toEqual({ reason: 'campaign_cap' });
    expect(unmatched({ step: 'routing', result: 'no_buyer' }, NO_BUYER)).toEqual({
      reason: 'no_buyer',
    });
  });

  it('is the end of its waiting', () => {
    const over: LossStep = { step: 'closing', result: 'EXPIRED', reason: 'max_age', buyer_id: 'b' };
    expect(lossOf({ status: 'EXPIRED', trail: [over] })).toEqual({ reason: 'max_age', of: 'b' });
  });

  it('is nothing for a lead that is sold, waits, or repeats another', () => {
    for (const status of ['ACCEPTED', 'SELLING', 'PENDING', 'DUPLICATE', 'NEW'] as const)
      expect(lossOf({ status, trail: [answered('b', 'rejected')] })).toBeUndefined();
  });
});
