/**
 * A lock kept as a file: one owner at a time, taken over from an owner that died. Its owner touches the file every few
 * seconds: one whose process cannot be checked, as in a container that is gone, counts as dead once it stops.
 */
import { randomUUID } from 'node:crypto';
import {
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { lifeOf, markProcess, type ProcessMark } from './processes.js';

export interface Holder extends ProcessMark {
  /** Names this one holding of the lock. */
  token: string;
  host: string;
  /** ISO 8601. */
  started_at: string;
  /** How often the owner touches the file, milliseconds; absent where a release wrote it that never does. */
  beat_every_ms?: number;
}

/** A holder as it was read. */
interface Sighting<Data = unknown> {
  holder: Holder & Partial<Data>;
  /** When the file was last touched. */
  touched: Date;
}

/** The lock belongs to a process that lives, or that cannot be checked and was not found silent. */
export class LockHeldError extends Error {
  override readonly name = 'LockHeldError';

  constructor(
    readonly path: string,
    readonly holder: Holder,
    readonly lastSeen: Date,
    /** Its process cannot be checked from here: only its silence would show that it is dead. */
    readonly mayBeDead: boolean,
  ) {
    super(`${path} is held by process ${String(holder.pid)} on ${holder.host}`);
  }
}

export interface FileLock<Data> {
  /** What a dead owner had written, when the lock was taken over from it. */
  readonly previous: (Holder & Partial<Data>) | null;
  /**
   * Settles once another process has the lock, or its file is gone: this process was taken for dead, as can happen
   * after it was suspended. Never rejects.
   */
  readonly lost: Promise<void>;
  /** Replaces the data stored with the owner's name; readers see the old or the new, never a part. No effect once lost. */
  update(data: Data): void;
  /** Releases the lock; doing it twice is harmless. */
  release(): void;
}

export interface LockOptions {
  /** The name of this machine or container. */
  host?: string;
  beatEvery?: number;
  /** Called with each holder that is watched for a sign of life, which takes as long as `silentAfter` says. */
  onWatch?: (holder: Holder) => void;
}

const BEAT_INTERVAL_MS = 5_000;
/**
 * With the usual beat these are 30 seconds: longer than a guard takes to stop the servers of an owner that was killed
 * (`STOP_TIMEOUTS_MS`).
 */
const SILENT_BEATS = 6;
const CHECKS_PER_BEAT = 10;

/** After how many silent milliseconds a holder counts as dead; null: it never does. */
export const silentAfter = ({ beat_every_ms: beat }: Holder): number | null =>
  beat ? beat * SILENT_BEATS : null;

/**
 * Returns at once when the lock is free, or its owner is known to live or to be dead. Otherwise it watches the owner
 * first.
 * @throws {LockHeldError} when another process has it
 */
export async function acquireLock<Data extends object>(
  path: string,
  data: Data,
  { host = hostname(), beatEvery = BEAT_INTERVAL_MS, onWatch }: LockOptions = {},
): Promise<FileLock<Data>> {
  const self: Holder = {
    ...(markProcess(process.pid) ?? { pid: process.pid, process_start: '' }),
    token: randomUUID(),
    host,
    started_at: new Date().toISOString(),
    beat_every_ms: beatEvery,
  };
  const silent = new Set<string>();
  for (;;) {
    try {
      return tryLock(path, data, self, silent);
    } catch (error) {
      if (!(error instanceof LockHeldError) || !error.mayBeDead) throw error;
      onWatch?.(error.holder);
      const seen = await watch(error);
      if (seen === 'silent') silent.add(nameOf({ holder: error.holder, touched: error.lastSeen }));
      else if (seen)
        throw new LockHeldError(error.path, seen.holder, seen.touched, error.mayBeDead);
    }
  }
}

/** One owner's last sign of life. */
const nameOf = ({ holder, touched }: Sighting): string => `${holder.token}:${+touched}`;

/**
 * Watches for a sign of life. It counts reads, not time: while this process was suspended itself, the owner may have
 * been too. It compares no clock with the file's, which may be another machine's.
 * @returns its next sign; null when the file is gone or another's
 */
async function watch({
  path,
  holder,
  lastSeen,
}: LockHeldError): Promise<Sighting | 'silent' | null> {
  const beat = holder.beat_every_ms ?? BEAT_INTERVAL_MS;
  for (let looks = 0; looks < SILENT_BEATS * CHECKS_PER_BEAT; looks += 1) {
    await sleep(beat / CHECKS_PER_BEAT);
    const now = sight(path);
    if (now?.holder.token !== holder.token) return null;
    if (+now.touched !== +lastSeen) return now;
  }
  return 'silent';
}

function tryLock<Data extends object>(
  path: string,
  data: Data,
  self: Holder,
  silent: ReadonlySet<string>,
): FileLock<Data> {
  const draft = `${path}.draft-${self.token}`;
  const write = (content: object) => {
    writeFileSync(draft, `${JSON.stringify({ ...self, ...content }, null, 2)}\n`, { mode: 0o600 });
  };
  write(data);
  let previous: (Holder & Partial<Data>) | null;
  try {
    previous = claim<Data>(path, draft, self.host, silent);
  } finally {
    rmSync(draft, { force: true });
  }
  const lost = Promise.withResolvers<undefined>();
  const isOurs = () => readHolder(path)?.token === self.token;
  const beat = () => {
    try {
      const now = new Date();
      if (isOurs()) utimesSync(path, now, now);
      else lost.resolve(undefined);
    } catch {
      // The disk may work at the next beat; should it not, and another process takes the lock, the check above sees it.
    }
  };
  const beating = setInterval(beat, self.beat_every_ms).unref();
  return {
    previous,
    lost: lost.promise.finally(() => clearInterval(beating)),
    update(next) {
      if (!isOurs()) {
        lost.resolve(undefined);
        return;
      }
      write(next);
      renameSync(draft, path);
    },
    release() {
      clearInterval(beating);
      if (isOurs()) rmSync(path, { force: true });
    },
  };
}

/**
 * Puts a link to `draft` at `path`. A dead owner is replaced only by the process that first claims
 * `path.<token of the dead owner>`, so that two that find it dead never both replace it.
 * @param silent last signs of owners that stayed silent while watched
 */
function claim<Data>(
  path: string,
  draft: string,
  host: string,
  silent: ReadonlySet<string>,
): (Holder & Partial<Data>) | null {
  for (;;) {
    if (tryLink(draft, path)) return null;
    const found = sight<Data>(path);
    if (!found) continue;
    requireDead(path, found, host, silent);
    const { holder } = found;
    const right = `${path}.${holder.token}`;
    claim(right, draft, host, silent);
    try {
      // Another process may have replaced it since and released its claim, or its owner may have beaten again.
      const now = sight(path);
      if (!now || nameOf(now) !== nameOf(found)) continue;
      const copy = `${draft}-copy`;
      linkSync(draft, copy);
      renameSync(copy, path);
      return holder;
    } finally {
      rmSync(right, { force: true });
    }
  }
}

/** @throws {LockHeldError} unless the system or the holder's silence shows that it is dead */
function requireDead(
  path: string,
  found: Sighting,
  host: string,
  silent: ReadonlySet<string>,
): void {
  const { holder, touched } = found;
  const life = holder.host === host ? lifeOf(holder) : 'unknown';
  if (life === 'dead') return;
  const mayBeDead = life === 'unknown' && silentAfter(holder) !== null;
  if (mayBeDead && silent.has(nameOf(found))) return;
  throw new LockHeldError(path, holder, touched, mayBeDead);
}

/** Null when there is no lock. */
function sight<Data>(path: string): Sighting<Data> | null {
  // Read first: a network file system learns only by opening a file when it was last touched.
  const holder = readHolder(path) as (Holder & Partial<Data>) | null;
  const touched = statSync(path, { throwIfNoEntry: false })?.mtime;
  return holder && touched ? { holder, touched } : null;
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Null when there is no lock. A file that is not a lock any more (power loss) reads as a dead owner. */
export function readHolder(path: string): Holder | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    const holder = JSON.parse(text) as Partial<Holder>;
    if (typeof holder.pid === 'number' && holder.token && holder.host) return holder as Holder;
  } catch {
    // Falls through: unreadable.
  }
  return { pid: 0, process_start: '', token: 'unreadable', host: hostname(), started_at: '' };
}
