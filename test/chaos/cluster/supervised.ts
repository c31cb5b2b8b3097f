/** A process that is started again whenever it ends, as a supervisor in production would do it. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessEnd } from '../evidence/evidence.js';

export interface Running {
  pid: number;
  exited: Promise<unknown>;
}

export interface Starter {
  name: string;
  /**
   * Starts it and resolves when it serves; calls `began` as soon as there is a process.
   * @throws {Error} when it ended or did not start
   */
  start: (began: (running: Running) => void) => Promise<void>;
}

/** A process that the nemesis may break. */
export interface Victim {
  name: string;
  /** Resolves when there is a process, serving or not, or after `withinMs`. */
  alive(withinMs: number): Promise<boolean>;
  /** Resolves when it serves. */
  ready(): Promise<void>;
  /** False when there is no process now. `between` runs before it is started again. */
  kill(between?: () => Promise<void>): boolean;
  /** Returns the process that got the signal, null when there is none. */
  signal(signal: NodeJS.Signals, pid?: number): number | null;
  /** Ends it for good: SIGTERM, then SIGKILL when it does not end within `patienceMs`. */
  end(patienceMs: number): Promise<void>;
  /** Null when there is no process now. */
  pid(): number | null;
  /** How often it was started, and how often it did not start or ended without a signal from here. */
  counts(): { starts: number; failed: number };
  /** Each time that it did not start or ended without a signal from here. */
  ends(): readonly ProcessEnd[];
}

/** Pause before another start when it did not start, in milliseconds. */
const RETRY_MS = 700;
const POLL_INTERVAL_MS = 20;

export function supervise({ name, start }: Starter): Victim {
  const now: { process: Running | null; serving: boolean; told: boolean } = {
    process: null,
    serving: false,
    told: false,
  };
  let over = false;
  let between: (() => Promise<void>) | undefined;
  const counts = { starts: 0, failed: 0 };
  const ends: ProcessEnd[] = [];

  const begin = (process: Running): void => {
    now.process = process;
    void process.exited.then(() => {
      now.serving = false;
      now.process = null;
    });
  };
  /** Functions, because all of it changes while `once` waits. */
  const isServing = (came: boolean): boolean => came && !now.told && now.process !== null;
  const endedByItself = (): boolean => !now.told && !over;

  /** From its start to its end, for whatever reason it ends. */
  const once = async (): Promise<void> => {
    now.told = false;
    counts.starts += 1;
    const came = await start(begin).then(
      () => true,
      () => false,
    );
    now.serving = isServing(came);
    if (!came && now.process) signalTo(now.process, 'SIGKILL');
    await now.process?.exited;
    if (!endedByItself()) return;
    counts.failed += 1;
    ends.push({ at: Date.now(), name, served: came });
    if (!came) await delay(RETRY_MS);
  };
  const loop = async (): Promise<void> => {
    while (!over) {
      await once();
      const task = between;
      between = undefined;
      await task?.();
    }
  };
  const ended = loop();

  return {
    name,
    async alive(withinMs) {
      const until = performance.now() + withinMs;
      while (!now.process && performance.now() < until) await delay(POLL_INTERVAL_MS);
      return now.process !== null;
    },
    async ready() {
      while (!now.serving && !over) await delay(POLL_INTERVAL_MS);
    },
    kill(task) {
      if (!now.process) return false;
      now.told = true;
      now.serving = false;
      between = task ?? between;
      signalTo(now.process, 'SIGKILL');
      return true;
    },
    signal(signal, pid) {
      const { process } = now;
      if (!process || (pid !== undefined && process.pid !== pid)) return null;
      if (signal === 'SIGTERM') now.told = true;
      signalTo(process, signal);
      return process.pid;
    },
    async end(patienceMs) {
      over = true;
      const { process } = now;
      if (process) {
        signalTo(process, 'SIGCONT');
        signalTo(process, 'SIGTERM');
        await Promise.race([process.exited, delay(patienceMs, undefined, { ref: false })]);
        if (now.process === process) signalTo(process, 'SIGKILL');
      }
      await ended;
    },
    pid: () => now.process?.pid ?? null,
    counts: () => ({ ...counts }),
    ends: () => ends,
  };
}

/** A process that has just ended is not an error. */
function signalTo({ pid }: Running, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
