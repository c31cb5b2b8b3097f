/** The answers that a supplier receives about a lead (contract 2.2, 2.4). */
import { SUPPRESSION_ID } from '../routing/rules/suppression.js';
import { AppError, outcomeUnknown, unavailable } from '../lib/errors.js';
import type { Clock } from '../lib/clock.js';
import { isCapped, isPromised } from '../leads/rules/promise.js';
import type { LeadAnswer } from '../leads/store/leads.js';
import type { ShownBuyer } from '../leads/shownBuyer.js';
import { OTHERS_PROMISE_AFTER_MS } from './deadlines.js';
import type { Accepted, IntakeItem } from './group.js';
import type { IngestAnswer } from './types.js';

/** Message of a 503: the lead is not stored, or it is withdrawn. */
export const NOT_ACCEPTED = 'The lead was not accepted. Send it again.';

/**
 * The answer to an accepted request; null where only the database has it.
 * @throws {AppError} `supplier_capped`
 */
export function replyToVerdict(
  accepted: Accepted,
  item: IntakeItem,
  { clock, shownBuyer }: { clock: Pick<Clock, 'monotonic'>; shownBuyer: ShownBuyer },
): IngestAnswer | null {
  if (accepted.kind === 'resent' || mayBePromised(accepted, item, clock)) return null;
  const { verdict } = accepted;
  const { _id, campaign_id, supplier_id, body_hash, ping } = item.admitted.lead;
  const lead = { ...verdict, _id, campaign_id, supplier_id, body_hash, ping };
  if (verdict.status === 'CAPPED') throw capped();
  if (verdict.status === 'PENDING') return pendingReply(lead);
  const { status, replay_of } = verdict;
  if (status === 'OPEN' || status === 'REJECTED' || replay_of !== undefined) return null;
  return replyOf({ ...lead, status, buyer_id: verdict.buyer_id ?? null }, shownBuyer);
}

/**
 * A later request with this key may already have been answered `pending`, or an earlier run may have parked the lead. Only
 * the stored lead shows that, so it is read.
 */
const mayBePromised = (
  { verdict }: Extract<Accepted, { kind: 'verdict' }>,
  { idempotency, receivedAt }: IntakeItem,
  clock: Pick<Clock, 'monotonic'>,
): boolean =>
  idempotency !== undefined &&
  (verdict.promised === true || clock.monotonic() - receivedAt >= OTHERS_PROMISE_AFTER_MS);

/** The promise of a decision within the campaign's `max_age`. */
function pendingReply(
  lead: Pick<LeadAnswer, '_id' | 'campaign_id' | 'duplicate_of'>,
): IngestAnswer {
  const { _id: id, campaign_id, duplicate_of } = lead;
  return {
    status: 201,
    data: {
      id,
      status: 'ACCEPTED',
      buyer_id: null,
      campaign_id,
      delivery: 'pending',
      duplicate_of,
    },
    replayed: false,
    leadId: id,
  };
}

/**
 * The answer that is kept for a lead, and repeated under its key: the promise, if there is one, and otherwise the answer
 * for its state. A lead is promised before it is decided or never, so all later requests get the same answer.
 * @throws {AppError} as `replyOf`
 */
export const keptReply = (lead: LeadAnswer, shown: ShownBuyer): IngestAnswer =>
  isPromised(lead) ? pendingReply(lead) : replyOf(lead, shown);

/**
 * The answer for a lead's state.
 * @throws {AppError} for refusals: filters, the supplier's cap, a withdrawn lead; `outcome_unknown` for one that no run
 * has acquired yet
 */
export function replyOf(lead: LeadAnswer, shown: ShownBuyer): IngestAnswer {
  const { _id: id, campaign_id, duplicate_of } = lead;
  const base = { replayed: false, leadId: id };
  switch (lead.status) {
    case 'SELLING':
    case 'ACCEPTED': {
      const data = { id, status: 'ACCEPTED' as const, buyer_id: shown(lead), campaign_id };
      return { ...base, status: 201, data: { ...data, delivery: 'delivered', duplicate_of } };
    }
    case 'UNMATCHED':
    case 'DUPLICATE': {
      const data = { id, status: lead.status, buyer_id: null, campaign_id, duplicate_of };
      return { ...base, status: 200, data };
    }
    case 'REJECTED':
      if (isCapped(lead)) throw capped();
      throw filtered(lead);
    case 'WITHDRAWN':
      throw unavailable(NOT_ACCEPTED);
    case 'NEW':
      // No run has acquired it yet, so it cannot be promised; but it is stored, and a run may acquire it at any moment.
      if (lead.run === null) throw outcomeUnknown();
      return pendingReply(lead);
    case 'PENDING':
    case 'EXPIRED':
      return pendingReply(lead);
  }
}

const capped = (): AppError =>
  new AppError('supplier_capped', 'This source has reached its cap on the campaign for now.');

function filtered({ _id, filter_errors = [] }: LeadAnswer): AppError {
  const isSuppressed = filter_errors[0]?.filter_id === SUPPRESSION_ID;
  const message = isSuppressed
    ? 'The lead is on a suppression list'
    : 'The lead did not pass the filters of the campaign';
  return new AppError('filtered', message, { filter_errors, lead_id: _id });
}
