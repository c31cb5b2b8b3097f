/** The keys of a supplier: the main one, the previous one while both are valid, and further ones that it has made. */
import type { ClientSession, Filter } from 'mongodb';
import { AppError } from '../../lib/errors.js';
import { createKey, hashKey } from '../../platform/security/keys.js';
import { retryTransaction } from '../../platform/mongo/transaction.js';
import { overlapEnd } from '../overlapSchema.js';
import { isLive, keyIdOf } from '../keys/keys.js';
import type { AccountContext } from '../context.js';
import { bumpVersion } from '../plans/unpublished.js';
import type { ApiKeyDoc, SupplierKeyDoc } from '../store/keyDocs.js';
import { checkName, invalidValue } from '../values.js';
import { rotateSupplierKey } from './rotateSupplierKey.js';
import { supplierKeyDoc } from './suppliers.js';

type Account = Pick<AccountContext, 'collections' | 'orgId' | 'clock'>;

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

/** The keys that are valid now, the oldest first. */
export async function listSupplierKeys(
  { collections, orgId, clock }: Account,
  supplierId: string,
  session?: ClientSession,
): Promise<SupplierKeyDoc[]> {
  const unrevoked: Filter<ApiKeyDoc> = {
    org_id: orgId,
    kind: 'supplier',
    supplier_id: supplierId,
    revoked_at: { $exists: false },
  };
  const found = await collections.apiKeys.find(unrevoked, { session }).toArray();
  const now = clock.now();
  // A supplier has few keys, and their index serves whole suppliers.
  return found
    .filter((key): key is SupplierKeyDoc => key.kind === 'supplier' && isLive(key, now))
    .sort((a, b) => Number(a.created_at) - Number(b.created_at) || (a._id < b._id ? -1 : 1));
}

/** Only the previous main key has an end. */
export function kindOfKey({
  is_further,
  expires_at,
}: SupplierKeyDoc): 'main' | 'previous' | 'additional' {
  if (is_further) return 'additional';
  return expires_at ? 'previous' : 'main';
}

/**
 * A further key, for another system of the supplier: accepted from now on in every process, and revoked by itself.
 * @throws {AppError} `validation_failed` for a bad name, or one key too many
 */
export function createSupplierKey(
  account: Account,
  supplierId: string,
  name: string,
): Promise<CreatedSupplierKey> {
  const checked = checkName(name);
  return change(account, async (session) => {
    const live = await listSupplierKeys(account, supplierId, session);
    if (live.filter(isFurther).length >= FURTHER_MAX) throw tooMany();
    const made = newKey(account, supplierId, checked);
    await account.collections.apiKeys.insertOne(made.key, { session });
    return { ...made, previousUntil: null };
  });
}

/**
 * A new key that replaces one, which stays valid until the overlap ends.
 * @throws {AppError} `not_found`; `conflict` for one that was replaced already; `validation_failed`
 */
export async function rotateKeyOfSupplier(
  account: Account & Pick<AccountContext, 'keyring'>,
  supplierId: string,
  { keyId, overlapHours }: { keyId: string; overlapHours: number },
): Promise<CreatedSupplierKey> {
  const { collections, clock } = account;
  const now = clock.now();
  const previousUntil = overlapEnd(overlapHours, now);
  const current = findKey(await listSupplierKeys(account, supplierId), keyId);
  if (!isFurther(current)) return rotateMain(account, current, overlapHours);
  return change(account, async (session) => {
    const old = findKey(await listSupplierKeys(account, supplierId, session), keyId);
    if (old.expires_at) throw isReplaced();
    const end = previousUntil ? { expires_at: previousUntil } : { revoked_at: now };
    await collections.apiKeys.updateOne({ _id: old._id }, { $set: end }, { session });
    const made = newKey(account, supplierId, old.name);
    await collections.apiKeys.insertOne(made.key, { session });
    return { ...made, previousUntil };
  });
}

async function rotateMain(
  account: Account & Pick<AccountContext, 'keyring'>,
  current: SupplierKeyDoc,
  overlapHours: number,
): Promise<CreatedSupplierKey> {
  if (current.expires_at) throw isReplaced();
  const made = await rotateSupplierKey(account, current.supplier_id, { overlapHours });
  const { api_key, previousUntil } = made;
  const key = await account.collections.apiKeys.findOne({ _id: hashKey(api_key) });
  if (key?.kind === 'supplier') return { key, api_key, previousUntil };
  throw isReplaced();
}

/**
 * The key is refused from now on, in every process.
 * @throws {AppError} `not_found`; `conflict` for the main key: a supplier always has one
 */
export function revokeSupplierKey(
  account: Account,
  supplierId: string,
  keyId: string,
): Promise<void> {
  return change(account, async (session) => {
    const key = findKey(await listSupplierKeys(account, supplierId, session), keyId);
    if (!isFurther(key) && !key.expires_at) throw isMain();
    const revoked = { $set: { revoked_at: account.clock.now() } };
    await account.collections.apiKeys.updateOne({ _id: key._id }, revoked, { session });
  });
}

/** Increments the account's version first: of two changes at once one waits, and then reads what the other has left. */
const change = <T>(
  { collections, orgId }: Account,
  work: (session: ClientSession) => Promise<T>,
): Promise<T> =>
  retryTransaction(
    collections.apiKeys,
    async (session) => {
      await bumpVersion(collections, orgId, session);
      return work(session);
    },
    BUSY,
  );

function newKey({ orgId, clock }: Account, supplier_id: string, name: string) {
  const api_key = createKey('live');
  const owner = { org_id: orgId, supplier_id, name };
  const key: SupplierKeyDoc = {
    ...supplierKeyDoc(api_key, owner, clock.now()),
    is_further: true,
  };
  return { key, api_key };
}

const isFurther = ({ is_further }: SupplierKeyDoc): boolean => is_further === true;

function findKey(keys: readonly SupplierKeyDoc[], keyId: string): SupplierKeyDoc {
  const known = keys.find((key) => keyIdOf(key) === keyId);
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
