/** Waits for leads that another process decides. */
import type { Clock } from '../lib/clock.js';
import type { Log } from '../lib/log.js';
import { outcomeUnknown } from '../lib/errors.js';
import { createPoller } from '../lib/poller.js';
import type { LeadAnswer, LeadStore } from '../leads/store/leads.js';
import { GIVE_UP_BY_MS } from './deadlines.js';
import { isUndecided } from '../leads/rules/leadStatus.js';
import { isPromised } from '../leads/rules/promise.js';

const POLL_INTERVAL_MS = 50;
const WAIT_MIN_MS = 300;
/** Maximum ids in one read. */
const READ_MAX = 500;

export type DecisionPoller = ReturnType<typeof createDecisionPoller>;

/**
 * When the time of a request is over, its lead is first marked as promised, and only then answered `pending`: the run that
 * decides the lead keeps a stored promise.
 */
export function createDecisionPoller(deps: { leads: LeadStore; clock: Clock; log: Log }) {
  const { leads, clock, log } = deps;
  const poller = createPoller<LeadAnswer>({
    clock,
    log,
    firstAfterMs: 0,
    everyMs: POLL_INTERVAL_MS,
    waitMinMs: WAIT_MIN_MS,
    readMax: READ_MAX,
    async read(ids, due) {
      if (due.length > 0) await leads.promise(due, clock.now());
      return leads.answers(ids);
    },
    isFinal: (answer) =>
      answer !== undefined &&
      (!isUndecided(answer.status) || isPromised(answer) || waitsInLane(answer)),
    failure: 'waiting leads could not be read',
    tooLate: outcomeUnknown,
  });
  return {
    /**
     * The lead's state when it is decided or promised, or when the waiting request's time is over; null when it is not stored.
     * @param receivedAt when the request that waits arrived, on the monotonic clock
     * @param withinMs how long after that it may wait
     * @throws {AppError} `outcome_unknown` when the database does not answer in time
     */
    async wait(leadId: string, receivedAt: number, withinMs: number): Promise<LeadAnswer | null> {
      const answer = await poller.wait(leadId, receivedAt + withinMs, receivedAt + GIVE_UP_BY_MS);
      return answer ?? null;
    },
  };
}

/** In the durable lane: it is not decided while a request waits. */
const waitsInLane = (answer: LeadAnswer): boolean =>
  answer.status === 'PENDING' && answer.run === null;
