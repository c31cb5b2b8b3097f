/** A lead's path from the request to the answer: key, allowance, admission, acceptance, reply. */
import { INGEST_ALLOWANCE, takeToken, type Allowed } from '../account/access/takeToken.js';
import { requireSupplier, unauthorized } from '../account/access/requirePartner.js';
import { admitAsOfNow } from '../account/access/revalidate.js';
import { AppError } from '../lib/errors.js';
import { withTimeout } from '../lib/withTimeout.js';
import type { LeadResult } from '../platform/metrics/accountMetrics.js';
import { orUnavailable } from '../platform/mongo/databaseErrors.js';
import { hashKey, isWellFormedKey } from '../platform/security/keys.js';
import { bodyHash, type Admit } from './admission.js';
import { GROUPED_BY_MS } from './deadlines.js';
import { readReply } from './readReply.js';
import type { IntakeDeps, IntakeItem, KeyRow } from './group.js';
import { findEarlierAnswer, joinEarlier } from './join.js';
import { freeKey } from './keyRows.js';
import { replyToVerdict } from './reply.js';
import type { IngestAnswer, IngestRequest, Intake } from './types.js';

const KEY_MAX = 255;
const CANNOT_CHECK = 'The service cannot check leads now. Call again.';
const CANNOT_ACCEPT = 'The service cannot accept leads now. Send the lead again.';

export function createIntake(deps: IntakeDeps): Intake {
  return {
    // A database error here means that nothing is stored: failures after that arrive as `outcome_unknown`.
    submit: (request) => submit(request, deps).catch(orUnavailable(CANNOT_ACCEPT)),
    check: (request) => check(request, deps).catch(orUnavailable(CANNOT_CHECK)),
    answered(leadId, delivered) {
      if (delivered) deps.responseLog.answered(leadId);
      else deps.responseLog.broken(leadId);
    },
  };
}

async function check(
  { key, body }: Pick<IngestRequest, 'key' | 'body'>,
  { accountCache, admit: admitting }: IntakeDeps,
): Promise<void> {
  if (key === undefined || !isWellFormedKey(key)) throw unauthorized();
  const keyHash = hashKey(key);
  const access = await requireSupplier(keyHash, accountCache);
  await admitAsOfNow(keyHash, access, body, { admit: admitting, accountCache });
}

async function submit(request: IngestRequest, deps: IntakeDeps): Promise<IngestAnswer> {
  if (request.key === undefined || !isWellFormedKey(request.key)) throw unauthorized();
  const keyHash = hashKey(request.key);
  // Nothing is stored yet, so a database that hangs is a definitive refusal here, and an early one.
  const { headers, ...caller } = await withTimeout(GROUPED_BY_MS, CANNOT_ACCEPT, () =>
    takeToken(keyHash, INGEST_ALLOWANCE, deps),
  );
  try {
    const answer = await answerRequest(request, { keyHash, ...caller }, deps);
    return { ...answer, headers };
  } catch (error) {
    if (error instanceof AppError) error.extras.headers = { ...headers, ...error.extras.headers };
    throw error;
  }
}

type Caller = Omit<Allowed, 'headers'> & { keyHash: string };

async function answerRequest(
  request: IngestRequest,
  caller: Caller,
  deps: IntakeDeps,
): Promise<IngestAnswer> {
  const { access } = caller;
  const key = readIdempotencyKey(request.idempotencyKey);
  const row = key === undefined ? undefined : keyRow(key, access.supplier_id, request);
  try {
    const item = await admit(request, caller, deps);
    if (row) item.idempotency = { row, claimed: false };
    return await acceptWhileConnected(item, request.closed, deps);
  } catch (error) {
    // A request that would be refused now may repeat one that was accepted before the account changed, or use its key
    // for another lead.
    const earlier =
      row && isRefusal(error) ? await findEarlierAnswer(row, { ...request, access }, deps) : null;
    if (earlier) return earlier;
    throw error;
  }
}

async function admit(
  { body, receivedAt, origin }: IngestRequest,
  { keyHash, access, isCurrent }: Caller,
  deps: IntakeDeps,
): Promise<IntakeItem> {
  const admitting: Admit = (now, sent, before) => deps.admit(now, sent, before, origin);
  const admitted = await admitAsOfNow(keyHash, access, body, { ...deps, admit: admitting });
  return { admitted, access, isCurrent, keyHash, body, receivedAt };
}

async function acceptWhileConnected(
  item: IntakeItem,
  closed: AbortSignal,
  deps: IntakeDeps,
): Promise<IngestAnswer> {
  // At once, and not when the answer is ready: the supplier may send the request again while a buyer still decides.
  const onClose = () => {
    // The lead may not be stored yet, and then there is nothing to mark: the step that stores it checks the request.
    item.disconnected = true;
    deps.responseLog.broken(item.admitted.lead._id);
  };
  if (closed.aborted) item.disconnected = true;
  closed.addEventListener('abort', onClose, { once: true });
  try {
    return await accept(item, deps);
  } catch (error) {
    // The supplier's cap may have room again: only 2xx and filter refusals are kept under a key.
    if (error instanceof AppError && error.code === 'supplier_capped') await freeKey(item, deps);
    throw error;
  } finally {
    closed.removeEventListener('abort', onClose);
  }
}

async function accept(item: IntakeItem, deps: IntakeDeps): Promise<IngestAnswer> {
  const result = await deps.groups.submit(item);
  const accepted = result.kind === 'join' ? await joinEarlier(item, result.row, deps) : result;
  if (!('kind' in accepted)) return accepted;
  const counts = accepted.kind === 'verdict' && !item.admitted.lead.is_test;
  try {
    const answer = replyToVerdict(accepted, item, deps) ?? (await readReply(accepted, item, deps));
    if (counts && !answer.replayed) count(item, resultOf(answer), deps);
    return answer;
  } catch (error) {
    if (counts && isDecision(error)) count(item, 'REJECTED', deps);
    throw error;
  }
}

const count = ({ admitted }: IntakeItem, result: LeadResult, { metrics }: IntakeDeps): void =>
  metrics.countLead(admitted.lead.campaign_id, result);

const resultOf = ({ data: { status, delivery } }: IngestAnswer): LeadResult =>
  delivery === 'pending' ? 'PENDING' : status;

/** After any other error the lead is not accepted, or what became of it is not known. */
const isDecision = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'filtered' || error.code === 'supplier_capped');

const keyRow = (key: string, supplierId: string, { body }: IngestRequest): KeyRow => ({
  _id: `${supplierId}:${hashKey(key)}`,
  body_hash: bodyHash(supplierId, body),
});

/** Refusals because of the account: faults of the request, the campaign or the link as they are now. */
const isRefusal = (error: unknown): boolean =>
  error instanceof AppError &&
  [400, 403, 404].includes(error.status) &&
  error.code !== 'supplier_capped';

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
