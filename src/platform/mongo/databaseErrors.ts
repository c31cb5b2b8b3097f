/** Classifies database errors: the database did not answer, or another write was first. */
import { MongoError, MongoServerError } from 'mongodb';
import { unavailable } from '../../lib/errors.js';

/** Socket errors that the driver passes on unchanged when the other side has just closed. */
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

/**
 * For `catch`, where nothing is stored yet: a database that is busy or does not answer gives a 503, and the request may be
 * sent again.
 * @throws {AppError} `unavailable` with the message; every other error unchanged
 */
export const orUnavailable =
  (message: string) =>
  (error: unknown): never => {
    throw isDatabaseError(error) ? unavailable(message, error) : error;
  };

/** The server's code where a unique index refuses a write. */
export const DUPLICATE_KEY = 11_000;

/** A unique index has refused the write: what it would have made is there already. */
export const isDuplicateKey = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === DUPLICATE_KEY;

/** The server's code where a query took longer than its `maxTimeMS`. */
const TIME_LIMIT_EXCEEDED = 50;

/** The result of a query with a time limit; null when the limit passed first. */
export const inTimeLimit = <T>(query: () => Promise<T>): Promise<T | null> =>
  query().catch((error: unknown) => {
    if (error instanceof MongoServerError && error.code === TIME_LIMIT_EXCEEDED) return null;
    throw error;
  });

/** The server's code for a time zone that is not in its data. */
const UNKNOWN_ZONE = 40_485;

/** The expression names a time zone that the database does not know. */
export const isUnknownZone = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === UNKNOWN_ZONE;

const BAD_VALUE = 2;

/** The query names an index that is not there, or is still being built over old data: others serve, if slowly. */
export const isUnknownHint = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === BAD_VALUE && /\bhint\b/.test(error.message);

/** An update with upsert. Two that come first may both try to insert; the second finds the document on a repeat. */
export const retryUpsert = <T>(update: () => Promise<T>): Promise<T> =>
  update().catch((error: unknown) => {
    if (isDuplicateKey(error)) return update();
    throw error;
  });
