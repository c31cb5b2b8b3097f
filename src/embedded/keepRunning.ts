/** Starts a server again when it ends by itself, and gives up where that does not help. */
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from './format.js';
import type { RunningServer } from './guardClient.js';
import type { ServerExit, ServerName } from './guardMessages.js';

/** What became of a server, for whoever started the stack. */
export type ServerNews = { name: ServerName } & (
  | {
      /** It ended, or did not start; it is started again. */
      kind: 'ended';
      how: string;
      /** The number of this restart among those of the last ten minutes, from 1, and their maximum. */
      restart: number;
      of: number;
    }
  /** It answers again, this long after it ended. */
  | { kind: 'back'; afterMs: number }
  /** It is not started again, for this reason. */
  | { kind: 'given_up'; how: string; why: string }
);

interface Keeping {
  /** Starts it at its address; rejects when it does not answer there. */
  start: () => Promise<RunningServer>;
  tell: (news: ServerNews) => void;
  /** The stack is being stopped: an end is no news. */
  isStopping: () => boolean;
  /** Why it cannot be started again at all; null: it can. */
  obstacle: () => string | null;
  /** The pause before a restart, for tests; default {@link restartDelayMs}. */
  delayMs?: (restart: number) => number;
}

const RESTARTS_MAX = 5;
/** Restarts that are older than this, in milliseconds, no longer count. */
const COUNTED_MS = 600_000;
const COUNTED = '10 minutes';
const DELAY_FROM_MS = 250;

/** 0.25, 0.5, 1, 2, 4 seconds: a server that was killed is back at once, one that cannot start has some time. */
export const restartDelayMs = (restart: number): number => DELAY_FROM_MS * 2 ** (restart - 1);

/** Resolves when the server is not started again: the stack stops, or it was given up. Never rejects. */
export async function keepRunning(first: RunningServer, keeping: Keeping): Promise<void> {
  const restarts: number[] = [];
  let server: RunningServer | null = first;
  while (server) {
    const exit: ServerExit = await server.exited;
    if (keeping.isStopping()) return;
    server = await startAgain(server.name, describeExit(exit), restarts, keeping);
  }
}

/** Null: it was given up, or the stack stops. */
async function startAgain(
  name: ServerName,
  ended: string,
  restarts: number[],
  { start, tell, isStopping, obstacle, delayMs = restartDelayMs }: Keeping,
): Promise<RunningServer | null> {
  const endedAt = performance.now();
  let how = ended;
  for (;;) {
    const counted = restarts.filter((at) => performance.now() - at < COUNTED_MS);
    const isTooOften = counted.length >= RESTARTS_MAX;
    const why =
      obstacle() ??
      (isTooOften ? `it was started again ${String(RESTARTS_MAX)} times in ${COUNTED}` : null);
    if (why !== null) {
      tell({ kind: 'given_up', name, how, why });
      return null;
    }
    restarts.splice(0, restarts.length, ...counted, performance.now());
    tell({ kind: 'ended', name, how, restart: restarts.length, of: RESTARTS_MAX });
    await sleep(delayMs(restarts.length));
    if (isStopping()) return null;
    try {
      const server = await start();
      tell({ kind: 'back', name, afterMs: performance.now() - endedAt });
      return server;
    } catch (error) {
      if (isStopping()) return null;
      how = `it did not start: ${messageOf(error)}`;
    }
  }
}

const describeExit = ({ code, signal }: ServerExit): string =>
  signal === null ? `it ended with code ${String(code ?? 'unknown')}` : `it was ended by ${signal}`;
