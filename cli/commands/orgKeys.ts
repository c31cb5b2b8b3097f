/** `leadwire operator keys …`: keys of an organization, straight in the database. */
import { keyIdOf, PERMISSIONS, permissionsOf } from '../../src/account/keys/keys.js';
import {
  createKeyAsOperator,
  findOrg,
  listKeysOf,
  revokeKeyAsOperator,
} from '../../src/api/operator/orgKeys.js';
import type { OrgKeyDoc, Permission } from '../../src/account/store/keyDocs.js';
import { EXIT, UsageError, type ExitCode } from '../terminal/errors.js';
import { asOperator, withRecord } from '../stack/installation.js';
import { formatTable } from '../output/table.js';
import { fit } from '../output/width.js';
import { readInstant } from './options.js';
import { jsonFields, jsonList } from '../output/formats.js';
import type { Terminal } from '../terminal/terminal.js';

interface OrgOptions {
  org?: string;
  /** The operator, for the audit log. */
  by?: string;
  json?: string | true;
}

export interface CreateKeyOptions extends OrgOptions {
  name: string;
  permissions: string;
  expiresAt?: string;
}

/** @throws {UsageError} for invalid permissions or an invalid instant */
export async function createKeyCommand(
  terminal: Terminal,
  { org: given, by, name, json, ...options }: CreateKeyOptions,
): Promise<ExitCode> {
  const permissions = readPermissions(options.permissions);
  const expires_at = options.expiresAt === undefined ? undefined : readExpiry(options.expiresAt);
  const { org, made } = await asOperator(terminal.environment, by, async (context) => {
    const org = await findOrg(context.collections, given);
    const input = { name, permissions, expires_at };
    return { org, made: await createKeyAsOperator(context, org._id, input) };
  });
  const { key, api_key } = made;
  if (json) {
    const organization = { id: org._id, name: org.name };
    terminal.print(JSON.stringify({ organization, ...shownKey(key), api_key }, null, 2));
    return EXIT.done;
  }
  const end = key.expires_at ? `, until ${key.expires_at.toISOString()}` : '';
  terminal.say(
    `The key ${key.name} (${keyIdOf(key)}) of ${org.name} was created${end}, and is shown only once:`,
  );
  terminal.print(api_key);
  terminal.say('Store it: leadwire login --url URL');
  return EXIT.done;
}

const FIELDS = [
  'id',
  'name',
  'prefix',
  'permissions',
  'created_at',
  'created_by',
  'last_used_at',
  'expires_at',
  'revoked_at',
];

export async function listKeysCommand(
  terminal: Terminal,
  { org: given, json }: OrgOptions,
): Promise<ExitCode> {
  const fields = jsonFields(json, FIELDS, 'leadwire operator keys list');
  const { org, keys } = await withRecord(terminal.environment, async ({ collections }) => {
    const org = await findOrg(collections, given);
    return { org, keys: await listKeysOf(collections, org._id) };
  });
  const rows = keys.map(({ key, usedAt }) => ({ ...shownKey(key), last_used_at: iso(usedAt) }));
  if (json !== undefined) {
    const organization = { id: org._id, name: org.name };
    terminal.print(jsonList({ organization, keys: rows }, rows, fields));
    return EXIT.done;
  }
  const count = `${rows.length} ${rows.length === 1 ? 'key' : 'keys'}`;
  terminal.say(`${count} of ${org.name} (${org._id}), oldest first.`);
  if (rows.length > 0) terminal.print(asTable(rows, terminal));
  return EXIT.done;
}

export async function revokeKeyCommand(
  terminal: Terminal,
  { org: given, by, json }: OrgOptions,
  keyId: string,
): Promise<ExitCode> {
  const revokedAt = await asOperator(terminal.environment, by, async (context) => {
    const org = await findOrg(context.collections, given);
    return revokeKeyAsOperator(context, org._id, keyId);
  });
  const revoked_at = revokedAt.toISOString();
  terminal.print(
    json
      ? JSON.stringify({ id: keyId, revoked_at }, null, 2)
      : `Key ${keyId} was revoked at ${revoked_at}.`,
  );
  return EXIT.done;
}

function readPermissions(text: string): Permission[] {
  if (text === 'all') return permissionsOf('write');
  if (text === 'read') return permissionsOf('read');
  const names = new Set(text.split(',').map((name) => name.trim()));
  const known = PERMISSIONS.filter((permission) => names.has(permission));
  if (known.length === names.size) return known;
  throw new UsageError(
    `--permissions must be all, read, or names separated by commas: ${PERMISSIONS.join(', ')}.`,
  );
}

function readExpiry(text: string): Date {
  const instant = readInstant(text);
  if (instant) return instant;
  throw new UsageError('--expires-at must be an instant such as 2027-01-31T00:00:00Z.');
}

const iso = (at: Date | undefined): string | null => at?.toISOString() ?? null;

const shownKey = (key: OrgKeyDoc) => ({
  id: keyIdOf(key),
  name: key.name,
  prefix: key.prefix ?? 'lw_live_',
  permissions: key.permissions,
  created_at: key.created_at.toISOString(),
  created_by: key.created_by ?? null,
  expires_at: iso(key.expires_at),
  revoked_at: iso(key.revoked_at),
});

type Row = ReturnType<typeof shownKey> & { last_used_at: string | null };

function asTable(rows: readonly Row[], terminal: Terminal): string {
  const columns = ['Id', 'Name', 'Begins', 'Changes', 'Last used', 'Expires', 'Revoked'];
  const cells = rows.map((row) => [
    row.id,
    fit(row.name, 30),
    row.prefix,
    writesOf(row.permissions),
    row.last_used_at ?? '-',
    row.expires_at ?? '-',
    row.revoked_at ?? '-',
  ]);
  return formatTable(columns, cells, terminal.paint);
}

/** The areas that the key may change, for a line of a table. */
function writesOf(permissions: readonly Permission[]): string {
  const areas = permissions.filter((one) => one.endsWith(':write')).map((one) => one.slice(0, -6));
  if (areas.length === 0) return '-';
  return areas.length === permissionsOf('write').length ? 'all' : fit(areas.join(', '), 30);
}
