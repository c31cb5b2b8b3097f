/** A lock kept as a file: one owner at a time, taken over from an owner that died. */
import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { isAlive, markProcess, type ProcessMark } from './processes.js';

export interface Holder extends ProcessMark {
  /** Names this one holding of the lock. */
  token: string;
  host: string;
  /** ISO 8601. */
  started_at: string;
}

/** The lock belongs to a process that lives, or that lives on another machine and cannot be asked. */
export class LockHeldError extends Error {
  override readonly name = 'LockHeldError';

  constructor(
    readonly path: string,
    readonly holder: Holder,
  ) {
    super(`${path} is held by process ${String(holder.pid)} on ${holder.host}`);
  }
}

export interface FileLock<Data> {
  /** What the dead owner had written, when the lock was taken over from one. */
  readonly previous: (Holder & Partial<Data>) | null;
  /** Replaces the data beside the owner's name; readers see the old or the new, never a part. */
  update(data: Data): void;
  /** Gives the lock back; doing it twice is harmless. */
  release(): void;
}

/** @throws {LockHeldError} when someone else has it */
export function acquireLock<Data extends object>(path: string, data: Data): FileLock<Data> {
  const self: Holder = {
    ...(markProcess(process.pid) ?? { pid: process.pid, process_start: '' }),
    token: randomUUID(),
    host: hostname(),
    started_at: new Date().toISOString(),
  };
  const draft = `${path}.draft-${self.token}`;
  const write = (content: object) => {
    writeFileSync(draft, `${JSON.stringify({ ...self, ...content }, null, 2)}\n`, { mode: 0o600 });
  };
  write(data);
  let previous: (Holder & Partial<Data>) | null;
  try {
    previous = claim<Data>(path, draft);
  } finally {
    rmSync(draft, { force: true });
  }
  return {
    previous,
    update(next) {
      write(next);
      renameSync(draft, path);
    },
    release() {
      if (readHolder(path)?.token === self.token) rmSync(path, { force: true });
    },
  };
}

/**
 * Puts a link to `draft` at `path`. A dead owner is replaced only by whoever first claims
 * `path.<token of the dead owner>`, so that two that find it dead never both replace it.
 */
function claim<Data>(path: string, draft: string): (Holder & Partial<Data>) | null {
  for (;;) {
    if (tryLink(draft, path)) return null;
    const holder = readHolder(path) as (Holder & Partial<Data>) | null;
    if (!holder) continue;
    if (holder.host !== hostname() || isAlive(holder)) throw new LockHeldError(path, holder);
    const right = `${path}.${holder.token}`;
    claim(right, draft);
    try {
      // Someone may have replaced it, and given up the right to, since it was read.
      if (readHolder(path)?.token !== holder.token) continue;
      const copy = `${draft}-copy`;
      linkSync(draft, copy);
      renameSync(copy, path);
      return holder;
    } finally {
      rmSync(right, { force: true });
    }
  }
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
