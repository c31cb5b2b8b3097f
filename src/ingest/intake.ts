/** A lead's path from the request to the answer. */
import { hashKey, isWellFormedKey } from '../platform/security/keys.js';
import { AppError, outcomeUnknown } from '../lib/errors.js';
import type { FunnelOrigin } from '../leads/rules/origin.js';
import type { IdempotencyDoc } from '../leads/store/intakeDocs.js';
import type { LeadAnswer } from '../leads/store/leads.js';
import { isDatabaseError, orUnavailable } from '../platform/mongo/databaseErrors.js';
import type { LeadVerdict } from '../../workflows/messages.js';
import { unauthorized } from '../account/access/requirePartner.js';
import { bodyHash, roundedBodyHash, type Admit } from './admission.js';
import { GROUPED_BY_MS, JOINED_BY_MS, OTHERS_PROMISE_AFTER_MS } from './deadlines.js';
import { waitForOther } from './decisionPoller.js';
import type { SupplierAccess } from '../account/access/accountCache.js';
import type { IntakeItem, GroupResult } from './group.js';
import { answerOfEarlier, takeOver, type Joining } from './join.js';
import { freeKey } from './keyRows.js';
import { INGEST_ALLOWANCE, takeToken } from '../account/access/takeToken.js';
import { admitAsOfNow } from '../account/access/revalidate.js';
import { capped, keptReply, pendingReply, replyOf } from './reply.js';
import type { IngestAnswer, IngestRequest, Intake } from './types.js';
import { withTimeout } from '../lib/withTimeout.js';
import type { IntakeDeps } from './intakeDeps.js';

const KEY_MAX = 255;
const CANNOT_ACCEPT = 'The service cannot accept leads now. Send the lead again.';

export function createIntake(deps: IntakeDeps): Intake {
  return {
    // A database error here means that nothing is stored: failures after that arrive as `outcome_unknown`.
    submit: (request) => submit(request, deps).catch(orUnavailable(CANNOT_ACCEPT)),
    answered(leadId, delivered) {
      if (delivered) deps.responseLog.answered(leadId);
      else deps.responseLog.broken(leadId);
    },
  };
}

async function submit(request: IngestRequest, deps: IntakeDeps): Promise<IngestAnswer> {
  if (request.key === undefined || !isWellFormedKey(request.key)) throw unauthorized();
  const keyHash = hashKey(request.key);
  // Nothing is stored yet, so a database that hangs is a definitive refusal here, and an early one.
  const { headers, ...caller } = await withTimeout(GROUPED_BY_MS, CANNOT_ACCEPT, () =>
    takeToken(keyHash, INGEST_ALLOWANCE, deps),
  );
  const answer = await decide(request, { keyHash, ...caller }, deps).catch((error: unknown) => {
    if (error instanceof AppError) error.extras.headers = { ...headers, ...error.extras.headers };
    throw error;
  });
  return { ...answer, headers };
}

type Caller = Pick<IntakeItem, 'keyHash' | 'access'> & { isCurrent: boolean };

async function decide(
  request: IngestRequest,
  { keyHash, access, isCurrent }: Caller,
  deps: IntakeDeps,
): Promise<IngestAnswer> {
  const key = readIdempotencyKey(request.idempotencyKey);
  const row = key === undefined ? undefined : rowOf(key, access, request);
  try {
    const { body, receivedAt, origin } = request;
    const admitting = origin ? { ...deps, admit: admitFrom(origin, deps) } : deps;
    const admitted = await admitAsOfNow(keyHash, access, body, admitting);
    const item: IntakeItem = { admitted, access, isCurrent, keyHash, body, receivedAt };
    if (row) item.idempotency = { row, claimed: false };
    return await submitItem(item, request.closed, deps);
  } catch (error) {
    // A request that would be refused now may repeat one that was accepted before the account changed, or use its key
    // for another lead.
    const earlier =
      row && isRefusal(error) ? await earlierAnswer(row, access, request, deps) : null;
    if (earlier) return earlier;
    throw error;
  }
}

const admitFrom =
  (origin: FunnelOrigin, { admit }: Pick<IntakeDeps, 'admit'>): Admit =>
  (access, body, before) =>
    admit(access, body, before, origin);

async function submitItem(
  item: IntakeItem,
  closed: AbortSignal,
  deps: IntakeDeps,
): Promise<IngestAnswer> {
  // At once, and not when the answer is ready: the supplier may send the request again while a buyer still decides.
  const onClose = () => {
    // The lead may not be stored yet, and then there is nothing to mark: the step that stores it checks the request.
    item.left = true;
    deps.responseLog.broken(item.admitted.lead._id);
  };
  if (closed.aborted) item.left = true;
  closed.addEventListener('abort', onClose, { once: true });
  try {
    return await submitToGroup(item, deps);
  } catch (error) {
    // The supplier's cap may have room again: only 2xx and filter refusals are kept under a key.
    if (error instanceof AppError && error.code === 'supplier_capped') await freeKey(item, deps);
    throw error;
  } finally {
    closed.removeEventListener('abort', onClose);
  }
}

async function submitToGroup(item: IntakeItem, deps: IntakeDeps): Promise<IngestAnswer> {
  const taken = await deps.groups.submit(item);
  if (taken.kind !== 'join') return answerTo(taken, item, deps);
  const earlier = await answerOfEarlier(joiningOf(item), taken.row, deps);
  return earlier ?? answerTo(await takeOver(item, taken.row, deps), item, deps);
}

/** From here on the lead is stored: if the database fails, the result is unknown, and a refusal would be wrong. */
async function answerTo(
  taken: Exclude<GroupResult, { kind: 'join' }>,
  item: IntakeItem,
  deps: IntakeDeps,
): Promise<IngestAnswer> {
  try {
    if (taken.kind === 'verdict') return await answerOf(taken.verdict, item, deps);
    return await replayAnswer(taken.leadId, item, deps);
  } catch (error) {
    throw isDatabaseError(error) ? outcomeUnknown(error) : error;
  }
}

type KeyRow = Pick<IdempotencyDoc, '_id' | 'body_hash'>;

const rowOf = (key: string, access: SupplierAccess, request: IngestRequest): KeyRow => ({
  _id: `${access.supplier_id}:${hashKey(key)}`,
  body_hash: bodyHash(access.supplier_id, request.body),
});

const joiningOf = ({ admitted, access, body, receivedAt }: IntakeItem): Joining => ({
  body_hashes: [admitted.lead.body_hash, roundedBodyHash(access.supplier_id, body)],
  answerWithinMs: admitted.plan.answer_within_ms,
  receivedAt,
});

/** Refusals because of the account: faults of the request, the campaign or the link as they are now. */
const isRefusal = (error: unknown): boolean =>
  error instanceof AppError &&
  [400, 403, 404].includes(error.status) &&
  error.code !== 'supplier_capped';

async function earlierAnswer(
  row: KeyRow,
  { supplier_id }: SupplierAccess,
  { body, receivedAt }: IngestRequest,
  deps: IntakeDeps,
): Promise<IngestAnswer | null> {
  const earlier = await deps.idempotency.get(row._id);
  if (!earlier) return null;
  const body_hashes = [row.body_hash, roundedBodyHash(supplier_id, body)] as const;
  const joining = { body_hashes, answerWithinMs: JOINED_BY_MS, receivedAt };
  return answerOfEarlier(joining, earlier, deps);
}

async function answerOf(
  verdict: LeadVerdict,
  item: IntakeItem,
  deps: IntakeDeps,
): Promise<IngestAnswer> {
  const { lead } = item.admitted;
  if (mayBePromised(verdict, item, deps)) return waitFor(item, deps);
  const state = { ...verdict, _id: lead._id, campaign_id: lead.campaign_id };
  if (verdict.status === 'CAPPED') throw capped();
  if (verdict.status === 'PENDING') return pendingReply(state);
  if (verdict.replay_of !== undefined) return replayAnswer(verdict.replay_of, item, deps);
  if (verdict.status === 'OPEN' || verdict.status === 'REJECTED') {
    return waitFor(item, deps);
  }
  const decided = {
    ...state,
    status: verdict.status,
    supplier_id: lead.supplier_id,
    body_hash: lead.body_hash,
    buyer_id: verdict.buyer_id ?? null,
    ping: lead.ping,
  };
  return replyOf(decided, deps.shownBuyer);
}

/**
 * A request with the same key may have waited for this one, and received `pending`; or an earlier run may have parked the
 * lead. Then that is the answer, whatever the verdict: the stored lead has it.
 */
const mayBePromised = (
  { promised }: LeadVerdict,
  { idempotency, receivedAt }: IntakeItem,
  { clock }: Pick<IntakeDeps, 'clock'>,
): boolean =>
  idempotency !== undefined &&
  (promised === true || clock.monotonic() - receivedAt >= OTHERS_PROMISE_AFTER_MS);

/** Another process decides the lead, or its answer is only in the database. */
async function waitFor(item: IntakeItem, deps: IntakeDeps): Promise<IngestAnswer> {
  const { lead, plan } = item.admitted;
  const answer = await deps.decisionPoller.wait(lead._id, item.receivedAt, plan.answer_within_ms);
  if (!answer) throw outcomeUnknown();
  return answer.replay_of === undefined
    ? replyTo(item, answer, deps)
    : replayAnswer(answer.replay_of, item, deps);
}

/** One key, one answer: another request with the same key may have received `pending`. */
const replyTo = (
  { idempotency }: IntakeItem,
  answer: LeadAnswer,
  { shownBuyer }: Pick<IntakeDeps, 'shownBuyer'>,
): IngestAnswer => (idempotency ? keptReply : replyOf)(answer, shownBuyer);

/** Repeats the earlier request's answer. */
async function replayAnswer(
  leadId: string,
  item: IntakeItem,
  deps: IntakeDeps,
): Promise<IngestAnswer> {
  const { answer_within_ms: withinMs } = item.admitted.plan;
  const { receivedAt } = item;
  const answer = await waitForOther(leadId, { receivedAt, withinMs }, deps);
  if (!answer) throw outcomeUnknown();
  return { ...replyTo(item, answer, deps), replayed: true };
}

/**
 * The key of an `Idempotency-Key` header, quoted (as the IETF draft has it) or bare.
 * @throws {AppError} `invalid_idempotency_key`
 */
function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const bare = header.trim();
  const key = /^"(.*)"$/s.exec(bare)?.[1] ?? bare;
  if (key.length >= 1 && key.length <= KEY_MAX) return key;
  const message = `Idempotency-Key must have 1 to ${KEY_MAX} characters`;
  throw new AppError('invalid_idempotency_key', message);
}
