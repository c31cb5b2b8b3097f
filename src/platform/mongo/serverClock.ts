/**
 * The clock of MongoDB's primary, as this process knows it: one clock for all processes, whatever their own clocks
 * show.
 */
import type { MongoClient } from 'mongodb';
import { systemClock } from '../../lib/clock.js';

/** A process whose own clock jumps or drifts is right again after this time, in milliseconds. */
const POLL_INTERVAL_MS = 5_000;
/** Questions at the start: the quickest answer is the most exact one. */
const FIRST_ASKS = 3;

export type ServerClock = Awaited<ReturnType<typeof createServerClock>>;

/**
 * Asks the server for its time, now and every few seconds; between two answers the monotonic clock goes on, so that it
 * makes no difference how this process's own wall clock is set. While the server does not answer, the time goes on from
 * the last answer.
 */
export async function createServerClock(client: MongoClient) {
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
    /** Stops asking the server. */
    close: (): void => clearInterval(timer),
  };
}

// How far another machine's wall clock is ahead of the monotonic clock of this process. Pure.

/** A question for the time: when it was sent and answered on the monotonic clock, and the server's time. */
export interface Sample {
  askedAt: number;
  /** Milliseconds since 1970, cut to whole ones. */
  serverAt: number;
  heardAt: number;
}

/** The difference lies between these, as known at `at`. */
export interface Measured {
  least: number;
  most: number;
  at: number;
}

/** Two clocks drift apart by at most this share: twice what is usual of quartz. */
const DRIFT = 0.000_2;

/**
 * What is known after a sample. Each sample bounds the difference from both sides, a quick one more closely; the bounds
 * are combined. A sample that contradicts them (the server's clock was set, or another server answers) counts alone.
 */
export function measured(known: Measured | undefined, sample: Sample): Measured {
  const { askedAt, serverAt, heardAt: at } = sample;
  const [least, most] = [serverAt - at, serverAt + 1 - askedAt];
  if (!known) return { least, most, at };
  const drift = Math.max(0, at - known.at) * DRIFT;
  const both = {
    least: Math.max(least, known.least - drift),
    most: Math.min(most, known.most + drift),
  };
  return both.least <= both.most ? { ...both, at } : { least, most, at };
}

export const offsetOf = ({ least, most }: Measured): number => (least + most) / 2;
