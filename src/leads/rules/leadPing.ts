import type { Micros } from '../../fields/money.js';

/** What a lead keeps of the ping that it redeemed. */
export interface LeadPing {
  ping_id: string;
  /** Locked prices, costs and references, best first. */
  bids: {
    buyer_id: string;
    /** What the buyer pays. */
    price: Micros;
    /** What the supplier gets. */
    bid: Micros;
    /** The buyer's own name for the ping. */
    reference?: string;
  }[];
  /** The bidder that its supplier picked: no other buyer gets the lead. */
  pick?: string;
  /** Pinged fields that the lead has otherwise, where that is allowed. */
  differs?: string[];
  reveal_buyers: boolean;
}
