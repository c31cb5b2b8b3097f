import type { PingDoc } from '../../src/pings/store/pingDocs.js';
import { after, NOW } from './storedRows.js';

let made = 0;

/** An open ping with one bid. */
export const aPing = (overrides: Partial<PingDoc> = {}): PingDoc => ({
  _id: `a-ping-${++made}`,
  org_id: 'org',
  campaign_id: 'campaign',
  supplier_id: 'supplier',
  plan_version: 1,
  is_test: false,
  state: 'open',
  reveal_buyers: true,
  digests: {},
  unbid: [],
  bids: [
    { buyer_id: 'buyer-1', price: 10_000_000, net: 10_000_000, bid: 4_000_000, source: 'static' },
  ],
  created_at: NOW,
  expires_at: after(1_800_000),
  forget_at: after(30 * 86_400_000),
  ...overrides,
});
