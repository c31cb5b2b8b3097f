/** A request whose Idempotency-Key belongs to an earlier one: it gets that one's answer, or its place. */
import { AppError, outcomeUnknown, unavailable } from '../lib/errors.js';
import { claimedAt, expiryOf, STORED_WITHIN_MS } from '../leads/rules/keyTimes.js';
import { isCapped, isPromised } from '../leads/rules/promise.js';
import type { IdempotencyDoc } from '../leads/store/intakeDocs.js';
import type { LeadAnswer } from '../leads/store/leads.js';
import { JOINED_BY_MS } from './deadlines.js';
import { waitForOther } from './decisionPoller.js';
import type { IntakeItem, GroupResult } from './group.js';
import type { IntakeDeps } from './intakeDeps.js';
import { freeKey } from './keyRows.js';
import { keptReply } from './reply.js';
import type { ShownBuyer } from '../leads/shownBuyer.js';
import type { IngestAnswer } from './types.js';

/** A request that has waited longer, in milliseconds, has no time left to be accepted itself. */
const TAKE_OVER_MS = 1_000;

/** The terms on which a request waits for the earlier one's answer. */
export interface Joining {
  /** Of its body; the second as an earlier release made it. */
  body_hashes: readonly [string, string];
  answerWithinMs: number;
  /** On the monotonic clock. */
  receivedAt: number;
}

/**
 * Waits for the earlier request and returns its answer; null where that is not kept (it was not accepted, or its source
 * had reached its cap), so that its key is free.
 * @throws {AppError} `idempotency_key_reused` when the body is another one; `outcome_unknown` when it is not known yet
 * whether the earlier request is accepted
 */
export async function answerOfEarlier(
  { body_hashes, answerWithinMs, receivedAt }: Joining,
  row: IdempotencyDoc,
  deps: Pick<IntakeDeps, 'decisionPoller' | 'leads' | 'clock' | 'shownBuyer'>,
): Promise<IngestAnswer | null> {
  const { leads, clock } = deps;
  if (!body_hashes.includes(row.body_hash)) {
    throw new AppError(
      'idempotency_key_reused',
      'This Idempotency-Key was used with another body. Use a new key for a new lead.',
    );
  }
  const storedBy = claimedAt(row) + STORED_WITHIN_MS;
  const isOld = Number(clock.now()) >= storedBy;
  // Its process died before it stored the lead. A request that waited for that lead would have no time for its own.
  if (isOld && !(await leads.answers([row.lead_id])).has(row.lead_id)) return null;
  const withinMs = Math.min(answerWithinMs, JOINED_BY_MS);
  let answer = await waitForOther(row.lead_id, { receivedAt, withinMs }, deps);
  // No run has acquired it yet: a promise would be false, and so might a refusal before the first request's time is up.
  if (isNotAcquired(answer))
    answer = await waitForOther(row.lead_id, { receivedAt, withinMs: JOINED_BY_MS }, deps);
  if (isNotAcquired(answer)) throw outcomeUnknown();
  if (answer?.replay_of !== undefined) {
    // The first request with this key was itself a repetition: it received another lead's answer.
    const original = await waitForOther(answer.replay_of, { receivedAt, withinMs }, deps);
    if (original) answer = original;
  }
  const askedAt = Number(clock.now()) - (clock.monotonic() - receivedAt);
  if (answer) return leavesKey(answer, askedAt) ? null : replayed(answer, deps.shownBuyer);
  if (Number(clock.now()) >= storedBy) return null;
  throw outcomeUnknown();
}

/** Whether the key is free for a request that came at `askedAt`; never once its supplier was promised a decision. */
function leavesKey(answer: LeadAnswer, askedAt: number): boolean {
  if (isPromised(answer)) return false;
  if (answer.status === 'WITHDRAWN') return true;
  // A request that came before the decision gets the same answer; for a later one the cap may have room again.
  return isCapped(answer) && Number(answer.decided_at) < askedAt;
}

const isNotAcquired = (answer: LeadAnswer | null): boolean =>
  answer?.status === 'NEW' && answer.run === null;

function replayed(answer: LeadAnswer, shown: ShownBuyer): IngestAnswer {
  try {
    return { ...keptReply(answer, shown), replayed: true };
  } catch (error) {
    if (error instanceof AppError) error.extras.headers = { 'idempotent-replayed': 'true' };
    throw error;
  }
}

/**
 * The earlier request with this key was not accepted: this one is the first.
 * @throws {AppError} `unavailable` when it is too late for that; `outcome_unknown` when a third request was faster
 */
export async function takeOver(
  item: IntakeItem,
  row: IdempotencyDoc,
  deps: Pick<IntakeDeps, 'clock' | 'groups' | 'idempotency' | 'log'>,
): Promise<Exclude<GroupResult, { kind: 'join' }>> {
  const mine = {
    ...row,
    lead_id: item.admitted.lead._id,
    expires_at: expiryOf(deps.clock.now()),
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
  // In place: the caller is answered with the group's result for this request.
  item.idempotency.claimed = true;
  try {
    const taken = await deps.groups.submit(item);
    if (taken.kind === 'join') throw outcomeUnknown();
    return taken;
  } catch (error) {
    // Refused on the current account: no lead of this key will be stored, so no request need wait for one.
    if (!isUnknown(error)) await freeKey(item, deps);
    throw error;
  }
}

const isUnknown = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'outcome_unknown';
