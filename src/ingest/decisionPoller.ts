/** Answers that only the database has: another process decides the lead, or the request repeats another one. */
import type { Clock } from '../lib/clock.js';
import type { Log } from '../lib/log.js';
import { outcomeUnknown } from '../lib/errors.js';
import { createPoller } from '../lib/poller.js';
import type { LeadAnswer, LeadStore } from '../leads/store/leads.js';
import { GIVE_UP_BY_MS, OTHERS_PROMISE_AFTER_MS } from './deadlines.js';
import { isUndecided } from '../leads/rules/leadStatus.js';
import { isPromised } from '../leads/rules/promise.js';
import { isDatabaseError } from '../platform/mongo/databaseErrors.js';
import type { Accepted, IntakeDeps, IntakeItem } from './group.js';
import { keptReply, replyOf } from './reply.js';
import type { IngestAnswer } from './types.js';

const POLL_INTERVAL_MS = 50;
const WAIT_MIN_MS = 300;
/** Maximum ids in one read. */
const READ_MAX = 500;

/**
 * The reply to a request whose lead is stored: a database that fails leaves its result unknown.
 * @throws {AppError} refusals, and `outcome_unknown`
 */
export async function readReply(
  accepted: Accepted,
  item: IntakeItem,
  deps: Pick<IntakeDeps, 'decisionPoller' | 'clock' | 'shownBuyer'>,
): Promise<IngestAnswer> {
  const { idempotency, receivedAt, admitted } = item;
  const withinMs = admitted.plan.answer_within_ms;
  try {
    const found =
      accepted.kind === 'verdict'
        ? await deps.decisionPoller.wait(admitted.lead._id, receivedAt, withinMs)
        : null;
    const original = accepted.kind === 'resent' ? accepted.leadId : found?.replay_of;
    const replayed = original !== undefined;
    const answer = replayed ? await waitForOther(original, { receivedAt, withinMs }, deps) : found;
    if (!answer) throw outcomeUnknown();
    // One key, one answer: another request with the same key may have received `pending`.
    const reply = idempotency ? keptReply : replyOf;
    return { ...reply(answer, deps.shownBuyer), replayed };
  } catch (error) {
    throw isDatabaseError(error) ? outcomeUnknown(error) : error;
  }
}

/**
 * Waits for a lead of another request, which the caller has just found: it is promised only after
 * `OTHERS_PROMISE_AFTER_MS`, even where the time of the waiting request is over.
 */
export function waitForOther(
  leadId: string,
  { receivedAt, withinMs }: { receivedAt: number; withinMs: number },
  { decisionPoller, clock }: Pick<IntakeDeps, 'decisionPoller' | 'clock'>,
): Promise<LeadAnswer | null> {
  const earliestMs = clock.monotonic() - receivedAt + OTHERS_PROMISE_AFTER_MS;
  return decisionPoller.wait(leadId, receivedAt, Math.max(withinMs, earliestMs));
}

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
