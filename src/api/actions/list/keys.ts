/** The keys of the organization. */
import { z } from 'zod';
import {
  createOrgKey,
  keyIdOf,
  PERMISSIONS,
  permissionsOf,
  revokeKey,
  type OrgKeyInput,
} from '../../../account/keys/keys.js';
import { invalidValue } from '../../../account/values.js';
import type { OrgKeyDoc, Permission } from '../../../account/store/keyDocs.js';
import { findPage, type Order } from '../../../platform/mongo/pages.js';
import type { Caller } from '../../calls/caller.js';
import { defineAction, defineList } from '../action.js';
import { ACCESS } from '../exits.js';
import { id, Instant, NewName, orNull, recordId, recordName } from '../schemas/common.js';

const PermissionName = z
  .enum(PERMISSIONS)
  .describe('An area, and read or write; write implies read');

const KeyRow = z.object({
  id: recordId('key'),
  name: recordName('key').meta({ examples: ['Reporting'] }),
  prefix: z.string().describe('The first characters of the key'),
  permissions: z.array(PermissionName).describe('The permissions of the key'),
  created_at: Instant.describe('When it was created, in UTC'),
  created_by: orNull(
    z.object({
      kind: z
        .enum(['key', 'person', 'operator'])
        .describe('A key, a person, or an operator of the installation'),
      id: orNull(recordId('key')).describe('Id of the key or person; null: an operator'),
      name: recordName('key').describe('Name of the key, the person or the operator'),
    }),
  ).describe('Who created it; null: it is older than this record'),
  expires_at: orNull(Instant).describe('When it expires; null: never'),
  last_used_at: orNull(Instant).describe('Its last call; null: never used'),
  revoked_at: orNull(Instant).describe('When it was revoked; null: it is not revoked'),
});

const keyRow = (key: OrgKeyDoc, last_used_at?: Date) => ({
  ...key,
  id: keyIdOf(key),
  prefix: key.prefix ?? 'lw_live_',
  last_used_at,
});

/** Ordered by public id: the stored form of a key never leaves the service. */
const OLDEST_FIRST: Order = { at: 'created_at', id: 'id', direction: 1 };

export const listApiKeys = defineList({
  name: 'list_api_keys',
  cli: ['keys', 'list'],
  summary: 'List keys',
  description: 'Every API key of the organization, with its permissions and its last use.',
  permission: 'settings:read',
  filters: {},
  example: { limit: 20 },
  output: z.array(KeyRow),
  find: (_, { collections, orgId: org_id }, wanted) =>
    findPage(collections.apiKeys, { org_id, kind: 'org' }, OLDEST_FIRST, wanted),
  async show(found, { collections }) {
    const keys = found.filter((key) => key.kind === 'org');
    const used = await collections.windows
      .find({ _id: { $in: keys.map(({ _id }) => _id) } }, { projection: { at: 1 } })
      .toArray();
    const at = new Map(used.map((use) => [use._id, use.at]));
    return keys.map((key) => keyRow(key, at.get(key._id)));
  },
});

export const createApiKey = defineAction({
  name: 'create_api_key',
  cli: ['keys', 'create'],
  summary: 'Create a key',
  description:
    'Creates a key, which is shown only once. By default it can read everything and change nothing. It cannot have a ' +
    'permission that the calling key lacks, and does not outlive a calling key that expires.',
  permission: 'settings:write',
  guards: 'key_changed',
  gives: (input) => ({ permissions: wantedBy(input) }),
  letsOut: [ACCESS],
  input: z.strictObject({
    name: NewName.describe('What the key is for; another key may have the same name'),
    permissions: z.array(PermissionName).min(1).optional().describe('Default: read for every area'),
    expires_at: z.iso
      .datetime({ offset: true })
      .optional()
      .describe(
        'When it expires, such as 2027-01-31T00:00:00Z. Default: never, or when the calling key expires',
      ),
  }),
  example: { name: 'Reporting', permissions: ['reports:read', 'leads:read'] },
  output: KeyRow.extend({ api_key: z.string().describe('The key itself, shown only once') }),
  async run(input, context) {
    const { caller } = context;
    const key: OrgKeyInput = {
      name: input.name,
      permissions: [...new Set(wantedBy(input))],
      expires_at: chooseExpiry(input.expires_at, caller),
      created_by: { kind: caller.actor.kind, id: caller.actor.id, name: caller.actor.name },
    };
    const made = await createOrgKey(context, key);
    return { ...keyRow(made.key), api_key: made.api_key };
  },
});

const wantedBy = ({ permissions }: { permissions?: Permission[] }): readonly Permission[] =>
  permissions ?? permissionsOf('read');

/**
 * When the new key expires: a caller with a key that expires cannot extend its time by making another.
 * @throws {AppError} `validation_failed`
 */
function chooseExpiry(wanted: string | undefined, { actor }: Caller): Date | undefined {
  const limit = actor.kind === 'key' ? actor.expires_at : undefined;
  if (wanted === undefined) return limit;
  const until = new Date(wanted);
  if (!limit || until <= limit) return until;
  const message = `expires_at must not be after ${limit.toISOString()}, when the calling key expires.`;
  throw invalidValue('expires_at', 'out_of_range', message);
}

export const revokeApiKey = defineAction({
  name: 'revoke_api_key',
  cli: ['keys', 'revoke'],
  summary: 'Revoke a key',
  description:
    'The key is refused from now on, by every process. This cannot be undone. The last key with settings:write ' +
    'cannot be revoked: create another one first.',
  effect: 'destroy',
  idempotent: true,
  permission: 'settings:write',
  guards: 'key_changed',
  letsOut: [ACCESS],
  input: z.strictObject({ key_id: id('key') }),
  example: { key_id: '0b4d7a3e-3f0c-4a8e-93e9-6a8c4b1f2d57' },
  output: z.object({
    id: recordId('key'),
    revoked_at: Instant.describe('When it was revoked, in UTC'),
  }),
  async run(input, context) {
    return { id: input.key_id, revoked_at: await revokeKey(context, input.key_id) };
  },
});
