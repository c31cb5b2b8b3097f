/** The supplier or buyer that a credential belongs to, as of now. */
import { AppError } from '../../lib/errors.js';
import type { AccountCache, SupplierAccess, BuyerAccess } from './accountCache.js';
import { hashKey } from '../../platform/security/keys.js';
import type { Clock } from '../../lib/clock.js';

/**
 * The supplier a key belongs to.
 * @throws {AppError} `unauthorized`
 */
export async function requireSupplier(
  keyHash: string,
  accountCache: AccountCache,
): Promise<SupplierAccess> {
  const access = await accountCache.supplierByKey(keyHash);
  if (!access) throw unauthorized();
  return access;
}

export const unauthorized = (): AppError =>
  new AppError('unauthorized', 'The x-api-key header is missing or not a valid supplier key.');

/** Whether a text has the form of a secret, as `createSecret` makes them. */
export const isBuyerSecret = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/**
 * The buyer a webhook secret belongs to.
 * @throws {AppError} `unauthorized`
 */
export async function requireBuyer(
  secret: string | undefined,
  { accountCache, clock }: { accountCache: AccountCache; clock: Clock },
): Promise<BuyerAccess> {
  if (secret === undefined || secret.trim() === '')
    throw new AppError('unauthorized', 'X-Buyer-Secret is missing: send the webhook secret.');
  const access = isBuyerSecret(secret) ? await accountCache.buyerBySecret(hashKey(secret)) : null;
  if (access && (!access.until || clock.now() < access.until)) return access;
  throw new AppError('unauthorized', 'This webhook secret does not exist, or was replaced.');
}
