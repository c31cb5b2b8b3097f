/**
 * Events in the update that they report: written together or not at all. Which of them come about depends on the lead
 * as the database finds it, so it is the database that chooses and numbers them.
 */
import type { EventSubscriptions, LeadEventType } from '../../events/rules/events.js';
import type { LeadFacts } from '../../events/rules/leadFacts.js';

/** An event that an update may bring about. */
export interface Candidate {
  type: LeadEventType;
  at: Date;
  data: LeadFacts;
  /** An expression over the lead as it was before the update. */
  when: unknown;
}

/** What a lead is that nobody has bought. */
const UNSOLD = { outcome: null, buyer_id: null, price: 0, revenue: 0, cost: 0 } as const;

export const unsold = (status: LeadFacts['status']): LeadFacts => ({ status, ...UNSOLD });

/** Of the first update of a lead that is more than taking it: every lead has one, and never a second. */
export const created = (at: Date): Candidate => ({
  ...{ type: 'lead.created', at, data: unsold('NEW') },
  when: { $eq: [{ $ifNull: ['$changes', 0] }, 0] },
});

const SEQ = { $ifNull: ['$event_seq', 0] };

/** The candidates that somebody wants: without any, an update has nothing to tell. */
export const wanted = (candidates: readonly Candidate[], wants: EventSubscriptions): Candidate[] =>
  candidates.filter(({ type }) => wants.has(type));

/**
 * Fields of a `$set` in a pipeline. None where nobody wants any of them: then the update is as it would be without.
 * @param candidates in the order in which they happen
 */
export function untoldFields(
  candidates: readonly Candidate[],
  wants: EventSubscriptions,
): Record<string, unknown> {
  const events = wanted(candidates, wants).map(({ when, ...event }) => {
    const asked = { $in: ['$org_id', { $literal: wants.get(event.type) ?? [] }] };
    return { $cond: [{ $and: [asked, when] }, [{ $literal: event }], []] };
  });
  if (events.length === 0) return {};
  const numbered = {
    $map: {
      input: { $range: [0, { $size: '$$tell' }] },
      as: 'i',
      in: {
        $mergeObjects: [{ n: { $add: [SEQ, '$$i', 1] } }, { $arrayElemAt: ['$$tell', '$$i'] }],
      },
    },
  };
  const withTell = (some: unknown, before: string): unknown => ({
    $let: {
      vars: { tell: { $concatArrays: events } },
      in: {
        $cond: [{ $eq: [{ $size: '$$tell' }, 0] }, { $ifNull: [before, '$$REMOVE'] }, some],
      },
    },
  });
  return {
    untold: withTell({ $concatArrays: [{ $ifNull: ['$untold', []] }, numbered] }, '$untold'),
    event_seq: withTell({ $add: [SEQ, { $size: '$$tell' }] }, '$event_seq'),
  };
}
