/** Failed tries of one account, address, or both, of late. */
export interface AttemptsDoc {
  /** A keyed hash of what is counted. */
  _id: string;
  /** Tries that failed, or whose result is not known yet, oldest first. */
  tries: Date[];
  /** How often it was locked of late: each lock is twice as long. */
  locks: number;
  locked_until?: Date;
  /** The last look was let in. */
  allowed: boolean;
  at: Date;
  /** It is forgotten then. */
  expires_at: Date;
}
