/** Selling a lead again: the order and its result. */
import type { Lead } from '../../leads/rules/lead.js';

/** An order for a new lead with the data of another. */
export interface ResaleOrder {
  /** Id of the order's cause: the same order makes the same lead, however often it is repeated. */
  id: string;
  /** The lead whose data it gets. */
  lead: Lead;
  /** Where it is sold: the lead's own campaign, or another of its organization. */
  campaign_id: string;
  /** Ids of buyers that must not get it, in addition to those that may have the data already. */
  exclude?: readonly string[];
  /** The buyer whose sale was returned, where that is why it is sold again. */
  returned_by?: string;
}

/**
 * The new lead is stored and started; or why there is none, in words. busy: the data are still being sold, so the order
 * must be repeated later.
 */
export type ResaleAnswer = { lead_id: string } | { refused: string } | { busy: string };

/** Safe to repeat. Rejects when the database is unavailable: the result is unknown, and the order must be repeated. */
export type Redistribute = (order: ResaleOrder) => Promise<ResaleAnswer>;
