/** Screening: ends a lead before any buyer is asked, or finds the buyers it may go to. */
import { evaluateFilters, seenBy } from '../../fields/filters.js';
import type { Lead } from '../../leads/rules/lead.js';
import type { TrailEntry } from '../../leads/rules/trail.js';
import type { FilterFailure } from '../../lib/filterFailure.js';
import { rankingOf, type BuyerTerms, type Plan } from '../../account/rules/plan.js';
import { rankBuyers } from './routing.js';
import { judgeSuppression } from './suppression.js';
import type { SuppressionHit } from '../../account/rules/suppressionKeys.js';

/** The fields of a lead that screening uses, in addition to the plan. */
export type ScreenedLead = Pick<Lead, 'fields' | 'is_test' | 'seed' | 'origin'>;

export type ScreenDecision =
  | {
      kind: 'rejected';
      reason: 'suspected_bot' | 'filtered' | 'suppressed';
      filter_errors: FilterFailure[];
      trail: TrailEntry[];
    }
  /** Best buyer first; none means that no buyer accepts such a lead. */
  | { kind: 'pass'; candidates: BuyerTerms[]; trail: TrailEntry[] };

/**
 * Suspected bots, inbound filters, suppression lists, then the order of the buyers. The trail records each step: the
 * filters, the lists, each buyer left out with its reason, and the order. The same input gives the same decision.
 */
export function screenLead(input: {
  lead: ScreenedLead;
  plan: Plan;
  now: Date;
  /** The lead's hits in the lists that the plan names. */
  hits?: readonly SuppressionHit[];
  /** The version whose terms `plan` has, where it is not that of the lead: recorded, so that a replay has the same. */
  termsVersion?: number;
}): ScreenDecision {
  const { lead, plan, now: at, hits = [], termsVersion: version } = input;
  const suspect = lead.origin?.suspect;
  if (suspect) {
    const trail: TrailEntry = { at, step: 'origin', result: 'suspected', reason: suspect };
    return { kind: 'rejected', reason: 'suspected_bot', filter_errors: [], trail: [trail] };
  }
  const failures = evaluateFilters(plan.filters, lead.fields, {
    now: at,
    timeZone: plan.time_zone,
  });
  if (failures.length > 0) {
    const trail: TrailEntry = {
      at,
      step: 'filters',
      result: 'failed',
      detail: { failures: seenBy(failures), plan_version: version },
    };
    return { kind: 'rejected', reason: 'filtered', filter_errors: failures, trail: [trail] };
  }
  const passed: TrailEntry = {
    at,
    step: 'filters',
    result: 'passed',
    detail: version === undefined ? undefined : { plan_version: version },
  };
  // The buyer that a repeat is bound to is found later, with the duplicates: a replay must not know it here.
  const { fields, is_test, seed } = lead;
  const judged = judgeSuppression(plan, rankBuyers(plan, { fields, is_test, seed }, at), hits, at);
  if (judged.kind === 'rejected') {
    const { filter_errors, trail } = judged;
    return { kind: 'rejected', reason: 'suppressed', filter_errors, trail: [passed, trail] };
  }
  const { candidates, skipped } = judged.ranking;
  return {
    kind: 'pass',
    candidates,
    trail: [
      passed,
      ...(judged.trail ? [judged.trail] : []),
      ...skipped.map((buyer): TrailEntry => ({ at, step: 'routing', result: 'skipped', ...buyer })),
      {
        at,
        step: 'routing',
        result: candidates.length > 0 ? 'ranked' : 'no_buyer',
        detail: {
          method: rankingOf(plan),
          order: candidates.map(({ buyer_id }) => buyer_id),
        },
      },
    ],
  };
}
