/** Keys of the Actions API (specification 5). */
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

/** One permission of a kind for every area; write implies read. */
export const permissionsOf = (kind: 'read' | 'write'): Permission[] =>
  PERMISSION_AREAS.map((area): Permission => `${area}:${kind}`);

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

/**
 * The key is refused from now on, in every process. Revoking it again changes nothing.
 * @param keyId the hash the key is stored under
 * @throws {AppError} `not_found` when the organisation has no such key
 */
export async function revokeKey(
  collections: Collections,
  orgId: string,
  keyId: string,
): Promise<void> {
  const known = await collections.apiKeys.findOne({ _id: keyId, org_id: orgId });
  if (!known) throw new AppError('not_found', 'There is no such key.');
  await collections.apiKeys.updateOne(
    { _id: keyId, revoked_at: { $exists: false } },
    { $set: { revoked_at: new Date() } },
  );
  await bumpVersion(collections, orgId);
}
