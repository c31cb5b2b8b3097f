/**
 * Events in the update that they report: written together or not at all. Which of them apply depends on the lead
 * as the database finds it, so the database selects and numbers them.
 */
import type { EventSubscriptions, LeadEventType } from '../../events/rules/events.js';
import type { LeadFacts } from '../../events/rules/leadFacts.js';
import type { LeadStatus } from '../rules/leadStatus.js';

/** An event that an update may write. */
export interface EventCandidate {
  type: LeadEventType;
  at: Date;
  data: LeadFacts;
  /** An expression over the lead as it was before the update. */
  when: unknown;
}

/** The event that reports how a lead has ended; none for a lead whose supplier received 503. */
export const ENDING_EVENTS = {
  ACCEPTED: 'lead.accepted',
  REJECTED: 'lead.rejected',
  UNMATCHED: 'lead.unmatched',
  DUPLICATE: 'lead.duplicate',
  EXPIRED: 'lead.expired',
} as const satisfies Partial<Record<LeadStatus, LeadEventType>>;

/** The values of a lead that no buyer has bought. */
const UNSOLD = { outcome: null, buyer_id: null, price: 0, revenue: 0, cost: 0 } as const;

export const unsoldFacts = (status: LeadFacts['status']): LeadFacts => ({ status, ...UNSOLD });

/** Written by the first update of a lead after it was acquired: every lead has one, and never a second. */
export const createdEvent = (at: Date): EventCandidate => ({
  type: 'lead.created',
  at,
  data: unsoldFacts('NEW'),
  when: { $eq: [{ $ifNull: ['$changes', 0] }, 0] },
});

const SEQ = { $ifNull: ['$event_seq', 0] };

/** The candidates that have subscribers: without any, an update writes no event. */
export const selectSubscribed = (
  candidates: readonly EventCandidate[],
  subscriptions: EventSubscriptions,
): EventCandidate[] => candidates.filter(({ type }) => subscriptions.has(type));

/**
 * Fields of a `$set` in a pipeline. None without subscribers: then the update is the same as without events.
 * @param candidates in the order in which they happen
 */
export function outboxFields(
  candidates: readonly EventCandidate[],
  subscriptions: EventSubscriptions,
): Record<string, unknown> {
  const events = selectSubscribed(candidates, subscriptions).map(({ when, ...event }) => {
    const isSubscribed = { $in: ['$org_id', { $literal: subscriptions.get(event.type) ?? [] }] };
    return { $cond: [{ $and: [isSubscribed, when] }, [{ $literal: event }], []] };
  });
  if (events.length === 0) return {};
  const numbered = {
    $map: {
      input: { $range: [0, { $size: '$$written' }] },
      as: 'i',
      in: {
        $mergeObjects: [{ n: { $add: [SEQ, '$$i', 1] } }, { $arrayElemAt: ['$$written', '$$i'] }],
      },
    },
  };
  const whereAny = (some: unknown, before: string): unknown => ({
    $let: {
      vars: { written: { $concatArrays: events } },
      in: {
        $cond: [{ $eq: [{ $size: '$$written' }, 0] }, { $ifNull: [before, '$$REMOVE'] }, some],
      },
    },
  });
  return {
    untold: whereAny({ $concatArrays: [{ $ifNull: ['$untold', []] }, numbered] }, '$untold'),
    event_seq: whereAny({ $add: [SEQ, { $size: '$$written' }] }, '$event_seq'),
  };
}
