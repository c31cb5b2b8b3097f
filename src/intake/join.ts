/** A request whose Idempotency-Key an earlier one has: it gets that one's answer, or its place. */
import { ANSWER_DEADLINE_MS } from '../domain/lead.js';
import { AppError, unavailable } from '../errors.js';
import type { IdempotencyDoc } from '../store/collections.js';
import type { LeadAnswer } from '../store/leads.js';
import type { Item, Taken } from './handOver.js';
import type { IntakeDeps } from './intake.js';
import { pendingReply, replyOf } from './reply.js';
import type { IngestAnswer } from './types.js';

type Own = Extract<Taken, { kind: 'verdict' }>;

/** Longer than any first request may take to store its lead, in milliseconds. */
const STORING_MS = 10_000;
const DAY_MS = 86_400_000;

/**
 * Waits for the earlier request and gives its answer; where that was withdrawn, this request is the first.
 * @throws {AppError} `idempotency_key_reused` when the body is another one
 */
export async function joinEarlier(
  item: Item,
  row: IdempotencyDoc,
  deps: IntakeDeps,
): Promise<{ answer: IngestAnswer } | Own> {
  if (row.body_hash !== item.admitted.lead.body_hash) {
    throw new AppError(
      'idempotency_key_reused',
      'This Idempotency-Key was used with another body. Use a new key for a new lead.',
    );
  }
  const wait = Math.min(item.admitted.lead.answer_within_ms, ANSWER_DEADLINE_MS);
  const answer = await deps.answers.wait(row.lead_id, item.receivedAt + wait);
  if (answer && answer.status !== 'WITHDRAWN') return { answer: replayed(answer) };
  const storedBy = Number(row.expires_at) - DAY_MS + STORING_MS;
  if (!answer && Number(deps.clock.now()) < storedBy) {
    throw unavailable(
      'The first request with this Idempotency-Key is still being taken. Send it again.',
    );
  }
  return takeOver(item, row, deps);
}

function replayed(answer: LeadAnswer): IngestAnswer {
  // The original answer, even if the promise it made has been kept since.
  const original = answer.pending_at
    ? pendingReply(answer._id, answer.campaign_id)
    : replyAgain(answer);
  return { ...original, replayed: true };
}

function replyAgain(answer: LeadAnswer): IngestAnswer {
  try {
    return replyOf(answer);
  } catch (error) {
    if (error instanceof AppError) error.extras.headers = { 'idempotent-replayed': 'true' };
    throw error;
  }
}

async function takeOver(item: Item, row: IdempotencyDoc, deps: IntakeDeps): Promise<Own> {
  const mine = { ...row, lead_id: item.admitted.lead._id };
  if (!item.idempotency || !(await deps.idempotency.replace(row, mine))) {
    throw unavailable('Another request with this Idempotency-Key is being taken. Send it again.');
  }
  const taken = await deps.groups.submit({
    ...item,
    idempotency: { ...item.idempotency, claimed: true },
  });
  if (taken.kind === 'join') throw unavailable('The lead could not be taken now. Send it again.');
  return taken;
}
