/** What an error of the database says: that it could not be asked, or that another write was first. */
import { MongoError, MongoServerError } from 'mongodb';

/** The driver passes on as it is what a socket says that the other side has just closed. */
const SOCKET_CODES: ReadonlySet<unknown> = new Set([
  'EPIPE',
  'ECONNRESET',
  'ECONNREFUSED',
  'ETIMEDOUT',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
]);

/** True for the driver's own errors, and for those of its sockets. */
export const isDatabaseError = (error: unknown): error is Error =>
  error instanceof MongoError ||
  (error instanceof Error && 'code' in error && SOCKET_CODES.has(error.code));

/** The server's code where a unique index refuses a write. */
export const DUPLICATE_KEY = 11_000;

/** A unique index has refused the write: what it would have made is there already. */
export const isDuplicateKey = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === DUPLICATE_KEY;

/** The server's code where a query took longer than its `maxTimeMS`. */
const TIME_LIMIT_EXCEEDED = 50;

/** What a query says that has a time limit; null where it had not ended by then. */
export const inTimeLimit = <T>(query: () => Promise<T>): Promise<T | null> =>
  query().catch((error: unknown) => {
    if (error instanceof MongoServerError && error.code === TIME_LIMIT_EXCEEDED) return null;
    throw error;
  });

/** An update with upsert. Two that come first may both try to insert; the second finds the document on a repeat. */
export const retryUpsert = <T>(update: () => Promise<T>): Promise<T> =>
  update().catch((error: unknown) => {
    if (isDuplicateKey(error)) return update();
    throw error;
  });
