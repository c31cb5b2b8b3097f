import { describe, expect, it } from '@jest/globals';
import { judgeDuplicate, type Original } from '../../../src/leads/rules/duplicates.js';
import { aBuyer } from '../../support/builders.js';

const AT = new Date('2026-11-21T12:00:00Z');
const BUYERS = [aBuyer(), aBuyer({ buyer_id: 'b2' })];

const judge = (on_duplicate: 'REJECT' | 'ROUTE_TO_ORIGINAL', more: Partial<Original> = {}) =>
  judgeDuplicate(
    { on_duplicate },
    { lead_id: 'l0', buyer_id: 'b2', resend: false, ...more },
    BUYERS,
    AT,
  );

describe('a lead that repeats another one', () => {
  it('is refused where the campaign refuses duplicates', () => {
    expect(judge('REJECT')).toEqual({
      kind: 'ended',
      status: 'DUPLICATE',
      entry: { at: AT, step: 'duplicates', result: 'duplicate', detail: { of: 'l0' } },
    });
  });

  it.each(['REJECT', 'ROUTE_TO_ORIGINAL'] as const)(
    'is a duplicate when its request was sent again, whatever the campaign does (%s)',
    (on_duplicate) => {
      const entry = {
        at: AT,
        step: 'duplicates',
        result: 'duplicate',
        detail: { of: 'l0', resend: true },
      };
      expect(judge(on_duplicate, { resend: true })).toEqual({
        kind: 'ended',
        status: 'DUPLICATE',
        entry,
      });
    },
  );

  it('goes to the buyer of its original alone', () => {
    expect(judge('ROUTE_TO_ORIGINAL')).toEqual({
      kind: 'routed',
      route_to: 'b2',
      candidates: [BUYERS[1]],
      entry: {
        at: AT,
        step: 'duplicates',
        result: 'routed',
        buyer_id: 'b2',
        detail: { of: 'l0' },
      },
    });
    expect(judge('ROUTE_TO_ORIGINAL', { buyer_id: 'b3' })).toMatchObject({ candidates: [] });
  });

  it('goes to nobody while the buyer of its original is not known', () => {
    expect(judge('ROUTE_TO_ORIGINAL', { buyer_id: null })).toEqual({
      kind: 'ended',
      status: 'UNMATCHED',
      entry: {
        at: AT,
        step: 'duplicates',
        result: 'duplicate',
        reason: 'original_undecided',
        detail: { of: 'l0' },
      },
    });
  });
});
