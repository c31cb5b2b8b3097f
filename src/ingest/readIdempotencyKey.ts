import { AppError } from '../lib/errors.js';

const KEY_MAX = 255;

/**
 * The key of an `Idempotency-Key` header, quoted (as the IETF draft has it) or bare.
 * @throws {AppError} `invalid_idempotency_key`
 */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const bare = header.trim();
  const key = /^"(.*)"$/s.exec(bare)?.[1] ?? bare;
  if (key.length >= 1 && key.length <= KEY_MAX) return key;
  const message = `Idempotency-Key must have 1 to ${KEY_MAX} characters`;
  throw new AppError('invalid_idempotency_key', message);
}
