/** Keys of the Actions API (specification 5). */
import { randomUUID } from 'node:crypto';
import type { Collections, OrgKeyDoc, Permission, PermissionArea } from '../store/collections.js';
import { createKey, hashKey } from '../auth/keys.js';
import { AppError } from '../errors.js';
import { bumpVersion } from './versions.js';
import { checkName } from './values.js';

const PERMISSION_AREAS = [
  'campaigns',
  'buyers',
  'suppliers',
  'leads',
  'funnels',
  'reports',
  'portal',
  'settings',
] as const satisfies readonly PermissionArea[];

/** Every permission there is. */
export const PERMISSIONS: readonly Permission[] = PERMISSION_AREAS.flatMap((area): Permission[] => [
  `${area}:read`,
  `${area}:write`,
]);

/** One permission of a kind for every area; write implies read. */
export const permissionsOf = (kind: 'read' | 'write'): Permission[] =>
  PERMISSION_AREAS.map((area): Permission => `${area}:${kind}`);

/** Enough to tell keys apart, and no help in guessing one. */
const PREFIX_LENGTH = 'lw_live_'.length + 4;

export interface OrgKeyInput {
  name: string;
  /** Default: read only, in every area. */
  permissions?: Permission[];
}

export interface CreatedOrgKey {
  key: OrgKeyDoc;
  /** Shown this once; only its hash is kept. */
  api_key: string;
}

/** @throws {AppError} `validation_failed` for a bad name */
export async function createOrgKey(
  collections: Collections,
  orgId: string,
  input: OrgKeyInput,
): Promise<CreatedOrgKey> {
  const apiKey = createKey('live');
  const key: OrgKeyDoc = {
    _id: hashKey(apiKey),
    id: randomUUID(),
    prefix: apiKey.slice(0, PREFIX_LENGTH),
    kind: 'org',
    org_id: orgId,
    name: checkName(input.name),
    permissions: input.permissions ?? permissionsOf('read'),
    created_at: new Date(),
  };
  await collections.apiKeys.insertOne(key);
  await bumpVersion(collections, orgId);
  return { key, api_key: apiKey };
}

/** Keys that were made before they had an id of their own are known by the start of their hash. */
export const keyIdOf = (key: OrgKeyDoc): string => key.id ?? key._id.slice(0, OLD_ID_LENGTH);
const OLD_ID_LENGTH = 32;

/**
 * The key is refused from now on, in every process. Revoking it again changes nothing.
 * @param keyId as `keyIdOf` gives it
 * @returns when it was revoked
 * @throws {AppError} `not_found` when the organisation has no such key
 */
export async function revokeKey(
  collections: Collections,
  orgId: string,
  keyId: string,
): Promise<Date> {
  const known = await findOrgKey(collections, orgId, keyId);
  const revokedAt = known.revoked_at ?? new Date();
  await collections.apiKeys.updateOne(
    { _id: known._id, revoked_at: { $exists: false } },
    { $set: { revoked_at: revokedAt } },
  );
  await bumpVersion(collections, orgId);
  return revokedAt;
}

/**
 * @param keyId as `keyIdOf` gives it
 * @throws {AppError} `not_found` when the organisation has no such key
 */
export async function findOrgKey(
  { apiKeys }: Pick<Collections, 'apiKeys'>,
  orgId: string,
  keyId: string,
): Promise<OrgKeyDoc> {
  const keys = await apiKeys.find({ org_id: orgId, kind: 'org' }).toArray();
  const known = keys.find((key): key is OrgKeyDoc => key.kind === 'org' && keyIdOf(key) === keyId);
  if (known) return known;
  throw new AppError('not_found', `There is no key ${keyId}.`);
}
