/** The decision core: what becomes of a lead, as far as it follows from the lead and its plan alone. */
import { evaluateFilters, seenBy } from './filters.js';
import type { FilterFailure, Lead, TrailEntry } from './lead.js';
import type { BuyerTerms, Plan } from './plan.js';
import { rankBuyers } from './routing.js';

export type ScreenDecision =
  | { kind: 'rejected'; filter_errors: FilterFailure[]; trail: TrailEntry[] }
  /** Best buyer first; none means that no buyer takes such a lead. */
  | { kind: 'pass'; candidates: BuyerTerms[]; trail: TrailEntry[] };

/**
 * Inbound filters, then the order of the buyers. The trail says what each step saw: the filters, each buyer
 * left out with its reason, and the order. The same input gives the same decision.
 */
export function screenLead(input: {
  lead: Pick<Lead, 'fields' | 'is_test' | 'seed'>;
  plan: Plan;
  now: Date;
}): ScreenDecision {
  const { lead, plan, now: at } = input;
  const failures = evaluateFilters(plan.filters, lead.fields, {
    now: at,
    timeZone: plan.time_zone,
  });
  if (failures.length > 0) {
    const trail: TrailEntry = {
      at,
      step: 'filters',
      result: 'failed',
      detail: { failures: seenBy(failures) },
    };
    return { kind: 'rejected', filter_errors: failures, trail: [trail] };
  }
  const { candidates, skipped } = rankBuyers(plan, lead, at);
  return {
    kind: 'pass',
    candidates,
    trail: [
      { at, step: 'filters', result: 'passed' },
      ...skipped.map((buyer): TrailEntry => ({ at, step: 'routing', result: 'skipped', ...buyer })),
      {
        at,
        step: 'routing',
        result: candidates.length > 0 ? 'ranked' : 'no_buyer',
        detail: {
          method: plan.distribution_method,
          order: candidates.map(({ buyer_id }) => buyer_id),
        },
      },
    ],
  };
}
