/** Answers that only the database has: another process decides the lead, or the request repeats another one. */
import type { LeadAnswer } from '../leads/store/leads.js';
import { outcomeUnknown } from '../lib/errors.js';
import { isDatabaseError } from '../platform/mongo/databaseErrors.js';
import { OTHERS_PROMISE_AFTER_MS } from './deadlines.js';
import type { Accepted, IntakeDeps, IntakeItem } from './group.js';
import { keptReply, replyOf } from './reply.js';
import type { IngestAnswer } from './types.js';

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
