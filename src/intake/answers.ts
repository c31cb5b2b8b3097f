/**
 * Waiting for leads that are decided elsewhere: one shared read every 50 ms for everybody who waits.
 * When the time of a request is over, its lead is first marked as promised, and only then answered `pending`:
 * a promise that is stored is kept by whoever decides the lead.
 */
import type { Clock } from '../clock.js';
import type { Log } from '../log.js';
import { outcomeUnknown, type AppError } from '../errors.js';
import type { LeadAnswer, LeadStore } from '../store/leads.js';
import { isOpen } from '../domain/lead.js';

export interface Answers {
  /**
   * The lead's state when it is decided, or when `until` (on the monotonic clock) has come; null when it is not
   * stored.
   * @throws {AppError} `outcome_unknown` when the database could not be asked by then
   */
  wait(leadId: string, until: number): Promise<LeadAnswer | null>;
}

interface Waiter {
  leadId: string;
  until: number;
  resolve: (answer: LeadAnswer | null) => void;
  reject: (error: AppError) => void;
}

const POLL_MS = 50;
/** How long the last read for a request may take, in milliseconds. */
const HANG_MS = 600;
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
      const decided = answer !== null && (!isOpen(answer.status) || waitsInLane(answer));
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
        const now = deps.clock.monotonic();
        waiters
          .filter(({ until }) => until <= now)
          .forEach(({ reject }) => reject(outcomeUnknown(error)));
        waiters = waiters.filter(({ until }) => until > now);
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    polling = false;
  };

  return {
    wait(leadId, until) {
      return new Promise((resolve, reject) => {
        // A read that hangs must not keep anybody: a second answer to a waiter changes nothing.
        const lateMs = Math.max(0, until - deps.clock.monotonic()) + HANG_MS;
        setTimeout(() => reject(outcomeUnknown()), lateMs).unref();
        waiters.push({ leadId, until, resolve, reject });
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
