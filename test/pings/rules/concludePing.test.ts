import { describe, expect, it } from '@jest/globals';
import type { LiveBid } from '../../../src/pings/rules/auction.js';
import { withPingCaps } from '../../../src/pings/rules/screenPing.js';
import { DEFAULT_PING_SETTINGS } from '../../../src/account/rules/pingSettings.js';
import { aPing, b1, b2, conclude, openedBy, ping, said, UNIT } from './auctions.js';

describe('withPingCaps', () => {
  it('leaves out buyers with a full day; with none left the ping is capped', () => {
    const capped = { ...b1, daily_ping_cap: 3 };
    const some = openedBy(aPing([capped, b2]));
    expect(withPingCaps(some, new Set(['b1']))).toEqual({
      kind: 'open',
      bidders: [b2],
      unbid: [{ buyer_id: 'b1', reason: 'ping_cap', detail: { daily_ping_cap: 3 } }],
    });
    expect(withPingCaps(some, new Set())).toEqual(some);
    expect(withPingCaps(openedBy(aPing([capped])), new Set(['b1']))).toMatchObject({
      kind: 'refused',
      reason: 'capped',
    });
  });
});

describe('concludePing', () => {
  const live1 = { ...b1, ping };

  it('uses the price of a link, or that of an answer, as the bid', () => {
    const result = conclude(aPing([live1, b2]), {
      b1: { kind: 'bid', price: 30 * UNIT, reference: 'r-1', latency_ms: 12 },
    });
    const [first, second] = [30 * UNIT, 25 * UNIT];
    expect(result).toEqual({
      kind: 'accepted',
      bids: [
        {
          buyer_id: 'b1',
          price: first,
          net: first,
          bid: first,
          source: 'live',
          reference: 'r-1',
          latency_ms: 12,
        },
        { buyer_id: 'b2', price: second, net: second, bid: second, source: 'static' },
      ],
      unbid: [],
    });
  });

  it('never uses the price of the link for a buyer that is asked for a bid', () => {
    const silent: LiveBid = { kind: 'none', reason: 'http_503', detail: { a: 1 }, latency_ms: 7 };
    expect(conclude(aPing([live1]), { b1: silent })).toEqual({
      kind: 'refused',
      reason: 'no_buyer',
      unbid: [{ buyer_id: 'b1', reason: 'http_503', detail: { a: 1 }, latency_ms: 7 }],
    });
    expect(conclude(aPing([live1, b2]))).toMatchObject({
      bids: [{ buyer_id: 'b2' }],
      unbid: [{ buyer_id: 'b1', reason: 'late' }],
    });
  });

  it('limits bids by the floor of the campaign and the remaining budget', () => {
    const settings = { ping: { ...DEFAULT_PING_SETTINGS, min_bid: 5 * UNIT } };
    const input = aPing([{ ...live1, caps: { total_budget: 8 * UNIT } }], { campaign: settings });
    expect(conclude(input, { b1: said(4 * UNIT) })).toMatchObject({
      reason: 'no_buyer',
      unbid: [{ reason: 'below_min_bid', latency_ms: 12 }],
    });
    expect(conclude(input, { b1: said(9 * UNIT) })).toMatchObject({
      reason: 'capped',
      unbid: [{ reason: 'buyer_cap', detail: { allowed: 8 * UNIT, asks: 9 * UNIT } }],
    });
    expect(conclude(input, { b1: said(8 * UNIT) })).toMatchObject({ kind: 'accepted' });
  });

  it('locks what FIXED costs, and orders by what the buyers pay', () => {
    const source = { cost_mode: 'FIXED' as const, cost_per_lead: 7 * UNIT };
    const input = aPing([b1, { ...b2, price: 30 * UNIT }], { source });
    expect(conclude(input)).toMatchObject({
      bids: [
        { buyer_id: 'b2', bid: 7 * UNIT },
        { buyer_id: 'b1', bid: 7 * UNIT },
      ],
    });
  });
});
