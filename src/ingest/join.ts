/** A request whose Idempotency-Key an earlier one has: it gets that one's answer, or its place. */
import { AppError, outcomeUnknown, unavailable } from '../lib/errors.js';
import type { IdempotencyDoc } from '../leads/store/intakeDocs.js';
import type { LeadAnswer } from '../leads/store/leads.js';
import { JOINED_BY_MS } from './deadlines.js';
import type { IntakeItem, GroupResult } from './group.js';
import type { IntakeDeps } from './intakeDeps.js';
import { freeKey } from './keyRows.js';
import { pendingReply, replyOf } from './reply.js';
import type { ShownBuyer } from '../leads/shownBuyer.js';
import type { IngestAnswer } from './types.js';

/** Longer than any first request may take to store its lead, in milliseconds. */
const STORING_MS = 10_000;
/** A request that has waited longer has no time left to be taken itself, in milliseconds. */
const TAKE_OVER_MS = 1_000;
const DAY_MS = 86_400_000;

/** What is asked of the earlier request's answer. */
export interface Joining {
  body_hash: string;
  answerWithinMs: number;
  /** On the monotonic clock. */
  receivedAt: number;
}

/**
 * Waits for the earlier request and gives its answer; null where that is not kept (it was not taken, or its source had
 * reached its cap), so that its key is free.
 * @throws {AppError} `idempotency_key_reused` when the body is another one; `outcome_unknown` when nobody can tell
 * yet whether the earlier request is taken
 */
export async function answerOfEarlier(
  { body_hash, answerWithinMs, receivedAt }: Joining,
  row: IdempotencyDoc,
  {
    decisionPoller,
    leads,
    clock,
    shownBuyer,
  }: Pick<IntakeDeps, 'decisionPoller' | 'leads' | 'clock' | 'shownBuyer'>,
): Promise<IngestAnswer | null> {
  if (row.body_hash !== body_hash) {
    throw new AppError(
      'idempotency_key_reused',
      'This Idempotency-Key was used with another body. Use a new key for a new lead.',
    );
  }
  const storedBy = Number(row.expires_at) - DAY_MS + STORING_MS;
  const isOld = Number(clock.now()) >= storedBy;
  // Its process died before it stored the lead. A request that waits for that lead has no time left to take its place.
  if (isOld && !(await leads.answers([row.lead_id])).has(row.lead_id)) return null;
  const withinMs = Math.min(answerWithinMs, JOINED_BY_MS);
  let answer = await decisionPoller.wait(row.lead_id, receivedAt, withinMs);
  // Not taken yet: a promise would not be true, and before the first request's own time is up nor would a no.
  if (isNotAcquired(answer))
    answer = await decisionPoller.wait(row.lead_id, receivedAt, JOINED_BY_MS);
  if (isNotAcquired(answer)) throw outcomeUnknown();
  if (answer?.replay_of !== undefined) {
    // The first request with this key was itself a repetition: it was told another lead's answer.
    const original = await decisionPoller.wait(answer.replay_of, receivedAt, withinMs);
    if (original) return replayed(original, shownBuyer);
  }
  if (answer?.status === 'WITHDRAWN') return null;
  // A request that came while it was decided gets the same answer; for a later one there may be room again.
  const askedAt = Number(clock.now()) - (clock.monotonic() - receivedAt);
  if (answer?.refusal && Number(answer.decided_at) < askedAt) return null;
  if (answer) return replayed(answer, shownBuyer);
  if (Number(clock.now()) >= storedBy) return null;
  throw outcomeUnknown();
}

const isNotAcquired = (answer: LeadAnswer | null): boolean =>
  answer?.status === 'NEW' && answer.run === null;

function replayed(answer: LeadAnswer, shown: ShownBuyer): IngestAnswer {
  // The original answer, even if the promise it made has been kept since.
  const original = answer.pending_at ? pendingReply(answer) : replyAgain(answer, shown);
  return { ...original, replayed: true };
}

function replyAgain(answer: LeadAnswer, shown: ShownBuyer): IngestAnswer {
  try {
    return replyOf(answer, shown);
  } catch (error) {
    if (error instanceof AppError) error.extras.headers = { 'idempotent-replayed': 'true' };
    throw error;
  }
}

/**
 * The earlier request with this key was not taken: this one is the first.
 * @throws {AppError} `unavailable` when it is too late for that; `outcome_unknown` when a third one was faster
 */
export async function takeOver(
  item: IntakeItem,
  row: IdempotencyDoc,
  deps: Pick<IntakeDeps, 'clock' | 'groups' | 'idempotency' | 'log'>,
): Promise<Exclude<GroupResult, { kind: 'join' }>> {
  const mine = {
    ...row,
    lead_id: item.admitted.lead._id,
    expires_at: new Date(Number(deps.clock.now()) + DAY_MS),
  };
  const spent = deps.clock.monotonic() - item.receivedAt;
  if (spent > TAKE_OVER_MS) {
    throw unavailable(
      'The first request with this Idempotency-Key was not accepted. Send it again.',
    );
  }
  if (!item.idempotency || !(await deps.idempotency.replace(row, mine))) {
    throw outcomeUnknown();
  }
  // In place: who asked for it is answered by what the group makes of the request.
  item.idempotency.claimed = true;
  try {
    const taken = await deps.groups.submit(item);
    if (taken.kind === 'join') throw outcomeUnknown();
    return taken;
  } catch (error) {
    // Refused on the account as it is now: no lead of this key will be stored, so nobody need wait for one.
    if (!isUnknown(error)) await freeKey(item, deps);
    throw error;
  }
}

const isUnknown = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'outcome_unknown';
