/** The clock of MongoDB's primary, as this process knows it: one clock for every process, whatever their own say. */
import type { MongoClient } from 'mongodb';
import { systemClock, type Clock } from '../../lib/clock.js';
import { measured, offsetOf, type Measured } from './clockOffset.js';

/** A process whose own clock jumps or drifts is right again after this time, in milliseconds. */
const POLL_INTERVAL_MS = 5_000;
/** Asked so often at first: the quickest answer is the most exact one. */
const FIRST_ASKS = 3;

export interface ServerClock extends Clock {
  /** From now on the server is not asked any more. */
  close(): void;
}

/**
 * Asks the server for its time, now and every few seconds; between two answers the monotonic clock goes on, so that it
 * makes no difference how this process's own wall clock is set. What no server answers goes on from the last answer.
 */
export async function createServerClock(client: MongoClient): Promise<ServerClock> {
  const monotonic = () => systemClock.monotonic();
  let known: Measured | undefined;
  const measure = async (): Promise<void> => {
    const askedAt = monotonic();
    const { localTime } = await client.db('admin').command({ hello: 1 });
    if (!(localTime instanceof Date)) throw new Error('MongoDB does not report its time.');
    known = measured(known, { askedAt, serverAt: Number(localTime), heardAt: monotonic() });
  };
  for (let n = 0; n < FIRST_ASKS; n++) await measure();
  const timer = setInterval(() => void measure().catch(() => undefined), POLL_INTERVAL_MS).unref();
  return {
    monotonic,
    random: () => systemClock.random(),
    now: () => new Date(known ? monotonic() + offsetOf(known) : Date.now()),
    close: () => clearInterval(timer),
  };
}
