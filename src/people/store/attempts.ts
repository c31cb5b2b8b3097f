/**
 * Recent tries, counted exactly across processes: one document for each thing that is counted, by the clock of
 * the database. A try is counted before its result is known, so that concurrent tries cannot exceed the limit.
 */
import type { Collection, Document } from 'mongodb';
import { retryUpsert } from '../../platform/mongo/databaseErrors.js';

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

export interface AttemptLimit {
  /** Tries in any stretch of the window before it is locked. */
  tries: number;
  windowMs: number;
  /** The longest lock: the first is as long as the window, each further one twice as long. */
  lockMaxMs: number;
}

/** Locks are forgotten after this time without a try. */
const REMEMBERED_MS = 86_400_000;

export type Attempt = { allowed: true; at: Date } | { allowed: false; retryAfterMs: number };

/** Counts a try if it is allowed. One that is refused does not count, and makes no lock longer. */
export async function takeAttempt(
  attempts: Collection<AttemptsDoc>,
  key: string,
  limit: AttemptLimit,
): Promise<Attempt> {
  const doc = await retryUpsert(() =>
    attempts.findOneAndUpdate({ _id: key }, pipeline(limit), {
      upsert: true,
      returnDocument: 'after',
    }),
  );
  if (!doc) throw new Error('MongoDB returned no document for an update with upsert');
  if (doc.allowed) return { allowed: true, at: doc.at };
  return { allowed: false, retryAfterMs: Number(doc.locked_until ?? doc.at) - Number(doc.at) };
}

/** The try was no failure: it is not counted. */
export async function giveAttemptBack(
  attempts: Collection<AttemptsDoc>,
  key: string,
  at: Date,
): Promise<void> {
  const index = { $indexOfArray: ['$tries', at] };
  const before = { $cond: [{ $gt: [index, 0] }, { $slice: ['$tries', index] }, []] };
  const after = { $slice: ['$tries', { $add: [index, 1] }, { $add: [{ $size: '$tries' }, 1] }] };
  await attempts.updateOne({ _id: key, tries: at }, [
    { $set: { tries: { $concatArrays: [before, after] } } },
  ]);
}

/** Forgets all tries and locks of the key. */
export async function forgetAttempts(
  attempts: Collection<AttemptsDoc>,
  key: string,
): Promise<void> {
  await attempts.deleteOne({ _id: key });
}

function pipeline({ tries, windowMs, lockMaxMs }: AttemptLimit): Document[] {
  const since = (ms: number): Document => ({ $subtract: ['$$NOW', ms] });
  const isLocked = { $gt: [{ $ifNull: ['$locked_until', since(1)] }, '$$NOW'] };
  const isOver = { $gte: [{ $size: '$tries' }, tries] };
  const lockMs = { $min: [lockMaxMs, { $multiply: [windowMs, { $pow: [2, '$locks'] }] }] };
  return [
    {
      $set: {
        locks: {
          $cond: [
            { $lt: [{ $ifNull: ['$at', '$$NOW'] }, since(REMEMBERED_MS)] },
            0,
            { $ifNull: ['$locks', 0] },
          ],
        },
        tries: {
          $filter: {
            input: { $ifNull: ['$tries', []] },
            cond: { $gt: ['$$this', since(windowMs)] },
          },
        },
        at: '$$NOW',
        isLocked,
      },
    },
    { $set: { begins: { $and: [{ $not: '$isLocked' }, isOver] } } },
    {
      $set: {
        allowed: { $not: { $or: ['$isLocked', '$begins'] } },
        // The lock starts at the last counted try: a client that guessed fast waits all of it.
        locked_until: {
          $cond: ['$begins', { $add: [{ $max: '$tries' }, lockMs] }, '$locked_until'],
        },
        locks: { $cond: ['$begins', { $add: ['$locks', 1] }, '$locks'] },
      },
    },
    {
      $set: {
        tries: {
          $cond: [
            '$begins',
            [],
            { $cond: ['$allowed', { $concatArrays: ['$tries', ['$$NOW']] }, '$tries'] },
          ],
        },
        expires_at: { $add: ['$$NOW', REMEMBERED_MS + lockMaxMs] },
      },
    },
    { $unset: ['isLocked', 'begins'] },
  ];
}
