/** The keys of a supplier: the main one, the previous one while both are valid, and further ones of its own. */
import { randomUUID } from 'node:crypto';
import type { ClientSession, Filter } from 'mongodb';
import { AppError } from '../../lib/errors.js';
import { createKey, hashKey } from '../../platform/security/keys.js';
import type { Keyring } from '../../platform/security/seal.js';
import { retryTransaction } from '../../platform/mongo/transaction.js';
import { overlapEnd } from '../overlapSchema.js';
import { isLive, keyPrefix } from '../keys/keys.js';
import type { AccountCollections } from '../store/collections.js';
import type { ApiKeyDoc, SupplierKeyDoc } from '../store/keyDocs.js';
import { checkName, invalidValue } from '../values.js';
import { rotateSupplierKey } from './rotateSupplierKey.js';

/** The supplier that owns the keys. */
export interface KeyOwner {
  org_id: string;
  supplier_id: string;
}

export interface CreatedSupplierKey {
  key: SupplierKeyDoc;
  /** Returned this once; of a further key only the hash is stored. */
  api_key: string;
  /** Until then the previous key is accepted too; null: it is refused, or there was none. */
  previousUntil: Date | null;
}

/** Each further key is one more that can leak. */
const FURTHER_MAX = 10;
const BUSY = 'The keys are changed by too many calls at once; nothing was changed. Call again.';

/** Keys from before keys had an id are identified by the start of their hash. */
export const supplierKeyId = ({ id, _id }: SupplierKeyDoc): string => id ?? _id.slice(0, 32);

/** The keys that are valid now, the oldest first. */
export async function listSupplierKeys(
  { apiKeys }: Pick<AccountCollections, 'apiKeys'>,
  owner: KeyOwner,
  now: Date,
  session?: ClientSession,
): Promise<SupplierKeyDoc[]> {
  const found = await apiKeys.find(unrevoked(owner), session ? { session } : {}).toArray();
  // A supplier has few keys, and their index serves whole suppliers.
  return found
    .filter((key): key is SupplierKeyDoc => key.kind === 'supplier' && isLive(key, now))
    .sort((a, b) => Number(a.created_at) - Number(b.created_at) || (a._id < b._id ? -1 : 1));
}

const unrevoked = ({ org_id, supplier_id }: KeyOwner): Filter<ApiKeyDoc> => ({
  org_id,
  kind: 'supplier',
  supplier_id,
  revoked_at: { $exists: false },
});

/**
 * A further key, for another system of the supplier: accepted from now on in every process, and revoked by itself.
 * @throws {AppError} `validation_failed` for a bad name, or one key too many
 */
export function createSupplierKey(
  collections: AccountCollections,
  owner: KeyOwner,
  name: string,
  now: Date,
): Promise<CreatedSupplierKey> {
  const checked = checkName(name);
  return change(collections, owner, async (session) => {
    const live = await listSupplierKeys(collections, owner, now, session);
    if (live.filter(isFurther).length >= FURTHER_MAX) throw tooMany();
    const made = newKey(owner, checked, now);
    await collections.apiKeys.insertOne(made.key, { session });
    return { ...made, previousUntil: null };
  });
}

/**
 * A new key that replaces one, which stays valid until the overlap ends.
 * @throws {AppError} `not_found`; `conflict` for one that was replaced already; `validation_failed`
 */
export async function rotateKeyOfSupplier(
  collections: AccountCollections,
  keyring: Keyring,
  owner: KeyOwner,
  { keyId, overlapHours, now }: { keyId: string; overlapHours: number; now: Date },
): Promise<CreatedSupplierKey> {
  const previousUntil = overlapEnd(overlapHours, now);
  const current = findKey(await listSupplierKeys(collections, owner, now), keyId);
  if (!isFurther(current))
    return rotateMain(collections, keyring, owner, current, { overlapHours, now });
  return change(collections, owner, async (session) => {
    const old = findKey(await listSupplierKeys(collections, owner, now, session), keyId);
    if (old.expires_at) throw isReplaced();
    const end = previousUntil ? { expires_at: previousUntil } : { revoked_at: now };
    await collections.apiKeys.updateOne({ _id: old._id }, { $set: end }, { session });
    const made = newKey(owner, old.name, now);
    await collections.apiKeys.insertOne(made.key, { session });
    return { ...made, previousUntil };
  });
}

async function rotateMain(
  collections: AccountCollections,
  keyring: Keyring,
  owner: KeyOwner,
  current: SupplierKeyDoc,
  options: { overlapHours: number; now: Date },
): Promise<CreatedSupplierKey> {
  if (current.expires_at) throw isReplaced();
  const { api_key, previousUntil } = await rotateSupplierKey(collections, keyring, owner, options);
  const key = await collections.apiKeys.findOne({ _id: hashKey(api_key) });
  if (key?.kind === 'supplier') return { key, api_key, previousUntil };
  throw isReplaced();
}

/**
 * The key is refused from now on, in every process.
 * @throws {AppError} `not_found`; `conflict` for the main key: a supplier always has one
 */
export function revokeSupplierKey(
  collections: AccountCollections,
  owner: KeyOwner,
  keyId: string,
  now: Date,
): Promise<void> {
  return change(collections, owner, async (session) => {
    const key = findKey(await listSupplierKeys(collections, owner, now, session), keyId);
    if (!isFurther(key) && !key.expires_at) throw isMain();
    await collections.apiKeys.updateOne(
      { _id: key._id },
      { $set: { revoked_at: now } },
      { session },
    );
  });
}

/** Increments the account's version first: of two changes at once one waits, and then reads what the other has left. */
const change = <T>(
  { apiKeys, versions }: AccountCollections,
  { org_id }: KeyOwner,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> =>
  retryTransaction(
    apiKeys,
    async (session) => {
      const told = { $inc: { version: 1 } };
      await versions.updateOne({ _id: org_id }, told, { upsert: true, session });
      return work(session);
    },
    BUSY,
  );

function newKey({ org_id, supplier_id }: KeyOwner, name: string, now: Date) {
  const api_key = createKey('live');
  const key: SupplierKeyDoc = {
    _id: hashKey(api_key),
    id: randomUUID(),
    prefix: keyPrefix(api_key),
    kind: 'supplier',
    org_id,
    supplier_id,
    name,
    is_further: true,
    created_at: now,
  };
  return { key, api_key };
}

const isFurther = ({ is_further }: SupplierKeyDoc): boolean => is_further === true;

function findKey(keys: readonly SupplierKeyDoc[], keyId: string): SupplierKeyDoc {
  const known = keys.find((key) => supplierKeyId(key) === keyId);
  if (known) return known;
  throw new AppError('not_found', `There is no key ${keyId}.`);
}

const tooMany = (): AppError => {
  const message = `A supplier can have at most ${FURTHER_MAX} further keys. Revoke one first.`;
  return invalidValue('name', 'not_allowed', message);
};
const isReplaced = (): AppError =>
  new AppError('conflict', 'This key was replaced already. Rotate the one that replaced it.');
const isMain = (): AppError =>
  new AppError(
    'conflict',
    'The main key is not revoked but replaced: rotate it with an overlap of 0 hours, and it is refused at once.',
  );
