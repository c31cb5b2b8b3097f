/**
 * Suppression lists: the keys by which a person is looked up, and what a match means (contract 2.8). Lists are compared
 * by MD5 values, which are stored hashed once more; the MD5 function is a parameter.
 */
import type { TrailEntry } from '../../leads/rules/trail.js';
import type { FilterFailure } from '../../lib/filterFailure.js';
import type { BuyerTerms, Plan, SuppressionRef } from '../../account/rules/plan.js';
import { findSkipReasonAgain, type SkipReason } from './eligibility.js';
import { rankBuyers, type Ranking, type RoutableLead } from './routing.js';
import {
  SUPPRESSION_ID,
  type SuppressedField,
  type SuppressionHit,
} from '../../account/rules/suppressionKeys.js';

export type SuppressionDecision =
  | { kind: 'rejected'; filter_errors: FilterFailure[]; trail: TrailEntry }
  /** The ranking without the buyers that must not get the lead; those are among the skipped. */
  | { kind: 'pass'; ranking: Ranking; trail: TrailEntry | null };

/**
 * Applies the hits of a lead. A list of the organization or the campaign refuses the lead; a list of a buyer
 * leaves that buyer out, and refuses the lead when lists alone leave no buyer that would accept it.
 */
export function judgeSuppression(
  plan: Pick<Plan, 'suppression'>,
  ranking: Ranking,
  hits: readonly SuppressionHit[],
  at: Date,
): SuppressionDecision {
  const lists = plan.suppression ?? [];
  if (lists.length === 0) return { kind: 'pass', ranking, trail: null };
  const matches = lists.flatMap((list) =>
    hits.filter((hit) => hit.list_id === list.list_id).map(({ field }) => ({ ...list, field })),
  );
  const fieldsOfBuyers = suppressedBuyers(matches);
  const candidates = ranking.candidates.filter(({ buyer_id }) => !fieldsOfBuyers.has(buyer_id));
  const general = matches.filter(({ scope }) => scope !== 'buyer');
  const emptied = ranking.candidates.length > 0 && candidates.length === 0;
  if (general.length > 0 || emptied) {
    const decisive = general.length > 0 ? general : matches.filter(concerning(ranking.candidates));
    return {
      kind: 'rejected',
      filter_errors: [...new Set(decisive.map(({ field }) => field))].map(failureOn),
      trail: { at, step: 'suppression', result: 'matched', detail: { matches: decisive, hits } },
    };
  }
  const left = ranking.candidates.filter((buyer) => !candidates.includes(buyer));
  const skipped = left.map(({ buyer_id }) => ({
    buyer_id,
    reason: 'suppressed' as const,
    detail: { field: fieldsOfBuyers.get(buyer_id) },
  }));
  return {
    kind: 'pass',
    ranking: { candidates, skipped: [...ranking.skipped, ...skipped] },
    trail: {
      at,
      step: 'suppression',
      result: 'passed',
      detail: { lists: lists.length, hits: hits.length > 0 ? hits : undefined },
    },
  };
}

type Match = SuppressionRef & { field: SuppressedField };

const suppressedBuyers = (matches: readonly Match[]): Map<string, SuppressedField> =>
  new Map(
    matches.flatMap(({ buyer_id, field }) => (buyer_id === undefined ? [] : [[buyer_id, field]])),
  );

const concerning =
  (buyers: readonly BuyerTerms[]) =>
  ({ buyer_id: id }: Match): boolean =>
    buyers.some(({ buyer_id }) => buyer_id === id);

/** Names the field, never the list: the supplier must not learn whose list it is. */
const failureOn = (field: SuppressedField): FilterFailure => ({
  filter_id: SUPPRESSION_ID,
  field,
  operator: 'NOT IN',
  value: 'suppression list',
  message: `${field} is on a suppression list`,
});

/** Whether a list of the organization or the campaign has the person: then no buyer may have the lead. */
export function barsEveryone(
  { suppression = [] }: Pick<Plan, 'suppression'>,
  hits: readonly SuppressionHit[],
): boolean {
  const listed = new Set(hits.map(({ list_id }) => list_id));
  return suppression.some(({ list_id, scope }) => scope !== 'buyer' && listed.has(list_id));
}

/**
 * The buyers among these that a lead which has been in the service for a while may be sent to. A list of the
 * organization or the campaign leaves none: the lead was promised a decision, so it is not refused.
 */
export function withoutSuppressed(
  plan: Pick<Plan, 'suppression'>,
  buyers: readonly BuyerTerms[],
  hits: readonly SuppressionHit[],
): BuyerTerms[] {
  if (barsEveryone(plan, hits)) return [];
  const listed = new Set(hits.map(({ list_id }) => list_id));
  const barred = new Set(
    (plan.suppression ?? [])
      .filter(({ list_id }) => listed.has(list_id))
      .map(({ buyer_id }) => buyer_id),
  );
  return buyers.filter(({ buyer_id }) => !barred.has(buyer_id));
}

/** The buyers that a resumed lead may be offered to, best first. */
export const candidatesAgain = (
  plan: Plan,
  lead: RoutableLead,
  hits: readonly SuppressionHit[],
  now: Date,
): BuyerTerms[] => withoutSuppressed(plan, rankBuyers(plan, lead, now).candidates, hits);

/** The hits as releases read them that let a list of the organization or the campaign pass for a waiting lead. */
export const hitsOfBuyers = (
  { suppression = [] }: Pick<Plan, 'suppression'>,
  hits: readonly SuppressionHit[],
): SuppressionHit[] => {
  const general = new Set(
    suppression.filter(({ scope }) => scope !== 'buyer').map(({ list_id }) => list_id),
  );
  return hits.filter(({ list_id }) => !general.has(list_id));
};

/**
 * Why the buyer that a lead has waited for must not be sent it now; undefined when it may.
 * @param plan with `buyer` as it is now, see `planNow`
 */
export function findReasonToWait(
  plan: Pick<Plan, 'suppression'>,
  buyer: BuyerTerms,
  lead: RoutableLead,
  hits: readonly SuppressionHit[],
): SkipReason | undefined {
  const skip = findSkipReasonAgain(buyer, lead);
  if (skip) return skip.reason;
  return withoutSuppressed(plan, [buyer], hits).length === 0 ? 'suppressed' : undefined;
}
