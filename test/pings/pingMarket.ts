/** Ping-post campaigns of two buyers, and pings for them. */
import type { MarketSpec, Market, Testbed } from '../support/testbed.js';
import { aPing, type PingSpec } from '../support/pings.js';

export const MICROS = 1_000_000;
export const CA = { state: 'CA' };
export const BOTH = { best: { price: 20, bid: 15 }, next: { price: 18, bid: 14 } };

export const pingMarket = (testbed: Testbed, spec: MarketSpec = {}): Promise<Market> =>
  testbed.market({
    buyers: { next: {}, best: {} },
    ...spec,
    campaign: { routing_method: 'PING_POST' },
  });

/** A ping for a Californian, for which both buyers bid. */
export const pingFor = (testbed: Testbed, { account }: Market, spec: PingSpec = {}) =>
  aPing(testbed, account, { bidders: BOTH, fields: CA, ...spec });

export const buyerId = ({ account }: Market, name: string): string => account.buyers[name] ?? '';
