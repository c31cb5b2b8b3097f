import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { rankBuyers } from '../../../src/routing/rules/routing.js';
import {
  afterTurn,
  byTurns,
  hasEquals,
  NO_TURNS,
  sharesTurns,
  throughRank,
} from '../../../src/routing/rules/turns.js';
import type { BuyerTerms, DistributionMethod } from '../../../src/account/rules/plan.js';
import { aBuyer, aPlan, someFields } from '../../support/builders.js';

const buyer = (buyer_id: string, terms: Partial<BuyerTerms> = {}) => aBuyer({ buyer_id, ...terms });
const ids = (buyers: readonly BuyerTerms[]) => buyers.map(({ buyer_id }) => buyer_id);

/** The buyer that gets each lead, one after the other; `eligible` names the candidates of the n-th lead. */
function hand(count: number, buyers: BuyerTerms[], eligible: (n: number) => readonly string[]) {
  let turns = NO_TURNS;
  return Array.from({ length: count }, (_, n) => {
    const may = eligible(n);
    const [next] = byTurns(
      'ROUND_ROBIN',
      buyers.filter(({ buyer_id }) => may.includes(buyer_id)),
      turns,
    );
    if (!next) throw new Error('Nobody is eligible');
    turns = afterTurn(turns, next.buyer_id);
    return next.buyer_id;
  });
}

describe('turns', () => {
  const three = [buyer('a'), buyer('b'), buyer('c')];

  it('rotate among the buyers', () => {
    const handed = hand(7, three, () => ['a', 'b', 'c']);
    expect(handed).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'a']);
  });

  it('are kept by a buyer that is passed over', () => {
    // The second lead may go to `c` only: `b` has waited longest and is next.
    const handed = hand(5, three, (n) => (n === 1 ? ['c'] : ['a', 'b', 'c']));
    expect(handed).toEqual(['a', 'c', 'b', 'a', 'c']);
  });

  it('share leads evenly among any set of buyers', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 60 }),
        (many, leads) => {
          const buyers = Array.from({ length: many }, (_, n) => buyer(`b${n}`));
          const handed = hand(leads, buyers, () => ids(buyers));
          const counts = ids(buyers).map((id) => handed.filter((to) => to === id).length);
          expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  it('decide only between buyers of the same rank, and then by id', () => {
    const candidates = [
      buyer('z', { priority: 1 }),
      buyer('b', { priority: 2 }),
      buyer('a', { priority: 2 }),
      buyer('y', { priority: null }),
    ];
    const turns = afterTurn(afterTurn(NO_TURNS, 'z'), 'a');
    expect(ids(byTurns('WATERFALL', candidates, turns))).toEqual(['z', 'b', 'a', 'y']);
    expect(ids(byTurns('WATERFALL', candidates, NO_TURNS))).toEqual(['z', 'a', 'b', 'y']);
    expect(ids(throughRank('WATERFALL', candidates, 0))).toEqual(['z']);
    expect(ids(throughRank('WATERFALL', candidates, 1))).toEqual(['z', 'b', 'a']);
    expect(ids(throughRank('WATERFALL', candidates, -1))).toEqual(['z', 'b', 'a', 'y']);
    expect(hasEquals('WATERFALL', candidates.slice(0, 2))).toBe(false);
    expect(hasEquals('WATERFALL', candidates)).toBe(true);
  });

  it.each<[DistributionMethod, Partial<BuyerTerms>, Partial<BuyerTerms>, boolean]>([
    ['ROUND_ROBIN', {}, {}, true],
    ['WEIGHTED', {}, {}, false],
    ['WATERFALL', { priority: 1 }, { priority: 2 }, false],
    ['WATERFALL', { priority: null }, { priority: null }, true],
    ['HIGHEST_BID', { price: 1 }, { price: 2 }, false],
    ['HIGHEST_BID', { price: 1, priority: 1 }, { price: 1, priority: 2 }, false],
    ['HIGHEST_BID', { price: 1 }, { price: 1 }, true],
  ])('matter to %s for %j and %j: %s', (distribution_method, a, b, expected) => {
    const buyers = [buyer('a', a), buyer('b', b)];
    expect(sharesTurns(aPlan({ distribution_method, buyers }))).toBe(expected);
  });
});

describe('distribution methods', () => {
  const order = (method: DistributionMethod, buyers: BuyerTerms[], seed = 'l1') =>
    rankBuyers(
      aPlan({ distribution_method: method, buyers }),
      { fields: someFields(), is_test: false, seed },
      new Date('2026-11-21T12:00:00Z'),
    );

  it('HIGHEST_BID puts the best price first, and equal ones by priority', () => {
    const buyers = [
      buyer('cheap', { price: 1_000_000, priority: 1 }),
      buyer('late', { price: 9_000_000, priority: null }),
      buyer('early', { price: 9_000_000, priority: 3 }),
      buyer('top', { price: 9_000_001 }),
    ];
    expect(ids(order('HIGHEST_BID', buyers).candidates)).toEqual(['top', 'early', 'late', 'cheap']);
  });

  it('WEIGHTED draws from the lead alone, and leaves out buyers without a weight', () => {
    const buyers = [
      buyer('a', { weight: 70 }),
      buyer('b', { weight: 30 }),
      buyer('none', { weight: 0 }),
    ];
    const ranking = order('WEIGHTED', buyers);
    expect(ranking).toEqual(order('WEIGHTED', [...buyers].reverse()));
    expect(ids(ranking.candidates).sort()).toEqual(['a', 'b']);
    expect(ranking.skipped).toEqual([
      { buyer_id: 'none', reason: 'no_weight', detail: { weight: 0 } },
    ]);
    const firsts = new Set(
      Array.from({ length: 50 }, (_, n) => ids(order('WEIGHTED', buyers, `l${n}`).candidates)[0]),
    );
    expect(firsts).toEqual(new Set(['a', 'b']));
  });
});
