/** Pings of one campaign, and their auctions. */
import { emptyCapState, type CapState } from '../../../src/routing/rules/caps.js';
import type { LiveBid, PingInput } from '../../../src/pings/rules/auction.js';
import { concludePing } from '../../../src/pings/rules/concludePing.js';
import { screenPing } from '../../../src/pings/rules/screenPing.js';
import type { BuyerPing } from '../../../src/account/rules/pingSettings.js';
import type { BuyerTerms, Plan, SupplierTerms } from '../../../src/account/rules/plan.js';
import { windowKeys } from '../../../src/fields/windowKeys.js';
import { aBuyer, aPlan, aSupplier } from '../../support/builders.js';
import { NOW, ZONE } from '../../routing/rules/situations.js';

export const UNIT = 1_000_000;
const KEYS = windowKeys(NOW, ZONE);

export const ping: BuyerPing = {
  url: 'https://buyer.example/ping',
  timeout_ms: 500,
  fields: [],
  headers: {},
};
export const used = (count: number, amount = 0): CapState => ({
  ...emptyCapState(),
  day: { key: KEYS.day, count, amount },
});

export const aPing = (
  buyers: BuyerTerms[],
  more: Partial<PingInput> & { campaign?: Partial<Plan>; source?: Partial<SupplierTerms> } = {},
): PingInput => {
  const { campaign, source, ...input } = more;
  const suppliers = { s1: aSupplier({ cost_mode: 'NONE', ...source }) };
  const plan = aPlan({
    routing_method: 'PING_POST',
    time_zone: ZONE,
    buyers,
    suppliers,
    ...campaign,
  });
  return { plan, supplier_id: 's1', fields: {}, is_test: false, now: NOW, ...input };
};
export const b1 = aBuyer({ buyer_id: 'b1' });
export const b2 = aBuyer({ buyer_id: 'b2' });

export const openedBy = (input: PingInput) => {
  const result = screenPing(input);
  if (result.kind !== 'open') throw new Error(`It was refused: ${result.reason}`);
  return result;
};
export const screened = (input: PingInput): string | string[] => {
  const result = screenPing(input);
  return result.kind === 'open' ? result.bidders.map(({ buyer_id }) => buyer_id) : result.reason;
};
export const conclude = (input: PingInput, live: Record<string, LiveBid> = {}) =>
  concludePing({ ...input, opened: openedBy(input), live: new Map(Object.entries(live)) });
export const said = (price: number): LiveBid => ({ kind: 'bid', price, latency_ms: 12 });
