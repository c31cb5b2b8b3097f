/**
 * Waiting for leads that are decided elsewhere: one shared read every 50 ms for everybody who waits.
 * When the time of a request is over, its lead is first marked as promised, and only then answered `pending`:
 * a promise that is stored is kept by whoever decides the lead.
 */
import type { Clock } from '../lib/clock.js';
import type { Log } from '../lib/log.js';
import { outcomeUnknown } from '../lib/errors.js';
import type { LeadAnswer, LeadStore } from '../leads/store/leads.js';
import { GIVE_UP_BY_MS } from './deadlines.js';
import { isUndecided } from '../leads/rules/leadStatus.js';

export interface Answers {
  /**
   * The lead's state when it is decided, or when the time of who asks is over; null when it is not stored.
   * @param receivedAt when the request that waits arrived, on the monotonic clock
   * @param withinMs how long after that it may wait
   * @throws {AppError} `outcome_unknown` when the database could not be asked in time
   */
  wait(leadId: string, receivedAt: number, withinMs: number): Promise<LeadAnswer | null>;
}

interface Waiter {
  leadId: string;
  until: number;
  giveUpAt: number;
  resolve: (answer: LeadAnswer | null) => void;
}

const POLL_MS = 50;
/** A wait that begins late is given so long all the same, in milliseconds. */
const LEAST_MS = 300;
/** Ids in one read at the most. */
const READ_MAX = 500;

export function createAnswers(deps: { leads: LeadStore; clock: Clock; log: Log }): Answers {
  let waiters: Waiter[] = [];
  let polling = false;

  const poll = async () => {
    const batch = waiters.slice(0, READ_MAX);
    const due = batch.filter((waiter) => waiter.until <= deps.clock.monotonic());
    if (due.length > 0)
      await deps.leads.promise(
        due.map(({ leadId }) => leadId),
        deps.clock.now(),
      );
    const answers = await deps.leads.answers([...new Set(batch.map(({ leadId }) => leadId))]);
    const done = new Set<Waiter>();
    for (const waiter of batch) {
      const answer = answers.get(waiter.leadId) ?? null;
      const decided = answer !== null && (!isUndecided(answer.status) || waitsInLane(answer));
      if (!decided && !due.includes(waiter)) continue;
      done.add(waiter);
      waiter.resolve(answer);
    }
    // Those not read this time go first the next time.
    waiters = [...waiters.slice(batch.length), ...batch.filter((waiter) => !done.has(waiter))];
  };

  const run = async () => {
    while (waiters.length > 0) {
      try {
        await poll();
      } catch (error) {
        deps.log.warn({ err: error }, 'waiting leads could not be read');
        // Those whose time is up have been told by their own timer.
        const now = deps.clock.monotonic();
        waiters = waiters.filter(({ giveUpAt }) => giveUpAt > now);
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    polling = false;
  };

  return {
    wait(leadId, receivedAt, withinMs) {
      const until = receivedAt + withinMs;
      const giveUpAt = receivedAt + GIVE_UP_BY_MS;
      return new Promise((resolve, reject) => {
        // A read that hangs must not keep anybody: a second answer to a waiter changes nothing.
        const leftMs = Math.max(giveUpAt - deps.clock.monotonic(), LEAST_MS);
        setTimeout(() => reject(outcomeUnknown()), leftMs).unref();
        waiters.push({ leadId, until, giveUpAt, resolve });
        if (polling) return;
        polling = true;
        void run();
      });
    },
  };
}

/** In the durable lane: nothing will be decided while a request waits. */
const waitsInLane = (answer: LeadAnswer): boolean =>
  answer.status === 'PENDING' && answer.run === null;
