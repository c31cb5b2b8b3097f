/** What a lead knows of the one that it was made from. */
export interface LeadResale {
  /** The lead whose data it has. */
  origin: string;
  /** What ordered it: the same order makes the same lead. */
  order_id: string;
  /** Ids of buyers that had the data before, with this lead or one that it comes from. */
  exclude: string[];
  /** Where the data was sold before, the first campaign first; the last is that of `origin`. */
  campaigns: string[];
  /** It stands in for a sale of `origin` in the same campaign: it is sold once, and the person is claimed by `origin`. */
  replaces: boolean;
  /** The supplier was paid for `origin` and keeps that: this one costs nothing. */
  paid: boolean;
}
