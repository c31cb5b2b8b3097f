/** Reads a request to its end, never holding more than the limit. */
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../lib/errors.js';

/** A body over the limit is read and dropped up to this size, so that its sender sees the refusal. */
const DROPPED_MAX_BYTES = 16 * 1024 * 1024;
/** Milliseconds for the refusal of a greater one to reach its sender, who is not read any more. */
const LINGER_MS = 2_000;

export const tooLarge = (limit: number): AppError =>
  new AppError('body_too_large', `The body is over the limit of ${Math.floor(limit / 1024)} KiB.`);

/**
 * The server's request timeout limits how long a sender may take; this function does not.
 * @param limit bytes
 * @throws {AppError} `body_too_large`; `malformed_body` when the connection ends half-way
 */
export function readBytes(req: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // It asks first: unread, it gets the refusal in place of 100 Continue, and sends nothing.
    if (isAwaitingContinue(req) && Number(req.headers['content-length']) > limit) {
      reject(tooLarge(limit));
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else reject(tooLarge(limit));
      if (size > DROPPED_MAX_BYTES && !req.isPaused()) {
        req.pause();
        setTimeout(() => req.destroy(), LINGER_MS).unref();
      }
    });
    req.on('end', () => resolve(joined(chunks)));
    // Also emitted when the client leaves half-way; there is no reader of the answer then.
    req.on('error', () => reject(cutShort()));
    req.on('close', () => {
      if (!req.complete) reject(cutShort());
    });
    if (req.destroyed) reject(cutShort());
  });
}

/** A single chunk, as nearly each lead has, is not copied. */
const joined = (chunks: readonly Buffer[]): Buffer =>
  chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);

/**
 * A body still unread when the answer is known is read and dropped, up to the same bound: its rest
 * is never taken for the next request, and its sender sees the answer.
 */
export function dropUnread(req: IncomingMessage): void {
  if (req.complete || req.readableFlowing !== null || isAwaitingContinue(req)) return;
  let size = 0;
  req.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > DROPPED_MAX_BYTES) req.destroy();
  });
  req.on('error', () => undefined);
}

/** Such a sender sends no body before the 100 Continue. */
const isAwaitingContinue = (req: IncomingMessage): boolean =>
  req.httpVersion === '1.1' && /100-continue/i.test(req.headers.expect ?? '');

const cutShort = (): AppError =>
  new AppError('malformed_body', 'The connection ended before the whole body had arrived.');
