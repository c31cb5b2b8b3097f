import { AppError } from '../../lib/errors.js';
import type { AccountCache, SupplierAccess } from './accountCache.js';

/**
 * The supplier a key belongs to, as of now.
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
