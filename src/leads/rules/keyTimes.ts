/** Times of a request that brings a lead, and of its Idempotency-Key. */

/** How long a key is kept, in milliseconds (contract 3.2.5). */
const KEPT_MS = 86_400_000;

/** Milliseconds, longer than any request takes to store its lead. */
export const STORED_WITHIN_MS = 10_000;

/** When a key that is claimed at `now` expires. */
export const expiryOf = (now: Date | number): Date => new Date(Number(now) + KEPT_MS);

/** When a key was claimed, in milliseconds: its row stores only the expiry, for the index that deletes it. */
export const claimedAt = ({ expires_at }: { expires_at: Date }): number =>
  Number(expires_at) - KEPT_MS;
