/**
 * Relays outbox events in the background, off the request path: leads that arrive while a batch is in flight go with
 * the next. It may drop leads: `reconcile` finds the events that are written with them.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../lib/log.js';

interface OutboxRelayOptions {
  /** Moves the outbox events of these leads. */
  move: (leadIds: readonly string[]) => Promise<unknown>;
  background: { add(work: Promise<void>): void };
  log: Log;
}

/** Maximum leads of one batch. */
const BATCH_SIZE = 500;
/** Maximum leads that wait; more are left to `reconcile`. */
const WAITING_MAX = 20_000;
/** Minimum time from the start of one batch to the next: many leads cost less in few batches. */
const BATCH_INTERVAL_MS = 50;

export function createOutboxRelay({ move, background, log }: OutboxRelayOptions) {
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
        log.warn({ err: error, leads: batch.length }, 'events of leads could not be relayed yet');
      }
      await pause;
    }
    running = false;
  };

  return {
    /** Never throws; runs in the background. */
    relay(leadIds: readonly string[]): void {
      for (const id of leadIds) if (waiting.size < WAITING_MAX) waiting.add(id);
      if (running) return;
      running = true;
      background.add(run());
    },
  };
}
