/** Filters, suppression lists and duplicates: what ends a lead before any buyer is asked. */
import { dedupeKeys } from '../src/domain/dedupe.js';
import { judgeDuplicate } from '../src/domain/duplicates.js';
import { screenLead } from '../src/domain/screen.js';
import { isUndecided, type Lead, type TrailEntry } from '../src/domain/lead.js';
import { planId, type BuyerTerms, type Plan } from '../src/domain/plan.js';
import type { ClaimRequest, ClaimStore, Holder } from '../src/store/claims.js';
import type { Decided, Routed } from '../src/store/leadUpdates.js';
import type { PlanStore } from '../src/store/plans.js';
import type { SuppressionStore } from '../src/store/suppressions.js';
import type { LeadVerdict } from '../workflows/messages.js';
import type { SellingDeps } from './selling/deps.js';
import type { Run, Task } from './selling/task.js';
import { suppressionHits } from './suppressionHits.js';

export interface ScreeningDeps extends SellingDeps {
  claims: ClaimStore;
  plans: PlanStore;
  suppressions: SuppressionStore;
}

export interface Screened {
  tasks: Task[];
  verdicts: LeadVerdict[];
}

/** A re-sent request may be known by its body for so long, in milliseconds. */
const RESEND_WINDOW_MS = 600_000;
/** A decided lead without a written answer counts as unanswered after this time, in milliseconds. */
const UNANSWERED_AFTER_MS = 5_000;
/** By then the supplier of a lead that is still undecided was told that nobody can tell, or nothing. */
const UNTOLD_AFTER_MS = 10_000;

interface Passing {
  lead: Lead;
  plan: Plan;
  candidates: BuyerTerms[];
  trail: TrailEntry[];
}

export async function screen(
  leads: readonly Lead[],
  run: Run,
  deps: ScreeningDeps,
): Promise<Screened> {
  if (leads.length === 0) return { tasks: [], verdicts: [] };
  const now = deps.clock.now();
  const plans = await deps.plans.get(leads.map(planOf));
  const hits = await suppressionHits(leads, (lead) => plans.get(planOf(lead)), deps);
  const passing: Passing[] = [];
  const decided: Decided[] = [];
  const verdicts: LeadVerdict[] = [];
  for (const lead of leads) {
    const plan = requirePlan(plans, lead);
    const decision = screenLead({ lead, plan, now, hits: hits.get(lead._id) ?? [] });
    if (decision.kind === 'pass') {
      passing.push({ lead, plan, candidates: decision.candidates, trail: decision.trail });
      continue;
    }
    verdicts.push({ id: lead._id, status: 'REJECTED' });
    decided.push({
      leadId: lead._id,
      status: 'REJECTED',
      reason: decision.reason,
      trail: decision.trail,
      set: { filter_errors: decision.filter_errors },
    });
  }
  const lost = await claimAll(passing, now, deps);
  const tasks: Task[] = [];
  const routed: Routed[] = [];
  for (const one of passing) {
    const holder = lost.get(one.lead._id);
    if (!holder) {
      tasks.push(asTask(one));
      continue;
    }
    const original = {
      ...{ lead_id: holder._id, buyer_id: holder.buyer_id },
      resend: isResend(one.lead, holder, now),
    };
    const judged = judgeDuplicate(one.plan.dedupe, original, one.candidates, now);
    const trail = [...one.trail, judged.entry];
    const duplicate_of = holder._id;
    if (judged.kind === 'routed') {
      const { route_to, candidates } = judged;
      Object.assign(one.lead, { duplicate_of, route_to });
      tasks.push(asTask({ ...one, candidates, trail }));
      routed.push({ leadId: one.lead._id, duplicate_of, route_to });
      continue;
    }
    const set = { duplicate_of, ...(original.resend ? { replay_of: duplicate_of } : {}) };
    decided.push({ leadId: one.lead._id, status: judged.status, trail, set });
    verdicts.push({ id: one.lead._id, status: judged.status, ...set });
  }
  await Promise.all([deps.leads.decide(run.id, decided, now), deps.leads.route(run.id, routed)]);
  return { tasks, verdicts };
}

export const planOf = (lead: Lead): string => planId(lead.campaign_id, lead.plan_version);

function requirePlan(plans: Map<string, Plan>, lead: Lead): Plan {
  const plan = plans.get(planOf(lead));
  if (!plan) throw new Error(`Lead ${lead._id} names a plan that is not stored: ${planOf(lead)}`);
  return plan;
}

/** A lead and the buyers it may go to, ready for its first attempt. */
export function asTask({ lead, plan, candidates, trail }: Passing): Task {
  const supplier = plan.suppliers[lead.supplier_id];
  if (!supplier) throw new Error(`Lead ${lead._id} names a supplier outside its plan`);
  return {
    ...{ lead, plan, supplier, candidates: [...candidates], trail },
    ...{ nextAttempt: 1, missed: [], sold: lead.sales.length },
  };
}

/** Claims of the whole group, and who holds those that were lost. */
async function claimAll(
  passing: readonly Passing[],
  now: Date,
  deps: ScreeningDeps,
): Promise<Map<string, Holder>> {
  // A test lead must not block a real one, nor be blocked by it.
  const claiming = passing
    .filter(({ lead }) => !lead.is_test)
    .map(({ lead, plan }) => ({ lead, plan, keys: dedupeKeys(plan.dedupe, lead.fields) }));
  const rounds = Math.max(0, ...claiming.map(({ keys }) => keys.length));
  const fields = Array.from({ length: rounds }, (_, round) =>
    claiming.flatMap(({ lead, plan, keys }): ClaimRequest[] => {
      const key = keys[round];
      if (!key) return [];
      const claimId = `${plan.campaign_id}:${key.field}:${deps.keyring.claimHash(key.value)}`;
      return [{ claim_id: claimId, lead_id: lead._id, window_days: plan.dedupe.window_days }];
    }),
  );
  return deps.claims.claim(fields, now);
}

/**
 * The same request sent again because its answer never arrived: same supplier, same body, and an earlier lead whose
 * connection broke, or that was decided and has stayed unanswered, or whose supplier was told to send it again.
 */
function isResend(lead: Lead, holder: Holder, now: Date): boolean {
  if (holder.supplier_id !== lead.supplier_id || holder.body_hash !== lead.body_hash) return false;
  const ageMs = Number(now) - Number(holder.created_at);
  if (ageMs > RESEND_WINDOW_MS) return false;
  if (holder.broken) return true;
  if (holder.answered_at) return false;
  if (isUndecided(holder.status)) return ageMs > UNTOLD_AFTER_MS;
  if (!holder.decided_at) return false;
  return Number(now) - Number(holder.decided_at) > UNANSWERED_AFTER_MS;
}
