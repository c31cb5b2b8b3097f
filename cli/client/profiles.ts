/** Where servers and their keys are stored: one file that only the user may read. */
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandFailed } from '../terminal/errors.js';
import type { Environment } from '../output/paint.js';

export interface Profile {
  url: string;
  api_key: string;
  /** Names, as they were when the key was stored. */
  organization: string;
  key_name: string;
}

export interface Profiles {
  /** The profile that is used where none is named. */
  current: string | null;
  profiles: Record<string, Profile>;
}

/** Long enough to distinguish keys, too short to help in guessing one. */
const SHOWN = 'lw_live_'.length + 4;
export const maskKey = (key: string): string => `${key.slice(0, SHOWN)}…`;

/** By the XDG base directory specification: $XDG_CONFIG_HOME, or ~/.config. */
export function profilesPath(environment: Environment): string {
  const given = environment.XDG_CONFIG_HOME;
  // The specification says to ignore a relative path.
  const base = given?.startsWith('/')
    ? given
    : join(environment.HOME ?? environment.USERPROFILE ?? homedir(), '.config');
  return join(base, 'leadwire', 'profiles.json');
}

/** @throws {CommandFailed} for a file that exists and cannot be read */
export function readProfiles(environment: Environment): Profiles {
  const path = profilesPath(environment);
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: null, profiles: {} };
    throw new CommandFailed(`Cannot read ${path}: ${String(error)}`);
  }
  const stored = parse(content);
  if (stored) return stored;
  throw new CommandFailed(`${path} is damaged. Delete it, and log in again: leadwire login`);
}

function parse(content: string): Profiles | null {
  try {
    const value = JSON.parse(content) as Partial<Profiles> | null;
    if (typeof value?.profiles !== 'object') return null;
    const isWhole = Object.values(value.profiles).every(
      ({ url, api_key }) => typeof url === 'string' && typeof api_key === 'string',
    );
    return isWhole ? { current: value.current ?? null, profiles: value.profiles } : null;
  } catch {
    return null;
  }
}

/** Replaces the file in one step. It is never readable by other users, not even for a moment. */
export function writeProfiles(environment: Environment, profiles: Profiles): string {
  const path = profilesPath(environment);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}.draft`;
  try {
    writeFileSync(draft, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    chmodSync(draft, 0o600);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  return path;
}
