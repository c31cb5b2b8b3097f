/** Recent failed tries of one account, address, or both. */
export interface AttemptsDoc {
  /** A keyed hash of what is counted. */
  _id: string;
  /** Tries that failed, or whose result is not known yet, oldest first. */
  tries: Date[];
  /** How often it was locked recently: each lock is twice as long. */
  locks: number;
  locked_until?: Date;
  /** Whether the last try was let in. */
  allowed: boolean;
  at: Date;
  /** When the document is deleted. */
  expires_at: Date;
}
