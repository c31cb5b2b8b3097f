/** The plans that leads are decided by, each with what was promised for its lead. */
import { applyLocks } from '../src/domain/ping/locks.js';
import type { Lead } from '../src/domain/lead.js';
import { planId, type Plan } from '../src/domain/plan.js';
import type { PlanStore } from '../src/store/plans.js';

/** Undefined for a plan that is not stored. */
export type PlanFor = (lead: Lead) => Plan | undefined;

/** Loads the plans of a group together. Of one lead it is the same object each time. */
export async function plansFor(
  leads: readonly Lead[],
  { plans }: { plans: PlanStore },
): Promise<PlanFor> {
  const stored = await plans.get(leads.map(idOf));
  const locked = new Map<string, Plan>();
  return (lead) => {
    const known = locked.get(lead._id);
    if (known) return known;
    const plan = stored.get(idOf(lead));
    if (!plan || !lead.ping) return plan;
    const own = applyLocks(plan, lead);
    locked.set(lead._id, own);
    return own;
  };
}

const idOf = ({ campaign_id, plan_version }: Lead): string => planId(campaign_id, plan_version);
