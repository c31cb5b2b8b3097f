/** `@last`: of each kind the record that a stored profile made or was shown last. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Connection } from '../client/connection.js';
import { readProfiles } from '../client/profiles.js';
import { parseRow, isRow, type Row } from '../output/rows.js';
import type { Environment } from '../output/paint.js';
import { CommandFailed, EXIT, UsageError } from '../terminal/errors.js';
import { getOwn } from '../../src/lib/getOwn.js';
import { KINDS, isKind, type KindKey } from './kinds.js';

export const LAST = '@last';

/** By the XDG base directory specification: $XDG_STATE_HOME, or ~/.local/state. */
function statePath({ XDG_STATE_HOME, HOME, USERPROFILE }: Environment): string {
  const base = XDG_STATE_HOME?.startsWith('/')
    ? XDG_STATE_HOME
    : join(HOME ?? USERPROFILE ?? homedir(), '.local', 'state');
  return join(base, 'leadwire', 'last.json');
}

type From = Pick<Connection, 'keySource' | 'url'>;

/** The stored profile that a key comes from; null for a key of the environment, for which nothing is stored. */
const profileOf = ({ keySource }: From): string | null =>
  /^profile (.+)$/s.exec(keySource)?.[1] ?? null;

/**
 * The id of the last record of a kind.
 * @throws {UsageError} with a key of the environment
 * @throws {CommandFailed} where there was none yet
 */
export function lastOf(environment: Environment, from: From, key: KindKey): string {
  const profile = profileOf(from);
  if (profile === null)
    throw new UsageError(
      `${LAST} is of a stored profile, and this key is from ${from.keySource}, for which nothing is stored: name the ` +
        `${KINDS[key].noun}, or log in (leadwire login).`,
    );
  const stored = getOwn(readState(environment), profile);
  const id = isRow(stored) && stored.url === from.url ? getOwn(stored, key) : undefined;
  if (typeof id === 'string') return id;
  throw new CommandFailed(
    `There is no last ${KINDS[key].noun} yet: profile ${profile} has made and shown none.`,
    EXIT.failed,
    `List them: leadwire ${KINDS[key].command}`,
  );
}

/** What a command made or showed, by the keys of its ids; null: it is gone. */
export type Shown = Partial<Record<KindKey, string | null>>;

/** Remembers it for a stored profile. It is a help: where nothing can be written, nothing is remembered. */
export function rememberLast(environment: Environment, from: From, shown: Shown): void {
  const profile = profileOf(from);
  if (profile === null || Object.keys(shown).length === 0) return;
  try {
    const state = readState(environment);
    const before = getOwn(state, profile);
    const known = isRow(before) && before.url === from.url ? before : { url: from.url };
    const profiles = Object.keys(readProfiles(environment).profiles);
    const others = Object.entries(state).filter(([name]) => profiles.includes(name));
    const now = Object.entries({ ...known, ...shown }).filter(([, id]) => id !== null);
    write(environment, { ...Object.fromEntries(others), [profile]: Object.fromEntries(now) });
  } catch {
    // A home that cannot be written.
  }
}

/** The ids of known kinds among some values. */
export const idsAmong = (values: Row): Shown =>
  Object.fromEntries(
    Object.entries(values).filter(([key, id]) => isKind(key) && typeof id === 'string'),
  );

function readState(environment: Environment): Row {
  try {
    return parseRow(readFileSync(statePath(environment), 'utf8')) ?? {};
  } catch {
    return {};
  }
}

/** Replaces the file in one step: of two commands at once, one is the last. */
function write(environment: Environment, state: Row): void {
  const path = statePath(environment);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}.draft`;
  try {
    writeFileSync(draft, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
