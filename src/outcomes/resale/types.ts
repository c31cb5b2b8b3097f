/** Selling a lead again: what asks for it, and what comes of it. */
import type { Lead } from '../../leads/rules/lead.js';

/** Asks for a new lead with the data of another. */
export interface ResaleOrder {
  /** Of what ordered it: the same order makes the same lead, however often it is given. */
  id: string;
  /** Whose data it gets. */
  lead: Lead;
  /** Where it is sold: the lead's own campaign, or another of its organization. */
  campaign_id: string;
  /** Ids of buyers that must not get it, besides those that may have the data already. */
  exclude?: readonly string[];
}

/** The new lead is stored and set going; or why there is none, in words. */
export type ResaleAnswer = { lead_id: string } | { refused: string };

/** Safe to repeat. Rejects when the database cannot be asked: then nobody knows, and the order is to be repeated. */
export type Redistribute = (order: ResaleOrder) => Promise<ResaleAnswer>;
