/** Reads the delivery rows of an earlier run. */
import { isUnknown, mayBeAccepted } from '../deliveries/rules/attempts.js';
import { goneOn } from '../routing/rules/consequence.js';
import type { DeliveryVerdict } from '../deliveries/rules/delivery.js';
import type { BuyerTerms, Plan } from '../account/rules/plan.js';
import type { DeliveryDoc } from '../deliveries/store/deliveryDoc.js';
import type { Answered, Missed, Task } from './task.js';

/**
 * In order of precedence: the first kind of row that a lead has decides its state, even if later attempts exist. A row
 * whose buyer may have the lead comes first.
 */
const DECISIVE: readonly ((row: DeliveryDoc) => boolean)[] = [
  ({ state }) => state === 'sending',
  ({ state }) => state === 'unknown',
  isUnknown,
  ({ state }) => state === 'parked',
  ({ state }) => state === 'expired',
];

/** Parked rows of a lead that another buyer may have: two runs have continued from the same attempt. */
export const findOtherParked = (rows: readonly DeliveryDoc[]): DeliveryDoc[] =>
  rows.some(mayBeAccepted) ? rows.filter((row) => row.state === 'parked' && !isUnknown(row)) : [];

/** The attempt that matters: a parked row is sent again after later ones were opened. */
export function findLatest(
  rows: readonly DeliveryDoc[],
  maxSells: number,
): DeliveryDoc | undefined {
  const accepted = rows.filter((row) => row.state === 'accepted');
  if (accepted.length >= maxSells) return accepted.at(-1);
  const [decisive] = DECISIVE.flatMap((isIt) => rows.filter(isIt));
  return decisive ?? rows.toSorted((a, b) => settledAt(a) - settledAt(b)).at(-1);
}

const settledAt = (row: DeliveryDoc): number => Number(row.settled_at ?? row.created_at);

/** Buyers that definitely did not accept the lead, and may the next time they are sent it. */
export function listMissed(rows: readonly DeliveryDoc[], buyers: readonly BuyerTerms[]): Missed[] {
  return rows.flatMap((row) => {
    const terms = buyers.find((buyer) => buyer.buyer_id === row.buyer_id);
    if (row.state !== 'failed' || !terms) return [];
    return [{ terms, rowId: row._id, reason: row.reason ?? 'not_taken', retryAfterMs: 0 }];
  });
}

export const termsOf = ({ plan }: { plan: Plan }, row: DeliveryDoc): BuyerTerms | undefined =>
  plan.buyers.find((terms) => terms.buyer_id === row.buyer_id);

const VERDICTS: Partial<Record<DeliveryDoc['state'], DeliveryVerdict['result']>> = {
  accepted: 'accepted',
  rejected: 'rejected',
  failed: 'not_taken',
  abandoned: 'unknown',
  unknown: 'unknown',
};

/** The reservations that a row counts by itself. */
export const reservedByRow = (task: Task, terms: BuyerTerms, row: DeliveryDoc) => ({
  task,
  terms,
  keys: row.reserved,
  apart: row.reserved_apart,
  isOfRow: true as const,
  rowFence: row.fence,
  further: row.further ?? false,
  reservationId: row._id,
  askedAt: row.created_at,
});

/** The answer that a row represents. @param plan with the terms by which its buyer is reached */
export function toAnswered(task: Task, row: DeliveryDoc, plan = task.plan): Answered[] {
  const terms = termsOf({ plan }, row);
  const result = VERDICTS[row.state];
  if (!terms || !result) return [];
  const verdict: DeliveryVerdict = {
    result,
    reason: row.reason ?? row.state,
    http_status: row.http_status,
  };
  return [
    {
      ...reservedByRow(task, row.state === 'abandoned' ? goneOn(terms) : terms, row),
      row,
      booked: { price: row.price, cost: row.cost },
      verdict,
      latencyMs: row.latency_ms ?? 0,
    },
  ];
}
