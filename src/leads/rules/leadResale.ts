/** What a resold lead stores about its origin. */
export interface LeadResale {
  /** The lead whose data it has. */
  origin: string;
  /** The first lead with these data, and its place among those made from it, from 1. Absent: an earlier release made it. */
  root?: string;
  nth?: number;
  /** Id of the order's cause: the same order makes the same lead. */
  order_id: string;
  /** Ids of buyers that had the data before, with this lead or one of its origins. */
  exclude: string[];
  /** Campaigns in which the data was sold before, in order; the last is that of `origin`. */
  campaigns: string[];
  /** It replaces a sale of `origin` in the same campaign: it is sold once, and `origin` keeps the person's claim. */
  replaces: boolean;
  /**
   * Its campaign answers pings, and no supplier pinged for it: prices are its bids. Absent also from leads that earlier
   * releases sold again, which went by the distribution method and paid what the links say.
   */
  static_bids?: true;
  /** The supplier was paid for `origin` and keeps that: this one costs nothing. */
  paid: boolean;
}
