import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { emptyCapState } from '../../../src/routing/rules/caps.js';
import { fullEntry, type Offer } from '../../../src/routing/rules/capUse.js';
import { decide } from '../rules/decide.js';
import type { TrailEntry } from '../../../src/leads/rules/trail.js';
import { pingEntries } from '../../../src/leads/rules/locks.js';
import { bidOf } from '../../../src/account/rules/bid.js';
import { DEFAULT_PING_SETTINGS } from '../../../src/account/rules/pingSettings.js';
import type { CapLimits } from '../../../src/account/rules/capLimits.js';
import { shownDetail } from '../../../src/routing/explain/shownDetail.js';
import { aBuyer, aPlan, aSupplier } from '../../support/builders.js';
import { NOW, situations } from '../rules/situations.js';

const UNIT = 1_000_000;

const shown = ({ detail }: Pick<TrailEntry, 'detail'>) => shownDetail(detail ?? {});

/** A buyer's limits, with four leads for 38.50 counted today. */
function full(caps: CapLimits) {
  const terms = aBuyer({ price: 2.5 * UNIT, caps });
  const plan = aPlan({ buyers: [terms] });
  const offer: Offer = { plan, supplier: aSupplier(), terms, isTest: false, further: false };
  const day = { key: '2026-11-21', count: 4, amount: 38.5 * UNIT };
  return shown(fullEntry('buyer', offer, { ...emptyCapState(), day }, NOW));
}

describe('the detail of a step is shown', () => {
  it('with the money of a full budget in currency', () => {
    expect(full({ daily_budget: 40 * UNIT })).toEqual({
      limit: 'daily_budget',
      allowed: 40,
      counted: 38.5,
      asks: 2.5,
      windows: { day: { count: 4, amount: 38.5 } },
    });
  });

  it('with the leads of a full cap as counted, and its money in currency', () => {
    expect(full({ daily_cap: 4 })).toEqual({
      limit: 'daily_cap',
      allowed: 4,
      counted: 4,
      asks: 1,
      windows: { day: { count: 4, amount: 38.5 } },
    });
  });

  it('with the bids of a redeemed ping in currency', () => {
    const bids = [{ buyer_id: 'b1', price: 20 * UNIT, bid: 15.25 * UNIT }];
    const [redeemed] = pingEntries({ ping_id: 'p', reveal_buyers: true, bids }, NOW);
    expect(shown(redeemed ?? {})).toEqual({
      ping_id: 'p',
      bids: [{ buyer_id: 'b1', price: 20, bid: 15.25 }],
    });
  });

  it.each([
    ['a fixed margin', { margin: { fixed: 5 * UNIT } }, { price: 3.5, margin: { fixed: 5 } }],
    ['the lowest bid', { min_bid: 4 * UNIT }, { bid: 3.5, min_bid: 4 }],
  ])('with the values compared with %s in currency', (_, changes, expected) => {
    const settings = { ...DEFAULT_PING_SETTINGS, ...changes };
    const supplier = aSupplier({ cost_mode: 'NONE' });
    const priced = bidOf({ price: 3.5 * UNIT, terms: { margin: null }, supplier, settings });
    expect('detail' in priced && shownDetail(priced.detail)).toEqual(expected);
  });

  it('with the revenue of a sale before and after an outcome in currency', () => {
    const detail = { from: null, to: 'converted', revenue: { from: 5 * UNIT, to: 0.5 * UNIT } };
    expect(shownDetail(detail)).toEqual({ ...detail, revenue: { from: 5, to: 0.5 } });
  });

  it("with instants, percentages, counts and a buyer's words unchanged", () => {
    const detail = {
      asked_at: NOW,
      latency_ms: 1_500_000,
      margin: { percent: 20 },
      bid: '12.5',
      failures: [{ field: 'loan_amount', operator: '>', value: 5_000_000, actual: 1_000_000 }],
      served: ['TX'],
      until: null,
    };
    expect(shownDetail(detail)).toEqual(detail);
  });

  it('only under keys known as money or not, for any decision', () => {
    const known = new Set([
      'limit',
      'allowed',
      'counted',
      'asks',
      'windows',
      'key',
      'hour',
      'day',
      'week',
      'month',
      'total',
      'count',
      'amount',
      'method',
      'order',
      'failures',
      'field',
      'operator',
      'value',
      'actual',
      'last',
      'until',
      'local_time',
      'opens_at',
      'by',
      'ping_id',
      'pick',
      'price',
      'bid',
      'status',
      'test_mode',
      'is_test',
      'weight',
      'served',
      'state',
      'route_to',
      'buyer_id',
      'matches',
      'hits',
      'lists',
      'filter_id',
      'message',
      'reason',
      'step',
      'result',
      'scope',
      'zip_code',
      'zips',
      'radius',
      'miles',
      'nearest',
      'list_id',
      'id',
      'asked_at',
    ]);
    const keysOf = (value: unknown): string[] => {
      if (Array.isArray(value)) return value.flatMap(keysOf);
      if (typeof value !== 'object' || value === null || value instanceof Date) return [];
      return Object.entries(value).flatMap(([key, inner]) => [key, ...keysOf(inner)]);
    };
    fc.assert(
      fc.property(situations, ({ lead, plan, around }) => {
        const { passed_over } = decide(lead, plan, around);
        const turns = new Set(plan.buyers.map(({ buyer_id }) => buyer_id));
        const keys = passed_over.flatMap(({ detail }) => keysOf(detail));
        expect(keys.filter((key) => !known.has(key) && !turns.has(key))).toEqual([]);
      }),
    );
  });
});
