/** A new key for a supplier, while the old one stays valid for a time. */
import { supplierKeyPlace } from '../rules/sealedPlaces.js';
import type { ClientSession, Filter } from 'mongodb';
import { createKey } from '../../platform/security/keys.js';
import type { AccountContext } from '../context.js';
import { retryTransaction } from '../../platform/mongo/transaction.js';
import { overlapEnd } from '../overlapSchema.js';
import { bumpVersion } from '../plans/unpublished.js';
import type { ApiKeyDoc } from '../store/keyDocs.js';
import { supplierKeyDoc, supplierNotFound } from './suppliers.js';

export interface RotatedSupplierKey {
  /** The new key. */
  api_key: string;
  /** Until then the previous key is accepted too; null: it is refused. */
  previousUntil: Date | null;
}

interface RotateOptions {
  overlapHours: number;
  /** The further keys that the supplier has made are refused from now on, too. */
  endsFurther?: boolean;
}

const BUSY =
  'This supplier is changed by too many calls at once; its key was not replaced. Call again.';

/**
 * Makes a new key, which is accepted from now on in every process. The key that it replaces is accepted until the
 * overlap ends, by the clock of the database; one that was replaced earlier ends now: there are never more than two,
 * apart from those that the supplier has made for its other systems, which stay. Everything is written in one
 * transaction, with the account version that notifies every process.
 * @param overlapHours 0 to 168
 * @throws {AppError} `not_found`, also of a supplier that is being deleted; `validation_failed`
 */
export async function rotateSupplierKey(
  account: Pick<AccountContext, 'collections' | 'orgId' | 'keyring' | 'clock'>,
  supplier_id: string,
  { overlapHours, endsFurther = false }: RotateOptions,
): Promise<RotatedSupplierKey> {
  const { collections, orgId: org_id, keyring } = account;
  const now = account.clock.now();
  const previousUntil = overlapEnd(overlapHours, now);
  const api_key = createKey('live');
  const sealed = () => keyring.seal(api_key, supplierKeyPlace(supplier_id));
  const { apiKeys, suppliers } = collections;
  const owner = { org_id, kind: 'supplier' as const, supplier_id };
  const rotate = async (session: ClientSession): Promise<void> => {
    // Written first: of two calls at once only one commits; the other starts again and reads what the first has left.
    const supplier = await suppliers.findOneAndUpdate(
      { _id: supplier_id, org_id, removed_at: { $exists: false } },
      previousUntil
        ? { $set: { api_key: sealed(), previous_key_until: previousUntil } }
        : { $set: { api_key: sealed() }, $unset: { previous_key_until: '' } },
      { session },
    );
    if (!supplier) throw supplierNotFound(supplier_id);
    const end = (which: Filter<ApiKeyDoc>, $set: Partial<ApiKeyDoc>) =>
      apiKeys.updateMany(
        { ...owner, revoked_at: { $exists: false }, ...which },
        { $set },
        { session },
      );
    const mainKey = { is_further: { $exists: false } };
    // A key that was replaced earlier has an end; the one being replaced has none yet.
    const ending = previousUntil ? { expires_at: { $exists: true } } : {};
    await end({ ...mainKey, ...ending }, { revoked_at: now });
    if (previousUntil) await end(mainKey, { expires_at: previousUntil });
    if (endsFurther) await end({ is_further: true }, { revoked_at: now });
    const key = supplierKeyDoc(api_key, { org_id, supplier_id, name: supplier.name }, now);
    await apiKeys.insertOne(key, { session });
    await bumpVersion(collections, org_id, session);
  };
  await retryTransaction(suppliers, rotate, BUSY);
  return { api_key, previousUntil };
}
