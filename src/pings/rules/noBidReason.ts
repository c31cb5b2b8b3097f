/** Why a ping is refused when no buyer is left to bid. */
import type { Unavailability } from '../../routing/rules/nextBuyer.js';
import type { NoStaticBid } from '../../account/rules/plan.js';
import type { CapScope } from '../../account/rules/capLimits.js';
import type { SkipReason } from '../../routing/rules/eligibility.js';
import type { PingRefused } from './auction.js';
import type { Unbid } from './ping.js';

/** These apply to leads only. */
type OfLeads = 'had_it' | 'no_bid' | 'not_picked' | NoStaticBid['reason'];
type Ineligible = Exclude<SkipReason, OfLeads> | Unavailability['reason'];
type Capped = `${CapScope}_cap` | 'ping_cap';

const INELIGIBLE: Record<Ineligible, true> = {
  not_original: true,
  paused: true,
  test_mode_only: true,
  live_only: true,
  state_missing: true,
  state_not_served: true,
  zip_missing: true,
  zip_not_served: true,
  filtered: true,
  closed: true,
  no_weight: true,
  suppressed: true,
  breaker_open: true,
};
const CAPPED: Record<Capped, true> = {
  buyer_cap: true,
  supplier_cap: true,
  campaign_cap: true,
  ping_cap: true,
};

/** capped: every buyer that could have bid was left out by a cap. */
export function noBidReason(unbid: Unbid[]): PingRefused {
  const eligible = unbid.filter(({ reason }) => !Object.hasOwn(INELIGIBLE, reason));
  const capped =
    eligible.length > 0 && eligible.every(({ reason }) => Object.hasOwn(CAPPED, reason));
  return { kind: 'refused', reason: capped ? 'capped' : 'no_buyer', unbid };
}
