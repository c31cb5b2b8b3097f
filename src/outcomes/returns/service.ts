/** Returns: request, decision, completion. */
import { DEFAULT_RETURNS } from '../../account/buyers/returnsSchema.js';
import type { ChangeAuthor } from '../../leads/rules/saleChange.js';
import { AppError } from '../../lib/errors.js';
import type { Log } from '../../lib/log.js';
import type { ReturnDoc } from '../store/returnDocs.js';
import { createReturnStore } from '../store/returns.js';
import { finishReturn, type FinishDeps } from './finishReturn.js';
import {
  checkReturn,
  requestReturn,
  type PlannedReturns,
  type RequestDeps,
  type ReturnRequest,
} from './requestReturn.js';

export interface ReturnsDeps
  extends Omit<RequestDeps, 'returns'>, Omit<FinishDeps, 'returns' | 'collections'> {
  log: Log;
}

interface ReturnVerdict {
  org_id: string;
  return_id: string;
  result: 'accept' | 'reject';
  note: string | null;
  by: ChangeAuthor;
}

type Parts = RequestDeps & FinishDeps & { log: Log };

/** The author of automatic acceptances. */
const SYSTEM: ChangeAuthor = { kind: 'system' };
/** The process that accepts a return finishes it at once: one older than this, in milliseconds, was abandoned. */
const LEFT_MS = 30_000;
const PER_RUN = 500;
/** Milliseconds after which no further one is begun. */
const RUN_MS = 3_000;

export type Returns = ReturnType<typeof createReturns>;

/** Returning leads, for the interfaces of buyers and operators. */
export function createReturns(deps: ReturnsDeps) {
  const parts: Parts = { ...deps, returns: createReturnStore(deps.collections) };
  return {
    /**
     * Requests a return; a repetition while it is open is the same request.
     * @throws {AppError} `not_found` for a lead that the buyer does not have, `action_refused` where the buyer's settings
     * or an earlier return forbid it, `unavailable` when nothing was stored
     */
    async request(request: ReturnRequest): Promise<ReturnDoc> {
      const requested = await requestReturn(request, parts);
      const isDue = requested.auto_accept_at && requested.auto_accept_at <= parts.clock.now();
      if (requested.state !== 'requested' || !isDue) return requested;
      return (await accept(requested, SYSTEM, null, parts)) ?? requested;
    },
    /**
     * Whether a request would be stored, in addition to those planned; nothing changes.
     * @throws {AppError} as `request`
     */
    check: (request: ReturnRequest, planned: PlannedReturns): Promise<ReturnDoc | null> =>
      checkReturn(request, planned, parts),
    /**
     * Accepts or rejects a request; the same verdict again changes nothing. An accepted one is finished here if that is
     * possible now (`owed` is absent then), else by `reconcile`.
     * @throws {AppError} `not_found`; `action_refused` after the other verdict
     */
    resolve: (verdict: ReturnVerdict): Promise<ReturnDoc> => resolve(verdict, parts),
    /** Accepts requests that are due for it, and finishes accepted ones that were left behind. Returns their number. */
    catchUp: (): Promise<number> => catchUp(parts),
  };
}

async function resolve(verdict: ReturnVerdict, parts: Parts): Promise<ReturnDoc> {
  const { org_id, return_id, result, note, by } = verdict;
  const found = await parts.returns.get(org_id, return_id);
  if (!found) throw new AppError('not_found', `There is no return ${return_id}.`);
  const done =
    result === 'accept'
      ? await accept(found, by, note, parts)
      : await parts.returns.reject(found._id, {
          resolved_at: parts.clock.now(),
          resolved_by: by,
          resolution_note: note,
        });
  if (done) return done;
  const before = (await parts.returns.get(org_id, return_id)) ?? found;
  if (before.state !== (result === 'accept' ? 'accepted' : 'rejected')) {
    const when = before.resolved_at?.toISOString() ?? 'before';
    throw new AppError(
      'action_refused',
      `Return ${return_id} was ${before.state} at ${when}; that cannot be changed.`,
    );
  }
  return before.owed ? finishSoon(before, parts) : before;
}

/** Null when it is no longer requested. */
async function accept(
  { _id, org_id, buyer_id }: ReturnDoc,
  by: ChangeAuthor,
  note: string | null,
  parts: Parts,
): Promise<ReturnDoc | null> {
  const buyer = await parts.collections.buyers.findOne({ _id: buyer_id, org_id });
  const { reverse_cost, resell } = buyer?.returns ?? DEFAULT_RETURNS;
  const accepted = await parts.returns.accept(_id, {
    resolved_at: parts.clock.now(),
    resolved_by: by,
    resolution_note: note,
    reverse_cost,
    resell,
  });
  return accepted && finishSoon(accepted, parts);
}

/** The acceptance stands even if it cannot be finished now. */
async function finishSoon(accepted: ReturnDoc, parts: Parts): Promise<ReturnDoc> {
  try {
    return await finishReturn(accepted, parts);
  } catch (error) {
    parts.log.warn(
      { err: error, return: accepted._id },
      'an accepted return will be finished later',
    );
    return accepted;
  }
}

async function catchUp(parts: Parts): Promise<number> {
  const { returns, clock } = parts;
  const now = clock.now();
  const until = clock.monotonic() + RUN_MS;
  let done = 0;
  const left = { before: new Date(Number(now) - LEFT_MS), now };
  for (const owed of await returns.owed(left, PER_RUN)) {
    if (clock.monotonic() > until) return done;
    const finished = await finishSoon(owed, parts);
    if (!finished.owed) done += 1;
  }
  for (const due of await returns.due(now, PER_RUN)) {
    if (clock.monotonic() > until) return done;
    if (await accept(due, SYSTEM, null, parts)) done += 1;
  }
  return done;
}
