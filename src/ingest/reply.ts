/** The answers that a supplier receives about a lead (contract 2.2, 2.4). */
import { SUPPRESSION_ID } from '../account/rules/suppressionKeys.js';
import { AppError, outcomeUnknown, unavailable } from '../lib/errors.js';
import type { Clock } from '../lib/clock.js';
import { isPromised } from '../leads/rules/promise.js';
import { supplierStatus, type SupplierStatus } from '../leads/rules/supplierStatus.js';
import type { ShownBuyer } from '../leads/shownBuyer.js';
import type { LeadAnswer } from '../leads/store/leads.js';
import { OTHERS_PROMISE_AFTER_MS } from './deadlines.js';
import type { Accepted, IntakeItem } from './group.js';
import type { IngestAnswer, IngestData } from './types.js';

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

type Answered = Pick<LeadAnswer, '_id' | 'campaign_id' | 'duplicate_of'>;

/** The promise of a decision within the delivery's `max_age`. */
const pendingReply = (lead: Answered): IngestAnswer =>
  reply(lead, { status: 'ACCEPTED', delivery: 'pending' });

/**
 * The answer that is kept for a lead, and repeated under its key: the promise, if there is one, and otherwise the answer
 * for its state. A lead is promised before it is decided or never, so all later requests get the same answer.
 * @throws {AppError} as `replyOf`
 */
export const keptReply = (lead: LeadAnswer, shown: ShownBuyer): IngestAnswer =>
  isPromised(lead) ? pendingReply(lead) : replyOf(lead, shown);

/**
 * The answer for a lead's status.
 * @throws {AppError} for refusals: filters, the supplier's cap, a withdrawn lead; `outcome_unknown` for one that no run
 * has acquired yet
 */
export const replyOf = (lead: LeadAnswer, shown: ShownBuyer): IngestAnswer =>
  REPLIES[supplierStatus(lead)](lead, shown);

const REPLIES: Record<SupplierStatus, (lead: LeadAnswer, shown: ShownBuyer) => IngestAnswer> = {
  // Until a run has acquired it, it cannot be promised; but it is stored, and a run may acquire it at any moment.
  undecided: (lead) => {
    if (lead.run === null) throw outcomeUnknown();
    return pendingReply(lead);
  },
  pending: pendingReply,
  delivered: (lead, shown) =>
    reply(lead, { status: 'ACCEPTED', delivery: 'delivered' }, shown(lead)),
  unmatched: (lead) => reply(lead, { status: 'UNMATCHED' }),
  duplicate: (lead) => reply(lead, { status: 'DUPLICATE' }),
  filtered: (lead) => {
    throw filtered(lead);
  },
  capped: () => {
    throw capped();
  },
  expired: pendingReply,
  withdrawn: () => {
    throw unavailable(NOT_ACCEPTED);
  },
};

const reply = (
  { _id: id, campaign_id, duplicate_of }: Answered,
  { status, delivery }: Pick<IngestData, 'status' | 'delivery'>,
  buyer_id: string | null = null,
): IngestAnswer => ({
  status: status === 'ACCEPTED' ? 201 : 200,
  data: { id, status, buyer_id, campaign_id, delivery, duplicate_of },
  replayed: false,
  leadId: id,
});

const capped = (): AppError =>
  new AppError('supplier_capped', 'This source has reached its cap on the campaign for now.');

function filtered({ _id, filter_errors = [] }: LeadAnswer): AppError {
  const isSuppressed = filter_errors[0]?.filter_id === SUPPRESSION_ID;
  const message = isSuppressed
    ? 'The lead is on a suppression list'
    : 'The lead did not pass the filters of the campaign';
  return new AppError('filtered', message, { filter_errors, lead_id: _id });
}
