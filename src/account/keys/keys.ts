/** Keys of the Actions API (contract 10.1). */
import { randomUUID } from 'node:crypto';
import type { ClientSession, Filter } from 'mongodb';
import {
  PERMISSION_AREAS,
  type ApiKeyDoc,
  type KeyAuthor,
  type OrgKeyDoc,
  type Permission,
} from '../store/keyDocs.js';
import type { AccountContext } from '../context.js';
import type { AccountCollections } from '../store/collections.js';
import { createKey, hashKey } from '../../platform/security/keys.js';
import { AppError } from '../../lib/errors.js';
import { retryTransaction } from '../../platform/mongo/transaction.js';
import { bumpVersion } from '../plans/unpublished.js';
import { checkName, invalidValue } from '../values.js';

/** Every permission there is. */
export const PERMISSIONS: readonly Permission[] = PERMISSION_AREAS.flatMap((area): Permission[] => [
  `${area}:read`,
  `${area}:write`,
]);

/** One permission of a kind for every area; write implies read. */
export const permissionsOf = (kind: 'read' | 'write'): Permission[] =>
  PERMISSION_AREAS.map((area): Permission => `${area}:${kind}`);

/** Long enough to distinguish keys, too short to help in guessing one. */
const PREFIX_LENGTH = 'lw_live_'.length + 4;
export const keyPrefix = (key: string): string => key.slice(0, PREFIX_LENGTH);

export interface OrgKeyInput {
  name: string;
  /** Default: read only, in every area. */
  permissions?: Permission[];
  /** From then on it is refused. Default: never. */
  expires_at?: Date;
  created_by?: KeyAuthor;
}

export interface CreatedOrgKey {
  key: OrgKeyDoc;
  /** Returned this once; only its hash is stored. */
  api_key: string;
}

type Account = Pick<AccountContext, 'collections' | 'orgId' | 'clock'>;

/** @throws {AppError} `validation_failed` for a bad name, or an end that is not in the future */
export async function createOrgKey(
  { collections, orgId, clock }: Account,
  input: OrgKeyInput,
): Promise<CreatedOrgKey> {
  const { expires_at, created_by } = input;
  const now = clock.now();
  if (expires_at && expires_at <= now) throw isOver(expires_at);
  const apiKey = createKey('live');
  const key: OrgKeyDoc = {
    _id: hashKey(apiKey),
    id: randomUUID(),
    prefix: keyPrefix(apiKey),
    kind: 'org',
    org_id: orgId,
    name: checkName(input.name),
    permissions: input.permissions ?? permissionsOf('read'),
    created_at: now,
    expires_at,
    created_by,
  };
  await collections.apiKeys.insertOne(key);
  await bumpVersion(collections, orgId);
  return { key, api_key: apiKey };
}

/** Keys from before keys had an id are identified by the start of their hash. */
export const keyIdOf = ({ id, _id }: ApiKeyDoc): string => id ?? _id.slice(0, OLD_ID_LENGTH);
const OLD_ID_LENGTH = 32;
const OLD_ID = /^[0-9a-f]{32}$/;

/** Selects the key that `keyIdOf` names so. */
const named = (keyId: string): Filter<ApiKeyDoc> =>
  OLD_ID.test(keyId)
    ? // Every hash that begins so: `g` follows the hexadecimal digits.
      { _id: { $gte: keyId, $lt: `${keyId}g` }, id: { $exists: false } }
    : { id: keyId };

const isOver = (expiresAt: Date): AppError => {
  const message = `expires_at must be in the future; ${expiresAt.toISOString()} has passed.`;
  return invalidValue('expires_at', 'out_of_range', message);
};

/** Whether this is a key of the organization that was not revoked. */
export const isKeyKept = async (
  { collections, orgId }: Pick<Account, 'collections' | 'orgId'>,
  apiKey: string,
): Promise<boolean> => {
  const key = await collections.apiKeys.findOne({ _id: hashKey(apiKey), org_id: orgId });
  return key?.kind === 'org' && key.revoked_at === undefined;
};

/** A holder of it can create keys: without such a key the organization is locked out of its own account. */
const ADMIN: Permission = 'settings:write';
const BUSY = 'Too many keys are changed at the same time; nothing was revoked. Call again.';

/** Whether the key is accepted at this instant. */
export const isLive = (
  { revoked_at, expires_at }: Pick<ApiKeyDoc, 'revoked_at' | 'expires_at'>,
  now: Date,
): boolean => revoked_at === undefined && (expires_at === undefined || now < expires_at);

/**
 * The key is refused from now on, in every process. Revoking it again changes nothing.
 * @param keyId as `keyIdOf` returns it
 * @returns when it was revoked
 * @throws {AppError} `not_found` when the organization has no such key; `action_refused` when no other live key holds
 * `settings:write`, however many are revoked at the same moment
 */
export async function revokeKey(account: Account, keyId: string): Promise<Date> {
  const { collections, orgId, clock } = account;
  const { apiKeys } = collections;
  const { _id } = await findOrgKey(account, keyId);
  const now = clock.now();
  const revoke = async (session: ClientSession): Promise<Date> => {
    // Written first: of two calls at once only one commits; the other starts again and reads what the first has left.
    await bumpVersion(collections, orgId, session);
    const key = await apiKeys.findOne<OrgKeyDoc>({ _id }, { session });
    if (key?.revoked_at) return key.revoked_at;
    const isAdmin = key !== null && isLive(key, now) && key.permissions.includes(ADMIN);
    if (isAdmin && !(await apiKeys.findOne(otherAdmins(key, now), { session }))) throw isLast();
    await apiKeys.updateOne({ _id }, { $set: { revoked_at: now } }, { session });
    return now;
  };
  return retryTransaction(apiKeys, revoke, BUSY);
}

const otherAdmins = ({ _id, org_id }: OrgKeyDoc, now: Date): Filter<ApiKeyDoc> => ({
  org_id,
  kind: 'org',
  permissions: ADMIN,
  _id: { $ne: _id },
  revoked_at: { $exists: false },
  $or: [{ expires_at: { $exists: false } }, { expires_at: { $gt: now } }],
});

const isLast = (): AppError =>
  new AppError(
    'action_refused',
    `This is the last key that holds ${ADMIN}: without it no key could create another. Create another key with it ` +
      'first (create_api_key), then revoke this one.',
  );

/**
 * @param keyId as `keyIdOf` returns it
 * @throws {AppError} `not_found` when the organization has no such key
 */
export async function findOrgKey(
  { collections, orgId }: { collections: Pick<AccountCollections, 'apiKeys'>; orgId: string },
  keyId: string,
): Promise<OrgKeyDoc> {
  const known = await collections.apiKeys.findOne({ org_id: orgId, kind: 'org', ...named(keyId) });
  if (known?.kind === 'org') return known;
  throw new AppError('not_found', `There is no key ${keyId}.`);
}
