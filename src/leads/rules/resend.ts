/** A request that is sent again because its answer never arrived (contract 3.3). */
import type { Lead } from './lead.js';
import { isUndecided } from './leadStatus.js';

/** How long a re-sent request is identified by its body, in milliseconds. */
export const RESEND_WINDOW_MS = 600_000;
/** A decided lead without a written answer counts as unanswered after this time, in milliseconds. */
const UNANSWERED_AFTER_MS = 5_000;
/** By then the supplier of a lead that is still undecided has received `outcome_unknown`, or no answer. */
const RESEND_AFTER_MS = 10_000;

/** The facts about the lead of the first request. */
export type EarlierLead = Pick<
  Lead,
  'status' | 'created_at' | 'supplier_id' | 'body_hash' | 'broken' | 'decided_at'
> & {
  /** Its answer was written to the socket. */
  answered: boolean;
};

/**
 * The same request sent again because its answer never arrived: same supplier, same body, and an earlier lead whose
 * connection broke, or that was decided and has stayed unanswered, or whose supplier was asked to send it again.
 */
export function isResend(
  lead: Pick<Lead, 'supplier_id' | 'body_hash'>,
  holder: EarlierLead,
  now: Date,
): boolean {
  if (holder.supplier_id !== lead.supplier_id || holder.body_hash !== lead.body_hash) return false;
  const ageMs = Number(now) - Number(holder.created_at);
  if (ageMs > RESEND_WINDOW_MS) return false;
  if (holder.broken) return true;
  if (holder.answered) return false;
  if (isUndecided(holder.status)) return ageMs > RESEND_AFTER_MS;
  if (!holder.decided_at) return false;
  return Number(now) - Number(holder.decided_at) > UNANSWERED_AFTER_MS;
}
