/** What a buyer may return, and what comes of it. Null: no such limit. */
export interface ReturnSettings {
  allowed: boolean;
  /** Whole days since the sale, each of 24 hours. */
  max_age_days: number | null;
  /** Percent, with at most two decimals, of what it bought of the leads that came in in the same month. */
  max_share_pct: number | null;
  /** Leads that came in in the same month. */
  max_per_month: number | null;
  /** A request that nobody has decided after so many hours is accepted; null: it waits. */
  auto_accept_hours: number | null;
  /** The supplier gets nothing for a returned lead; else it keeps its money. */
  reverse_cost: boolean;
  /** A returned lead is sold again, to the next buyer of its campaign. */
  resell: boolean;
}

export const DEFAULT_RETURNS: ReturnSettings = {
  ...{ allowed: true, max_age_days: null, max_share_pct: null, max_per_month: null },
  ...{ auto_accept_hours: null, reverse_cost: false, resell: false },
};
