/** A request whose Idempotency-Key belongs to an earlier one: it gets the same answer, or takes the key over. */
import { AppError, outcomeUnknown, unavailable } from '../lib/errors.js';
import { claimedAt, expiryOf, STORED_WITHIN_MS } from '../leads/rules/keyTimes.js';
import { isCapped, isPromised } from '../leads/rules/promise.js';
import type { IdempotencyDoc } from '../leads/store/intakeDocs.js';
import type { LeadAnswer } from '../leads/store/leads.js';
import { bodyHash, roundedBodyHash } from './admission.js';
import { JOINED_BY_MS } from './deadlines.js';
import { waitForOther } from './readReply.js';
import type { Accepted, IntakeDeps, IntakeItem, KeyRow } from './group.js';
import { freeKey } from './keyRows.js';
import { keptReply } from './reply.js';
import type { ShownBuyer } from '../leads/shownBuyer.js';
import type { IngestAnswer } from './types.js';

/** A request that has waited longer, in milliseconds, has no time left to be accepted itself. */
const TAKE_OVER_MS = 1_000;

/**
 * Returns the earlier request's answer, or the result of this one if the earlier one was not accepted.
 * @throws {AppError} as `answerOfEarlier` and `takeOver`
 */
export const joinEarlier = async (
  item: IntakeItem,
  row: IdempotencyDoc,
  deps: IntakeDeps,
): Promise<IngestAnswer | Accepted> =>
  (await answerOfEarlier(row, item, item.admitted.plan.answer_within_ms, deps)) ??
  takeOver(item, row, deps);

/** The answer of an earlier request with the key of one that is refused now; null if there is none. */
export async function findEarlierAnswer(
  { _id }: KeyRow,
  request: Repeating,
  deps: IntakeDeps,
): Promise<IngestAnswer | null> {
  const row = await deps.idempotency.get(_id);
  return row && answerOfEarlier(row, request, JOINED_BY_MS, deps);
}

type Repeating = Pick<IntakeItem, 'access' | 'body' | 'receivedAt'>;

/**
 * Waits for the earlier request and returns its answer; null where none is kept and the key is free: it was not accepted,
 * or its source had reached its cap.
 * @throws {AppError} `idempotency_key_reused` when the body is another one; `outcome_unknown` when it is not known yet
 * whether the earlier request is accepted
 */
async function answerOfEarlier(
  row: IdempotencyDoc,
  { access: { supplier_id }, body, receivedAt }: Repeating,
  answerWithinMs: number,
  deps: IntakeDeps,
): Promise<IngestAnswer | null> {
  const { leads, clock } = deps;
  const hashes = [bodyHash(supplier_id, body), roundedBodyHash(supplier_id, body)];
  if (!hashes.includes(row.body_hash)) {
    throw new AppError(
      'idempotency_key_reused',
      'This Idempotency-Key was used with another body. Use a new key for a new lead.',
    );
  }
  const isOld = (): boolean => Number(clock.now()) >= claimedAt(row) + STORED_WITHIN_MS;
  // Its process died before it stored the lead. A request that waited for that lead would have no time for its own.
  if (isOld() && !(await leads.answers([row.lead_id])).has(row.lead_id)) return null;
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
  // On the wall clock, as the time of the decision is stored.
  const arrivedAt = Number(clock.now()) - (clock.monotonic() - receivedAt);
  if (answer) return isKeyFree(answer, arrivedAt) ? null : replayed(answer, deps.shownBuyer);
  if (isOld()) return null;
  throw outcomeUnknown();
}

/** Whether the key is free for a request that arrived then; never once its supplier was promised a decision. */
function isKeyFree(answer: LeadAnswer, arrivedAt: number): boolean {
  if (isPromised(answer)) return false;
  if (answer.status === 'WITHDRAWN') return true;
  // A request that came before the decision gets the same answer; for a later one the cap may have room again.
  return isCapped(answer) && Number(answer.decided_at) < arrivedAt;
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
async function takeOver(
  item: IntakeItem,
  row: IdempotencyDoc,
  deps: IntakeDeps,
): Promise<Accepted> {
  const { admitted, idempotency, receivedAt } = item;
  const elapsedMs = deps.clock.monotonic() - receivedAt;
  if (elapsedMs > TAKE_OVER_MS)
    throw unavailable(
      'The first request with this Idempotency-Key was not accepted. Send it again.',
    );
  const expires_at = expiryOf(deps.clock.now());
  const replacing = { ...row, lead_id: admitted.lead._id, expires_at };
  if (!idempotency || !(await deps.idempotency.replace(row, replacing))) throw outcomeUnknown();
  // In place: the caller is answered with the group's result for this request.
  idempotency.claimed = true;
  try {
    const result = await deps.groups.submit(item);
    if (result.kind === 'join') throw outcomeUnknown();
    return result;
  } catch (error) {
    // Refused on the current account: no lead of this key will be stored, so no request need wait for one.
    if (!isUnknown(error)) await freeKey(item, deps);
    throw error;
  }
}

const isUnknown = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'outcome_unknown';
