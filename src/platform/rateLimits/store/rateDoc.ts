/** Tokens left of a key's allowance, refilled by the clock of the database. */
export interface RateDoc {
  _id: string;
  sustained: number;
  burst: number;
  /** Tokens that the latest draw got: how an update tells its caller. */
  granted: number;
  at: Date;
}

/** How fast a caller may send: the sustained rate, and a higher one for so many seconds. */
export interface RateLimit {
  per_second: number;
  burst_per_second: number;
  burst_seconds: number;
}
