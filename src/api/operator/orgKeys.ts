/** Keys of organizations, for operators of the installation, who have access to the database instead of a key. */
import { createOrgKey, findOrgKey, keyIdOf, revokeKey } from '../../account/keys/keys.js';
import type { CreatedOrgKey } from '../../account/keys/keys.js';
import { AppError } from '../../lib/errors.js';
import type { PlatformCollections } from '../../platform/mongo/collections.js';
import type { AccountCollections } from '../../account/store/collections.js';
import type { OrgKeyDoc, Permission } from '../../account/store/keyDocs.js';
import type { OrgDoc } from '../../account/store/accountDocs.js';
import { OPERATOR, recordedAsOperator, type OperatorContext } from './record.js';

export interface OperatorKeyInput {
  name: string;
  permissions: Permission[];
  expires_at?: Date;
}

type Org = Pick<OrgDoc, '_id' | 'name'>;

/** Maximum organizations that a refusal names. */
const SHOWN_MAX = 20;

/**
 * The organization of this id or name; without one, the only organization there is.
 * @throws {AppError} `not_found` when there is none, or several match; it names the existing ones
 */
export async function findOrg(
  { orgs }: AccountCollections,
  given: string | undefined,
): Promise<Org> {
  const projection = { name: 1 };
  if (given !== undefined) {
    const byId = await orgs.findOne({ _id: given }, { projection });
    if (byId) return byId;
  }
  const filter = given === undefined ? {} : { name: given };
  const found = await orgs.find(filter, { projection }).limit(2).toArray();
  const [only, another] = found;
  if (only && !another) return only;
  const all = await orgs.find({}, { projection }).sort({ _id: 1 }).limit(SHOWN_MAX).toArray();
  if (all.length === 0)
    throw new AppError(
      'not_found',
      'There is no organization. Make one: leadwire init --name NAME',
    );
  const which = all.map(({ _id, name }) => `${_id} (${name})`).join(', ');
  const fact =
    given === undefined
      ? 'There is more than one organization'
      : another
        ? `More than one organization is named ${given}`
        : `There is no organization ${given.slice(0, 100)}`;
  throw new AppError('not_found', `${fact}. Name one by its id, --org ID: ${which}.`);
}

/**
 * A new key, shown this once, as `create_api_key` makes it; recorded as made by an operator.
 * @throws {AppError} `validation_failed` for an invalid name, or an end that is not in the future
 */
export function createKeyAsOperator(
  deps: OperatorContext,
  orgId: string,
  input: OperatorKeyInput,
): Promise<CreatedOrgKey> {
  const created_by = { kind: OPERATOR, name: deps.by ?? OPERATOR } as const;
  const recorded = { name: 'create_api_key', orgId, input: { ...input } } as const;
  return recordedAsOperator(deps, recorded, () =>
    createOrgKey({ ...deps, orgId }, { ...input, created_by }),
  );
}

/** Every key of the organization, oldest first, and when each was last used. */
export async function listKeysOf(
  { apiKeys, windows }: Pick<PlatformCollections & AccountCollections, 'windows' | 'apiKeys'>,
  orgId: string,
): Promise<{ key: OrgKeyDoc; usedAt: Date | undefined }[]> {
  const found = await apiKeys
    .find({ org_id: orgId, kind: 'org' })
    .sort({ created_at: 1 })
    .toArray();
  const keys = found.filter((key) => key.kind === 'org');
  const ids = keys.map(({ _id }) => _id);
  const uses = await windows.find({ _id: { $in: ids } }, { projection: { at: 1 } }).toArray();
  const usedAt = new Map(uses.map(({ _id, at }) => [_id, at]));
  return keys.map((key) => ({ key, usedAt: usedAt.get(key._id) }));
}

/**
 * As `revoke_api_key`; recorded as done by an operator.
 * @returns when it was revoked
 * @throws {AppError} `not_found`; `action_refused` for the last key that holds `settings:write`
 */
export async function revokeKeyAsOperator(
  deps: OperatorContext,
  orgId: string,
  keyId: string,
): Promise<Date> {
  const account = { ...deps, orgId };
  const key_id = keyIdOf(await findOrgKey(account, keyId));
  const recorded = { name: 'revoke_api_key', orgId, input: { key_id } } as const;
  return recordedAsOperator(deps, recorded, () => revokeKey(account, keyId));
}
