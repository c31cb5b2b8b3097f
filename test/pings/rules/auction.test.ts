import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { orderBids } from '../../../src/pings/rules/auction.js';
import type { Bid } from '../../../src/pings/rules/ping.js';
import { NO_TURNS } from '../../../src/routing/rules/turns.js';
import { aBuyer } from '../../support/builders.js';

describe('orderBids', () => {
  const bid = (buyer_id: string, net: number): Bid => ({
    buyer_id,
    net,
    price: net,
    bid: 0,
    source: 'static',
  });
  const order = (
    bids: Bid[],
    buyers = bids.map(({ buyer_id }) => aBuyer({ buyer_id })),
    last = {},
  ) => orderBids(bids, buyers, { ...NO_TURNS, last }).map(({ buyer_id }) => buyer_id);

  it('orders by the amount after the margin, not by the shown bid', () => {
    const rich = { ...bid('a', 1), bid: 9, price: 9 };
    expect(order([rich, bid('b', 2)])).toEqual(['b', 'a']);
  });

  it('orders equals by priority, then by the longest time since a turn, then by id', () => {
    const ids = ['e', 'd', 'c', 'b', 'a'];
    const buyers = [
      aBuyer({ buyer_id: 'a', priority: null }),
      aBuyer({ buyer_id: 'b', priority: 2 }),
      aBuyer({ buyer_id: 'c', priority: 2 }),
      aBuyer({ buyer_id: 'd', priority: 2 }),
      aBuyer({ buyer_id: 'e', priority: 1 }),
    ];
    const last = { b: 7, c: 3 };
    expect(
      order(
        ids.map((id) => bid(id, 5)),
        buyers,
        last,
      ),
    ).toEqual(['e', 'd', 'c', 'b', 'a']);
    expect(order([bid('c', 1), bid('b', 1)], buyers)).toEqual(['b', 'c']);
  });

  it('is the same from any order', () => {
    const some = fc.uniqueArray(
      fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), net: fc.integer({ min: 0, max: 2 }) }),
      { selector: ({ id }) => id },
    );
    fc.assert(
      fc.property(some, (nets) => {
        const bids = nets.map(({ id, net }) => bid(id, net));
        expect(order(bids.toReversed())).toEqual(order(bids));
      }),
    );
  });
});
