/**
 * Tells a person, once a day, that a newer version is in the registry of npm. It is asked while the command runs, and never
 * waited for longer than a moment; nothing but the name of the package is sent.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { homedir } from 'node:os';
import type { Environment } from '../output/paint.js';
import { parseRow } from '../output/rows.js';
import type { Terminal } from '../terminal/terminal.js';
import { getOwn } from '../../src/lib/getOwn.js';
import { readVersion } from '../../src/lib/version.js';

const DAY_MS = 86_400_000;
/** After the command, for an answer that is on its way. */
const WAIT_MS = 200;
/** For the whole request. */
const TIMEOUT_MS = 3_000;

export interface UpdateNotice {
  /** Called when the command has ended: says what there is to say, at once or within 200 ms. */
  show(): Promise<void>;
}

const NONE: UpdateNotice = { show: () => Promise.resolve() };

/**
 * Asks where a person sees both outputs, outside CI, unless that is turned off or was done within a day.
 * @param now milliseconds
 */
export function watchForUpdate(terminal: Terminal, now: number): UpdateNotice {
  const { environment, screen, isWatched } = terminal;
  if (screen === null || !isWatched || isOff(environment)) return NONE;
  const path = statePath(environment);
  if (!isDue(path, now)) return NONE;
  const stop = new AbortController();
  const newer = findNewer(environment, path, now, stop.signal).catch(() => null);
  return {
    async show() {
      const waiting = new Promise<null>((resolve) => setTimeout(resolve, WAIT_MS, null));
      const version = await Promise.race([newer, waiting]);
      stop.abort();
      if (version === null) return;
      const fact = terminal.sayPaint.yellow(`leadwire ${version} is available`);
      terminal.say(
        `\n${fact}; this is ${readVersion()}. ` +
          'LEADWIRE_NO_UPDATE_NOTICE=1 turns this notice off.',
      );
    },
  };
}

const isOff = (environment: Environment): boolean =>
  ['LEADWIRE_NO_UPDATE_NOTICE', 'NO_UPDATE_NOTIFIER', 'CI'].some((name) => {
    const value = getOwn(environment, name);
    return value !== undefined && value !== '' && value !== '0' && value !== 'false';
  });

/** By the XDG base directory specification: $XDG_CACHE_HOME, or ~/.cache. */
function statePath({ XDG_CACHE_HOME, HOME, USERPROFILE }: Environment): string {
  const base = XDG_CACHE_HOME?.startsWith('/')
    ? XDG_CACHE_HOME
    : join(HOME ?? USERPROFILE ?? homedir(), '.cache');
  return join(base, 'leadwire', 'update.json');
}

/** A clock that was set back counts as a day that is over. */
function isDue(path: string, now: number): boolean {
  try {
    const at: unknown = parseRow(readFileSync(path, 'utf8'))?.asked_at;
    return typeof at !== 'number' || now - at >= DAY_MS || at > now;
  } catch {
    return true;
  }
}

/** Null: there is none, or npm has no registry set. */
async function findNewer(
  environment: Environment,
  path: string,
  now: number,
  signal: AbortSignal,
): Promise<string | null> {
  const { readNpmSettings } = await import('./npmSettings.js');
  const { registry, notifies } = readNpmSettings(environment, process.cwd());
  if (registry === null || !notifies) return null;
  // Before it is asked: a registry that does not answer is not asked again with each command.
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify({ asked_at: now })}\n`);
  const { exchange } = await import('./exchange.js');
  const asked = { method: 'GET', headers: { accept: 'application/json' }, signal } as const;
  const { status, text } = await exchange(`${registry}/leadwire/latest`, {
    ...asked,
    timeoutMs: TIMEOUT_MS,
  });
  const version: unknown = status === 200 ? parseRow(text)?.version : undefined;
  return typeof version === 'string' && isNewer(version, readVersion()) ? version : null;
}

/** Versions of three numbers; others, such as those before a release, are never newer. */
export function isNewer(version: string, than: string): boolean {
  const numbersOf = (text: string) =>
    /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})$/.exec(text)?.slice(1).map(Number);
  const [mine, other] = [numbersOf(than), numbersOf(version)];
  if (!mine || !other) return false;
  const at = mine.findIndex((number, n) => number !== other[n]);
  return at !== -1 && (other[at] ?? 0) > (mine[at] ?? 0);
}
