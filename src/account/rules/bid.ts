/** The supplier's bid for a lead, from the price that a buyer would pay: exact, in whole micro-units. */
import type { BuyerTerms } from './plan.js';
import type { CostTerms } from './pricing.js';
import type { Micros } from '../../fields/money.js';
import type { Margin, PingSettings } from './pingSettings.js';

/** Percentages have at most four decimals: 100 % in these smallest steps. */
const WHOLE = 1_000_000n;
const PERCENT_STEPS = 10_000;
/** Decimals of a micro-unit, relative to an amount of 1.00. */
const MICRO_DECIMALS = 6;

export interface PricedBid {
  /** The price less the margin. */
  net: Micros;
  /** The amount that the supplier is shown, and the recorded cost of the lead. */
  bid: Micros;
}

/** Why a price makes no bid, with the values that were compared, in micro-units. */
export interface Priceless {
  reason: 'below_margin' | 'below_min_bid';
  detail: Record<string, unknown>;
}

/**
 * The supplier's bid. `net` is rounded down, so that the margin is never less than it was set to; a bid is
 * lowered to `max_bid`, then rounded down to `bid_decimals`, and never up; a FIXED cost is neither lowered nor rounded.
 * @param input.price what the buyer pays: the price of its link, or its own bid; 0 or more
 */
export function bidOf(input: {
  price: Micros;
  terms: Pick<BuyerTerms, 'margin'>;
  supplier: CostTerms;
  settings: Pick<PingSettings, 'margin' | 'min_bid' | 'max_bid' | 'bid_decimals'>;
}): PricedBid | Priceless {
  const { price, terms, supplier, settings } = input;
  const margin = terms.margin ?? settings.margin;
  const net = netOf(price, margin);
  if (net < 0) return { reason: 'below_margin', detail: { price, margin } };
  const { min_bid: least, max_bid: most, bid_decimals: decimals } = settings;
  const full = shareFor(price, net, supplier);
  // The cost agreed with the supplier is recorded as it is; only a computed one is lowered and rounded.
  const bid =
    supplier.cost_mode === 'FIXED'
      ? full
      : roundedDown(most === null ? full : Math.min(full, most), decimals);
  if (least !== null && bid < least) {
    return { reason: 'below_min_bid', detail: { bid, min_bid: least } };
  }
  return { net, bid };
}

/** Below 0 when a fixed margin is larger than the price. */
const netOf = (price: Micros, margin: Margin): Micros =>
  'fixed' in margin ? price - margin.fixed : percentOf(price, WHOLE - stepsOf(margin.percent));

function shareFor(
  price: Micros,
  net: Micros,
  { cost_mode, cost_per_lead, revenue_share }: CostTerms,
): Micros {
  switch (cost_mode) {
    case 'FIXED':
      return cost_per_lead;
    case 'REVENUE_SHARE':
      return percentOf(price, stepsOf(revenue_share));
    case 'NONE':
      return net;
  }
}

const stepsOf = (percent: number): bigint => BigInt(Math.round(percent * PERCENT_STEPS));

/** Rounded down to a micro-unit, exact at any size. */
const percentOf = (amount: Micros, steps: bigint): Micros =>
  Number((BigInt(amount) * steps) / WHOLE);

function roundedDown(amount: Micros, decimals: number): Micros {
  return amount - (amount % 10 ** (MICRO_DECIMALS - decimals));
}
