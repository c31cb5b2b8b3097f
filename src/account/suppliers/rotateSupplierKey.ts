/** A new key for a supplier, while the old one stays valid for a time. */
import { supplierKeyPlace } from '../rules/sealedPlaces.js';
import { randomUUID } from 'node:crypto';
import type { ClientSession, Filter } from 'mongodb';
import { createKey, hashKey } from '../../platform/security/keys.js';
import type { Keyring } from '../../platform/security/seal.js';
import type { AccountCollections } from '../store/collections.js';
import type { SupplierDoc } from '../store/accountDocs.js';
import { retryTransaction } from '../../platform/mongo/transaction.js';
import { overlapEnd } from '../overlapSchema.js';
import { keyPrefix } from '../keys/keys.js';
import type { ApiKeyDoc } from '../store/keyDocs.js';
import { supplierNotFound } from './suppliers.js';

export interface RotatedSupplierKey {
  /** The new key. */
  api_key: string;
  /** Until then the previous key is accepted too; null: it is refused. */
  previousUntil: Date | null;
}

interface RotateOptions {
  overlapHours: number;
  now: Date;
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
  collections: AccountCollections,
  keyring: Keyring,
  { org_id, supplier_id }: { org_id: string; supplier_id: string },
  { overlapHours, now, endsFurther = false }: RotateOptions,
): Promise<RotatedSupplierKey> {
  const previousUntil = overlapEnd(overlapHours, now);
  const api_key = createKey('live');
  const sealed = () => keyring.seal(api_key, supplierKeyPlace(supplier_id));
  const { apiKeys, suppliers, versions } = collections;
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
    await endOthers(supplier, previousUntil, now, collections, session);
    if (endsFurther) await endFurther(supplier, now, collections, session);
    const { name } = supplier;
    const known = { id: randomUUID(), prefix: keyPrefix(api_key), name };
    const key = { kind: 'supplier' as const, org_id, supplier_id, ...known, created_at: now };
    await apiKeys.insertOne({ _id: hashKey(api_key), ...key }, { session });
    const told = { $inc: { version: 1 } };
    await versions.updateOne({ _id: org_id }, told, { upsert: true, session });
  };
  await retryTransaction(suppliers, rotate, BUSY);
  return { api_key, previousUntil };
}

/** The previous key ends with the overlap, any older one now. */
async function endOthers(
  { _id: supplier_id, org_id }: Pick<SupplierDoc, '_id' | 'org_id'>,
  until: Date | null,
  now: Date,
  { apiKeys }: Pick<AccountCollections, 'apiKeys'>,
  session: ClientSession,
): Promise<void> {
  const live: Filter<ApiKeyDoc> = {
    org_id,
    kind: 'supplier',
    supplier_id,
    revoked_at: { $exists: false },
    is_further: { $exists: false },
  };
  // A key that was replaced earlier has an end; the one being replaced has none yet.
  const ending = until ? { expires_at: { $exists: true } } : {};
  await apiKeys.updateMany({ ...live, ...ending }, { $set: { revoked_at: now } }, { session });
  if (until) await apiKeys.updateMany(live, { $set: { expires_at: until } }, { session });
}

async function endFurther(
  { _id: supplier_id, org_id }: Pick<SupplierDoc, '_id' | 'org_id'>,
  now: Date,
  { apiKeys }: Pick<AccountCollections, 'apiKeys'>,
  session: ClientSession,
): Promise<void> {
  const further: Filter<ApiKeyDoc> = {
    org_id,
    kind: 'supplier',
    supplier_id,
    revoked_at: { $exists: false },
    is_further: true,
  };
  await apiKeys.updateMany(further, { $set: { revoked_at: now } }, { session });
}
