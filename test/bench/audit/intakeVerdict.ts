/** Whether one lead is as its supplier was told, in MongoDB and at its buyer. No I/O. */
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { Told } from './answers.js';
import type { Deliveries } from './taken.js';

/**
 * lost: acknowledged, and not there, never begun with, or booked as sold to a buyer that never got it. doubled: with more
 * buyers than it may be sold to, or twice with one, or with one that it was not sold to beside one that it was. false:
 * it became something else than the answer said.
 */
export type LeadVerdict = 'right' | 'lost' | 'doubled' | 'false';

/** The part of a stored lead that an answer is held against. */
export type StoredLead = Pick<Lead, '_id' | 'campaign_id' | 'status'> & {
  sales: Pick<Lead['sales'][number], 'buyer_id'>[];
};

/** What each answer may have come to since. A promise is of a decision, and may still be open. */
const MAY_BE: Record<Told, readonly Lead['status'][]> = {
  delivered: ['ACCEPTED', 'SELLING'],
  pending: ['PENDING', 'SELLING', 'ACCEPTED', 'EXPIRED'],
  UNMATCHED: ['UNMATCHED'],
  DUPLICATE: ['DUPLICATE'],
};

/**
 * @param stored undefined: it is not
 * @param taken what buyers say that they took of it
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

/** A buyer whose answer never came may have it, and its lead waits, or waited until its time was up. */
const mayBeUnbooked = ({ status }: StoredLead): boolean =>
  status === 'PENDING' || status === 'SELLING' || status === 'EXPIRED';
