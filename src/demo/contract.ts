/** What the demo buyers owe by their own terms, so that their count of the money is not an echo of ours. */
import type { Micros } from '../fields/money.js';
import { toMicros } from '../fields/money.js';
import { steadyBid, type DemoBuyerName } from './buyerRules.js';
import type { DemoCampaignKey } from './names.js';
import { BUYER_LINKS, PINGED_BUYER } from './terms.js';

/**
 * The price of a lead by what the buyer agreed to: its bid where it bids, the price of its link otherwise.
 * Null: it agreed to nothing for this campaign.
 */
export function owedFor(
  campaign: DemoCampaignKey,
  buyer: DemoBuyerName,
  lead: Record<string, unknown>,
): Micros | null {
  const isBidder = campaign === 'pingPost' && buyer === PINGED_BUYER;
  const price = isBidder ? steadyBid(lead.state) : BUYER_LINKS[campaign][buyer]?.price;
  return price === undefined ? null : toMicros(price);
}
