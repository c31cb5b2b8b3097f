/** Reads a request to its end, never holding more than the limit. */
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../lib/errors.js';

/** A body over the limit is read on and dropped up to here, so that its sender gets to see the refusal. */
const DROPPED_MAX_BYTES = 4 * 1024 * 1024;

export const tooLarge = (limit: number): AppError =>
  new AppError('body_too_large', `The body is over the limit of ${limit / 1024} KiB.`);

/**
 * How long a sender may take is limited by the server's request timeout, not here.
 * @param limit bytes
 * @throws {AppError} `body_too_large`; `malformed_body` when the connection ends half-way
 */
export function readBytes(req: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else if (size > DROPPED_MAX_BYTES) req.destroy();
      else reject(tooLarge(limit));
    });
    req.on('end', () => resolve(joined(chunks)));
    // Fires too when the client leaves half-way; nobody reads the answer then.
    req.on('error', () => reject(cutShort()));
    req.on('close', () => {
      if (!req.complete) reject(cutShort());
    });
    if (req.destroyed) reject(cutShort());
  });
}

/** A chunk that came alone, as that of nearly each lead, is not copied. */
const joined = (chunks: readonly Buffer[]): Buffer =>
  chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);

/**
 * A body that nobody has begun to read when the answer is known is read on and dropped, up to the same bound: what is
 * left of it is never taken for the next request, and its sender gets to see the answer.
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

/** Such a sender sends nothing before it is told to. */
const isAwaitingContinue = (req: IncomingMessage): boolean =>
  req.httpVersion === '1.1' && /100-continue/i.test(req.headers.expect ?? '');

const cutShort = (): AppError =>
  new AppError('malformed_body', 'The connection ended before the whole body had arrived.');
