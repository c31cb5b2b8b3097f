/** Tokens left of a key's allowance, refilled by the clock of the database. */
export interface RateDoc {
  _id: string;
  sustained: number;
  burst: number;
  /** Tokens that the latest draw got: the result that the update returns to its caller. */
  granted: number;
  at: Date;
}

/** How fast a caller may send: the sustained rate, and a higher one for `burst_seconds`. */
export interface RateLimit {
  per_second: number;
  burst_per_second: number;
  burst_seconds: number;
}
