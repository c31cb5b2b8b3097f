/** Filters, suppression lists and duplicates: they end a lead before any buyer is asked. */
import { claimIdOf, dedupeKeys } from '../leads/rules/dedupe.js';
import { judgeDuplicate } from '../leads/rules/duplicates.js';
import { screenLead } from '../routing/rules/screen.js';
import type { Lead } from '../leads/rules/lead.js';
import type { TrailEntry } from '../leads/rules/trail.js';
import { isResend } from '../leads/rules/resend.js';
import { planId, type BuyerTerms, type Plan } from '../account/rules/plan.js';
import type { SuppressionHit } from '../account/rules/suppressionKeys.js';
import type { ClaimRequest, ClaimStore } from '../leads/store/claims.js';
import type { Holder } from '../leads/store/holders.js';
import type { Decided, Routed } from '../leads/store/leadUpdates.js';
import type { PlanStore } from '../account/store/plans.js';
import type { SuppressionStore } from '../account/store/suppressions.js';
import type { LeadVerdict } from '../../workflows/messages.js';
import type { DestinationDoc } from '../deliveries/store/destinationDoc.js';
import { releaseReservations } from './capReservations.js';
import { destinationsOf } from './chooseBuyers.js';
import type { SellingDeps } from './deps.js';
import type { Lease, Task } from './task.js';
import { readPlans, type PlanFor } from './readPlans.js';
import { reserveEarly, type EarlyReservations } from './reserve.js';
import type { DistributionCollections } from './store/collections.js';
import { findSuppressionHits } from './findSuppressionHits.js';
import { getOwn } from '../lib/getOwn.js';

export interface ScreeningDeps extends SellingDeps {
  claims: ClaimStore;
  plans: PlanStore;
  collections: Pick<DistributionCollections, 'campaigns'>;
  suppressions: SuppressionStore;
}

export interface Screened {
  tasks: Task[];
  verdicts: LeadVerdict[];
  /** Of their candidates, as they were a moment ago. */
  destinations: Map<string, DestinationDoc>;
  /** What was reserved for some of them beside their claims. */
  reserved?: EarlyReservations;
}

interface Passing {
  lead: Lead;
  plan: Plan;
  candidates: BuyerTerms[];
  trail: TrailEntry[];
}

/** The reads that screening needs before it decides. */
export interface ScreeningReads {
  planFor: PlanFor;
  /** By lead. */
  hits: Map<string, SuppressionHit[]>;
  /** Of all buyers of their campaigns, and when they were read, on the monotonic clock. */
  destinations: Map<string, DestinationDoc>;
  readAt: number;
}

/** The state of a buyer is read again when it is older, in milliseconds. */
const FRESH_MS = 200;

/** Reads only, so it may run before the workflow of the leads is started. */
export async function readScreening(
  leads: readonly Lead[],
  deps: Pick<ScreeningDeps, 'plans' | 'suppressions' | 'destinations' | 'clock'>,
): Promise<ScreeningReads> {
  const planFor = await readPlans(leads, deps);
  const plans = new Set(leads.flatMap((lead) => planFor(lead) ?? []));
  const asked = [...plans].map(({ buyers }) => ({ candidates: buyers }));
  const readAt = deps.clock.monotonic();
  const [hits, destinations] = await Promise.all([
    findSuppressionHits(leads, planFor, deps),
    destinationsOf(asked, deps),
  ]);
  return { planFor, hits, destinations, readAt };
}

/** @param read the result of `readScreening` for these leads */
export async function screen(
  leads: readonly Lead[],
  lease: Lease,
  deps: ScreeningDeps,
  read?: ScreeningReads,
): Promise<Screened> {
  if (leads.length === 0) return { tasks: [], verdicts: [], destinations: new Map() };
  const now = deps.clock.now();
  const { planFor, hits, ...known } = read ?? (await readScreening(leads, deps));
  const passing: Passing[] = [];
  const decided: Decided[] = [];
  const verdicts: LeadVerdict[] = [];
  for (const lead of leads) {
    const plan = requirePlan(planFor, lead);
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
  const taskOf = new Map(passing.map((one) => [one, asTask(one)]));
  const isFresh = deps.clock.monotonic() - known.readAt <= FRESH_MS;
  const destinations = isFresh ? known.destinations : await destinationsOf(passing, deps);
  const [lost, early] = await Promise.all([
    claimAll(passing, now, deps),
    reserveEarly([...taskOf.values()], deps, destinations),
  ]);
  const tasks: Task[] = [];
  const routed: Routed[] = [];
  for (const one of passing) {
    const holder = lost.get(one.lead._id);
    if (!holder) {
      tasks.push(taskOf.get(one) ?? asTask(one));
      continue;
    }
    const original = {
      lead_id: holder._id,
      buyer_id: holder.buyer_id,
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
  const isLost = ({ lead }: Task): boolean => lost.has(lead._id);
  await Promise.all([
    deps.leads.decide(lease.id, decided, now, lease.subscriptions),
    deps.leads.route(lease.id, routed),
    releaseReservations(
      early.granted.filter((one) => isLost(one.task)),
      deps,
    ),
  ]);
  const reserved: EarlyReservations = {
    tasks: early.tasks,
    granted: early.granted.filter((one) => !isLost(one.task)),
    exhausted: early.exhausted.filter((one) => !isLost(one)),
  };
  return { tasks, verdicts, destinations, reserved };
}

function requirePlan(planFor: PlanFor, lead: Lead): Plan {
  const plan = planFor(lead);
  if (plan) return plan;
  const id = planId(lead.campaign_id, lead.plan_version);
  throw new Error(`Lead ${lead._id} names a plan that is not stored: ${id}`);
}

/** A lead and the buyers it may go to, ready for its first attempt. */
export function asTask({ lead, plan, candidates, trail }: Passing): Task {
  const supplier = getOwn(plan.suppliers, lead.supplier_id);
  if (!supplier) throw new Error(`Lead ${lead._id} names a supplier outside its plan`);
  return {
    lead,
    plan,
    supplier,
    candidates: [...candidates],
    trail: [...trail],
    nextAttempt: 1,
    missed: [],
    sold: lead.sales.length,
    ...(lead.buyer_id === null ? {} : { soldTo: lead.buyer_id }),
  };
}

/** Claims for the whole group; returns the holders of those that were lost. */
async function claimAll(
  passing: readonly Passing[],
  now: Date,
  deps: ScreeningDeps,
): Promise<Map<string, Holder>> {
  // A test lead must not block a real one, nor be blocked by it; one that replaces a sale has its origin's claim.
  const claiming = passing
    .filter(({ lead }) => !lead.is_test && !lead.resale?.replaces)
    .map(({ lead, plan }) => ({ lead, plan, keys: dedupeKeys(plan.dedupe, lead.fields) }));
  const rounds = Math.max(0, ...claiming.map(({ keys }) => keys.length));
  const fields = Array.from({ length: rounds }, (_, round) =>
    claiming.flatMap(({ lead, plan, keys }): ClaimRequest[] => {
      const key = keys[round];
      if (!key) return [];
      const claim_id = claimIdOf(plan.campaign_id, key, (text) => deps.keyring.claimHash(text));
      return [{ claim_id, lead_id: lead._id, window_days: plan.dedupe.window_days }];
    }),
  );
  return deps.claims.claim(fields, now);
}
