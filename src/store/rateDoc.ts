/** Tokens left of a key's allowance, refilled by the clock of the database. */
export interface RateDoc {
  _id: string;
  sustained: number;
  burst: number;
  /** Tokens that the latest draw got: how an update tells its caller. */
  granted: number;
  at: Date;
}
