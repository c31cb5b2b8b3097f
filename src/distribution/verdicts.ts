/** The verdicts that a run reports to the requests that wait for them. */
import type { Lead } from '../leads/rules/lead.js';
import { isCapped, isPromised } from '../leads/rules/promise.js';
import type { Clock } from '../lib/clock.js';
import type { LeadVerdict } from '../../workflows/messages.js';
import type { Lease, Task } from './task.js';

/** A sold lead is ACCEPTED, with the buyer of its first sale, whatever the result of further ones. */
export function verdictOf(
  { lead, soldTo }: Pick<Task, 'lead' | 'soldTo'>,
  status: LeadVerdict['status'],
): LeadVerdict {
  const { _id: id, duplicate_of } = lead;
  return {
    id,
    ...(soldTo === undefined ? { status } : { status: 'ACCEPTED', buyer_id: soldTo }),
    // Also of a repeat that goes to the buyer of its original, whichever run decides it.
    duplicate_of,
  };
}

/** The verdict of a lead as it is stored. */
export function storedVerdict(lead: Lead): LeadVerdict {
  const { _id: id, status } = lead;
  if (status === 'NEW' || status === 'PENDING') return { id, status: 'OPEN' };
  return {
    id,
    status: isCapped(lead) ? 'CAPPED' : status === 'SELLING' ? 'ACCEPTED' : status,
    buyer_id: lead.buyer_id ?? undefined,
    duplicate_of: lead.duplicate_of,
    replay_of: lead.replay_of,
    promised: isPromised(lead) || undefined,
  };
}

/**
 * Whether the lease has ended. Until then, what the run wrote is stored; after that another run may have the leads, and
 * may decide otherwise: their answers are read from the database.
 */
export const isOver = (
  { validUntilMs }: Lease,
  { clock }: { clock: Pick<Clock, 'monotonic'> },
): boolean => clock.monotonic() > validUntilMs;

/** The verdicts that remain certain after the lease: sales are facts, all others are open. */
export const afterLease = (verdicts: readonly LeadVerdict[]): LeadVerdict[] =>
  verdicts.map((one) => (one.status === 'ACCEPTED' ? one : { id: one.id, status: 'OPEN' }));
