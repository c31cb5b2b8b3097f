/**
 * Tells of leads behind the backs of those who change them: what comes while a batch is under way goes with the next.
 * It is never on the way of an answer, and it may forget: what is written with the lead is found by `reconcile`.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../lib/log.js';

export interface OutboxRelay {
  /** Never throws, and nobody waits for it. */
  relay(leadIds: readonly string[]): void;
}

interface OutboxRelayOptions {
  /** Moves what these leads have to tell. */
  move: (leadIds: readonly string[]) => Promise<unknown>;
  background: { add(work: Promise<void>): void };
  log: Log;
}

/** Leads of one batch at the most. */
const BATCH_SIZE = 500;
/** Leads that wait at the most; what comes when there are more is left to `reconcile`. */
const WAITING_MAX = 20_000;
/** Batches begin so far apart at least, in milliseconds: many leads cost less in few batches. */
const BATCH_INTERVAL_MS = 50;

export function createOutboxRelay({ move, background, log }: OutboxRelayOptions): OutboxRelay {
  const waiting = new Set<string>();
  let running = false;

  const run = async (): Promise<void> => {
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, BATCH_SIZE);
      batch.forEach((id) => waiting.delete(id));
      const pause = delay(BATCH_INTERVAL_MS);
      try {
        await move(batch);
      } catch (error) {
        log.warn({ err: error, leads: batch.length }, 'events of leads could not be told yet');
      }
      await pause;
    }
    running = false;
  };

  return {
    relay(leadIds) {
      for (const id of leadIds) if (waiting.size < WAITING_MAX) waiting.add(id);
      if (running) return;
      running = true;
      background.add(run());
    },
  };
}
