/** Whether one lead agrees with its supplier's answer, in MongoDB and at its buyer. No I/O. */
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { Told } from './answers.js';
import type { Deliveries } from './taken.js';

/**
 * lost: acknowledged, and missing, never started, or recorded as sold to a buyer that never got it. doubled: at more
 * buyers than it may be sold to, twice at one, or at one it was not sold to in addition to one that it was. false:
 * its status contradicts the answer.
 */
export type LeadVerdict = 'right' | 'lost' | 'doubled' | 'false';

/** The part of a stored lead that is compared with the answer. */
export type StoredLead = Pick<Lead, '_id' | 'campaign_id' | 'status'> & {
  sales: Pick<Lead['sales'][number], 'buyer_id'>[];
};

/** The statuses that each answer allows later. `pending` promises a decision, which may still be open. */
const MAY_BE: Record<Told, readonly Lead['status'][]> = {
  delivered: ['ACCEPTED', 'SELLING'],
  pending: ['PENDING', 'SELLING', 'ACCEPTED', 'EXPIRED'],
  UNMATCHED: ['UNMATCHED'],
  DUPLICATE: ['DUPLICATE'],
};

/**
 * @param stored undefined: it is not stored
 * @param taken the buyers' own count of its deliveries
 * @param maxSells of its campaign
 */
export function judgeLead(
  told: Told,
  stored: StoredLead | undefined,
  taken: Deliveries,
  maxSells: number,
): LeadVerdict {
  if (!stored || stored.status === 'NEW' || stored.status === 'WITHDRAWN') return 'lost';
  const sold = stored.sales.map(({ buyer_id }) => buyer_id);
  const unsold = Object.keys(taken).filter((buyerId) => !sold.includes(buyerId));
  if (isTooOften(sold, taken, maxSells)) return 'doubled';
  if (sold.some((buyerId) => taken[buyerId] === undefined)) return 'lost';
  if (!MAY_BE[told].includes(stored.status)) return 'false';
  if (told === 'delivered' && sold.length === 0) return 'false';
  if (unsold.length === 0 || mayBeUnbooked(stored)) return 'right';
  return sold.length > 0 ? 'doubled' : 'false';
}

function isTooOften(sold: readonly string[], taken: Deliveries, maxSells: number): boolean {
  const most = Math.max(sold.length, Object.keys(taken).length);
  return (
    most > maxSells ||
    new Set(sold).size < sold.length ||
    Object.values(taken).some((count) => count > 1)
  );
}

/** A buyer whose answer never came may have it, while its lead waits, or waited until it expired. */
const mayBeUnbooked = ({ status }: StoredLead): boolean =>
  status === 'PENDING' || status === 'SELLING' || status === 'EXPIRED';
