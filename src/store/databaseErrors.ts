/** Whether an error says that the database could not be asked. */
import { MongoError } from 'mongodb';

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
