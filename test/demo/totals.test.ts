import { describe, expect, it } from '@jest/globals';
import type { Receipt } from '../../src/demo/receipts.js';
import { compareTotals } from '../../src/demo/totals.js';

const ids = { premier: { id: 'p' }, steady: { id: 's' }, open: { id: 'o' } };
const sold = (lead: string, buyer: string, price: number) => ({
  _id: lead,
  sales: [{ buyer_id: buyer, attempt: 1, price, cost: 0, at: new Date(0) }],
});
const receipt = (change: Partial<Receipt>): Receipt => ({
  buyer: 'premier',
  lead_id: 'a',
  idempotency_key: 'k',
  result: 'accepted',
  repeated: false,
  price: 5,
  ...change,
});

describe('compareTotals', () => {
  it('agrees when both sides have the same leads for the same money', () => {
    const receipts = [
      receipt({}),
      receipt({ repeated: true }),
      receipt({ buyer: 'steady', result: 'refused' }),
      receipt({ lead_id: 'of another run' }),
    ];
    const { buyers, problems } = compareTotals([sold('a', 'p', 5)], receipts, ids);
    expect(problems).toEqual([]);
    expect(buyers[0]).toEqual({
      buyer: 'premier',
      sold: 1,
      sold_amount: 5,
      received: 1,
      received_amount: 5,
      refused: 0,
      unavailable: 0,
      agrees: true,
    });
    expect(buyers[1]).toMatchObject({ sold: 0, received: 0, refused: 1, agrees: true });
  });

  it.each([
    ['a sale the buyer knows nothing of', [sold('a', 'p', 5)], []],
    ['a lead taken and not booked', [{ _id: 'a', sales: [] }], [receipt({})]],
    ['another price', [sold('a', 'p', 5)], [receipt({ price: 6 })]],
    ['another lead', [sold('a', 'p', 5), { _id: 'b', sales: [] }], [receipt({ lead_id: 'b' })]],
  ])('finds %s', (_what, leads, receipts) => {
    const { buyers, problems } = compareTotals(leads, receipts, ids);
    expect(buyers[0]?.agrees).toBe(false);
    expect(problems).toEqual([expect.stringContaining('premier: booked')]);
  });

  it('finds a lead that two buyers accepted', () => {
    const receipts = [receipt({}), receipt({ buyer: 'open' })];
    const { problems } = compareTotals([sold('a', 'p', 5)], receipts, ids);
    expect(problems).toContain('lead a was taken more than once');
  });
});
