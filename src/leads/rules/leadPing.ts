import type { Micros } from '../../fields/money.js';

/** The part of a redeemed ping that its lead stores. */
export interface LeadPing {
  ping_id: string;
  /** Locked prices, costs and references, best first. */
  bids: {
    buyer_id: string;
    /** What the buyer pays. */
    price: Micros;
    /** What the supplier receives. */
    bid: Micros;
    /** The buyer's reference of the ping. */
    reference?: string;
  }[];
  /** The bidder that its supplier picked: no other buyer gets the lead. */
  pick?: string;
  /** Pinged fields that the lead has with other values, where that is allowed. */
  differs?: string[];
  reveal_buyers: boolean;
}
