/** Whether the caps have room for a bid. They are only read: the post makes the reservation. */
import {
  CAP_SCOPES,
  type CapScope,
  hasCaps,
  type CapLimits,
} from '../../account/rules/capLimits.js';
import {
  emptyCapState,
  findFullCap,
  rollWindows,
  type CapState,
} from '../../routing/rules/caps.js';
import type { BuyerTerms } from '../../account/rules/plan.js';
import type { Micros } from '../../fields/money.js';
import { windowKeys, type WindowKeys } from '../../fields/windowKeys.js';
import { type PingInput, getSupplierTerms } from './auction.js';
import { getOwn } from '../../lib/getOwn.js';

/** A cap without room, with the values that were compared; money in micro-units. */
export interface FullCap {
  reason: `${CapScope}_cap`;
  detail: Record<string, unknown>;
}

export interface CapCheck {
  /** The cap of the supplier or the campaign that has no room for any lead. */
  general(): FullCap | null;
  /** The first cap that has no room for a lead at this price. */
  forBid(terms: BuyerTerms, money: Money): FullCap | null;
}

export interface Money {
  /** What the buyer pays. */
  price: Micros;
  /** What the supplier gets. */
  bid: Micros;
}

/** For a buyer that was not pinged yet: only caps that are full at any price are known. */
export const NO_MONEY: Money = { price: 0, bid: 0 };

const NONE: CapCheck = { general: () => null, forBid: () => null };

/** Test pings check no cap (contract 2.6). */
export function capCheck(
  input: Pick<PingInput, 'plan' | 'supplier_id' | 'is_test' | 'now' | 'counters'>,
): CapCheck {
  const { plan, now, counters = {} } = input;
  if (input.is_test) return NONE;
  const supplier = getSupplierTerms(input);
  let keys: WindowKeys | undefined;
  const check = (
    scope: CapScope,
    limits: CapLimits,
    state: CapState | undefined,
    amount: Micros,
  ): FullCap | null => {
    if (!hasCaps(limits)) return null;
    keys ??= windowKeys(now, plan.time_zone);
    const today = rollWindows(state ?? emptyCapState(), keys);
    const full = findFullCap(today, limits, { amount });
    return full && { reason: `${scope}_cap`, detail: { ...full } };
  };
  const checks: Record<CapScope, (terms: BuyerTerms, money: Money) => FullCap | null> = {
    buyer: ({ buyer_id, caps }, { price }) =>
      check('buyer', caps, getOwn(counters.buyers, buyer_id), price),
    supplier: (_terms, { bid }) => check('supplier', supplier.caps, counters.supplier, bid),
    campaign: (_terms, { price }) => check('campaign', plan.caps, counters.campaign, price),
  };
  return {
    general: () =>
      check('supplier', supplier.caps, counters.supplier, 0) ??
      check('campaign', plan.caps, counters.campaign, 0),
    forBid(terms, money) {
      for (const scope of CAP_SCOPES) {
        const full = checks[scope](terms, money);
        if (full) return full;
      }
      return null;
    },
  };
}
