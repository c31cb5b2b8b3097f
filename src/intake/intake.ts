/** A lead's way in: from the request to the answer. */
import { MongoError } from 'mongodb';
import { hashKey, isWellFormedKey } from '../auth/keys.js';
import type { Clock } from '../clock.js';
import { ANSWER_DEADLINE_MS } from '../domain/lead.js';
import { AppError, unavailable } from '../errors.js';
import type { RateLimiter } from '../http/rateLimiter.js';
import type { Log } from '../log.js';
import type { IdempotencyStore } from '../store/idempotency.js';
import type { LeadStore } from '../store/leads.js';
import type { GroupCommit } from '../temporal/groupCommit.js';
import type { LeadVerdict } from '../../workflows/messages.js';
import { requireSupplier, unauthorized } from './access.js';
import type { Admit, Admitted } from './admission.js';
import type { Answers } from './answers.js';
import type { Directory, SupplierAccess } from './directory.js';
import type { Item, Taken } from './handOver.js';
import { joinEarlier } from './join.js';
import { readIdempotencyKey } from './idempotencyKey.js';
import type { Marks } from './marks.js';
import { takeToken } from './rate.js';
import { capped, pendingReply, replyOf } from './reply.js';
import type { IngestAnswer, IngestRequest, Intake } from './types.js';

export interface IntakeDeps {
  directory: Directory;
  admit: Admit;
  limiter: RateLimiter;
  groups: GroupCommit<Item, Taken>;
  answers: Answers;
  leads: LeadStore;
  idempotency: IdempotencyStore;
  marks: Marks;
  clock: Clock;
  log: Log;
}

export function createIntake(deps: IntakeDeps): Intake {
  return {
    async submit(request) {
      try {
        return await submit(request, deps);
      } catch (error) {
        // Whatever is stored has been taken back or will be: see `handOver`.
        if (error instanceof MongoError) {
          throw unavailable('The service cannot take leads now. Send the lead again.', error);
        }
        throw error;
      }
    },
    answered(leadId, delivered) {
      if (delivered) deps.marks.answered(leadId);
      else deps.marks.broken(leadId);
    },
  };
}

async function submit(request: IngestRequest, deps: IntakeDeps): Promise<IngestAnswer> {
  if (request.key === undefined || !isWellFormedKey(request.key)) throw unauthorized();
  const keyHash = hashKey(request.key);
  const access = await requireSupplier(keyHash, deps.directory);
  const headers = await takeToken(access, deps.limiter);
  const answer = await decide(request, keyHash, access, deps).catch((error: unknown) => {
    if (error instanceof AppError) error.extras.headers = { ...headers, ...error.extras.headers };
    throw error;
  });
  return { ...answer, headers };
}

async function decide(
  request: IngestRequest,
  keyHash: string,
  access: SupplierAccess,
  deps: IntakeDeps,
): Promise<IngestAnswer> {
  const admitted = await admitAsOfNow(access, request.body, deps);
  const key = readIdempotencyKey(request.idempotencyKey);
  const item: Item = {
    admitted,
    access,
    keyHash,
    body: request.body,
    receivedAt: request.receivedAt,
    ...(key === undefined
      ? {}
      : {
          idempotency: {
            row: {
              _id: `${access.supplier_id}:${hashKey(key)}`,
              body_hash: admitted.lead.body_hash,
            },
            claimed: false,
          },
        }),
  };
  const taken = await deps.groups.submit(item);
  const own = taken.kind === 'join' ? await joinEarlier(item, taken.row, deps) : taken;
  if ('answer' in own) return own.answer;
  return answerOf(own.verdict, item, request, deps);
}

/** A refusal is only given on the account as it is now: what this process remembers may be old. */
async function admitAsOfNow(
  access: SupplierAccess,
  body: Record<string, unknown>,
  { admit, directory }: Pick<IntakeDeps, 'admit' | 'directory'>,
): Promise<Admitted> {
  const before = directory.known(access.org_id);
  try {
    return await admit(access, body);
  } catch (error) {
    const versions = await directory.refresh([access.org_id]);
    if (versions.get(access.org_id) === before) throw error;
    return admit(access, body);
  }
}

async function answerOf(
  verdict: LeadVerdict,
  item: Item,
  request: IngestRequest,
  deps: IntakeDeps,
): Promise<IngestAnswer> {
  const { lead } = item.admitted;
  const state = { ...verdict, _id: lead._id, campaign_id: lead.campaign_id };
  if (verdict.status === 'CAPPED') throw capped();
  if (verdict.status === 'PENDING') return pendingReply(lead._id, lead.campaign_id);
  if (verdict.replay_of !== undefined) return replay(verdict.replay_of, item, deps);
  if (verdict.status === 'OPEN' || verdict.status === 'REJECTED') {
    return waitFor(item, request, deps);
  }
  return replyOf({
    ...state,
    status: verdict.status,
    supplier_id: lead.supplier_id,
    body_hash: lead.body_hash,
    buyer_id: verdict.buyer_id ?? null,
  });
}

/** The lead is decided elsewhere, or what there is to say about it is in the database only. */
async function waitFor(
  item: Item,
  request: IngestRequest,
  deps: IntakeDeps,
): Promise<IngestAnswer> {
  const { lead } = item.admitted;
  const onClose = () => deps.marks.broken(lead._id);
  request.closed.addEventListener('abort', onClose, { once: true });
  try {
    const until = request.receivedAt + Math.min(lead.answer_within_ms, ANSWER_DEADLINE_MS);
    const answer = await deps.answers.wait(lead._id, until);
    return answer ? replyOf(answer) : pendingReply(lead._id, lead.campaign_id);
  } finally {
    request.closed.removeEventListener('abort', onClose);
  }
}

/** The earlier request's answer, once more. */
async function replay(leadId: string, item: Item, deps: IntakeDeps): Promise<IngestAnswer> {
  const { lead } = item.admitted;
  const answer = await deps.answers.wait(leadId, item.receivedAt + lead.answer_within_ms);
  if (!answer) return pendingReply(leadId, lead.campaign_id);
  return { ...replyOf(answer), replayed: true };
}
