/** The buyer a webhook secret belongs to. */
import { hashKey } from '../../platform/security/keys.js';
import type { Clock } from '../../lib/clock.js';
import { AppError } from '../../lib/errors.js';
import type { BuyerAccess, AccountCache } from './accountCache.js';

/** Whether a text has the form of a secret, as `createSecret` makes them. */
export const isBuyerSecret = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** @throws {AppError} `unauthorized` */
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
