/**
 * Bids without a ping (contract 5.5): the price of a buyer's link makes its bid, as in a ping. A buyer that names a price
 * for each ping received none, and its link's price is no bid (contract 5.4).
 */
import { bidOf, type PricedBid } from '../../account/rules/bid.js';
import type { BuyerTerms, NoStaticBid, Plan, SupplierTerms } from '../../account/rules/plan.js';
import { DEFAULT_PING_SETTINGS, type PingSettings } from '../../account/rules/pingSettings.js';

/**
 * The plan in which these bids decide order, price and cost. Applying it again changes nothing.
 * @param input.paid the supplier has its money, and gets none for this lead
 */
export function withStaticBids(
  plan: Plan,
  supplier: SupplierTerms,
  { paid }: { paid: boolean },
): Plan {
  if (plan.static_bids) return plan;
  const settings = plan.ping ?? DEFAULT_PING_SETTINGS;
  const bids = plan.buyers.map((terms) => ({ terms, made: bidOn(terms, supplier, settings) }));
  const nets = new Set(bids.flatMap(({ made }) => ('net' in made ? [made.net] : [])));
  const best = [...nets].sort((a, b) => b - a);
  return {
    ...plan,
    static_bids: true,
    buyers: bids.map(({ terms, made }) =>
      'net' in made
        ? { ...terms, locked: { rank: best.indexOf(made.net), cost: paid ? 0 : made.bid } }
        : { ...terms, unbid: made },
    ),
  };
}

function bidOn(
  terms: BuyerTerms,
  supplier: SupplierTerms,
  settings: PingSettings,
): PricedBid | NoStaticBid {
  if (terms.ping) return { reason: 'bids_live', detail: {} };
  return bidOf({ price: terms.price, terms, supplier, settings });
}
