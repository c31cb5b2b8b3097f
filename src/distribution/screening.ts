/** Filters, suppression lists and duplicates: they end a lead before any buyer is asked. */
import { dedupeKeys, type DedupeKey } from '../leads/rules/dedupe.js';
import { judgeDuplicate } from '../leads/rules/duplicates.js';
import { screenLead } from '../routing/rules/screen.js';
import type { Lead } from '../leads/rules/lead.js';
import type { TrailEntry } from '../leads/rules/trail.js';
import { isResend } from '../leads/rules/resend.js';
import type { BuyerTerms, Plan } from '../account/rules/plan.js';
import type { ClaimStore } from '../leads/store/claims.js';
import type { Decided, Routed } from '../leads/store/leadUpdates.js';
import type { PlanStore } from '../account/store/plans.js';
import type { SuppressionStore } from '../account/store/suppressions.js';
import type { LeadVerdict } from '../../workflows/messages.js';
import type { DestinationDoc } from '../deliveries/store/destinationDoc.js';
import { releaseReservations } from './capReservations.js';
import { claimLeads } from './claimLeads.js';
import { destinationsOf } from './chooseBuyers.js';
import type { SellingDeps } from './deps.js';
import type { Lease, Task } from './task.js';
import { addHits, isAskedAgain, readTerms, type Grounds, type GroundsRead } from './readGrounds.js';
import { reserveEarly, type EarlyReservations } from './reserve.js';
import type { AccountCollections } from '../account/store/collections.js';
import { getOwn } from '../lib/getOwn.js';
import { eachApart, type Stuck } from './stuck.js';

export interface ScreeningDeps extends SellingDeps {
  claims: ClaimStore;
  plans: PlanStore;
  collections: Pick<AccountCollections, 'campaigns'>;
  suppressions: SuppressionStore;
}

export interface Screened {
  tasks: Task[];
  verdicts: LeadVerdict[];
  /** Of their candidates, as they were a moment ago. */
  destinations: Map<string, DestinationDoc>;
  /** What was reserved for some of them beside their claims. */
  reserved?: EarlyReservations;
  /** They could not be decided. */
  stuck: Stuck[];
}

interface Passing {
  lead: Lead;
  plan: Plan;
  candidates: BuyerTerms[];
  trail: TrailEntry[];
}

/** A lead that passed, ready for its first attempt, and the keys that it claims. */
interface Claiming extends Passing {
  task: Task;
  keys: DedupeKey[];
}

/** The reads that screening needs before it decides. */
export interface ScreeningReads extends GroundsRead {
  /** Of all buyers of their campaigns, and when they were read, on the monotonic clock. */
  destinations: Map<string, DestinationDoc>;
  readAt: number;
}

/** The state of a buyer is read again when it is older, in milliseconds. */
const FRESH_MS = 200;

/** Reads only, so it may run before the workflow of the leads is started. */
export async function readScreening(
  leads: readonly Lead[],
  deps: Pick<ScreeningDeps, 'plans' | 'suppressions' | 'destinations' | 'clock' | 'collections'>,
): Promise<ScreeningReads> {
  const { terms, stuck } = await readTerms(leads, deps, isAskedAgain);
  const plans = new Set(terms.map(({ plan }) => plan));
  const asked = [...plans].map(({ buyers }) => ({ candidates: buyers }));
  const readAt = deps.clock.monotonic();
  const [grounds, destinations] = await Promise.all([
    addHits(terms, deps),
    destinationsOf(asked, deps),
  ]);
  return { grounds, stuck, destinations, readAt };
}

/** @param read the result of `readScreening` for these leads */
export async function screen(
  leads: readonly Lead[],
  lease: Lease,
  deps: ScreeningDeps,
  read?: ScreeningReads,
): Promise<Screened> {
  if (leads.length === 0) return { tasks: [], verdicts: [], destinations: new Map(), stuck: [] };
  const now = deps.clock.now();
  const { grounds, ...known } = read ?? (await readScreening(leads, deps));
  const isAsked = new Set(leads.map(({ _id }) => _id));
  const stuck = known.stuck.filter(({ lead }) => isAsked.has(lead._id));
  const groundsOf = new Map(grounds.map((one) => [one.lead._id, one]));
  const passing: Claiming[] = [];
  const decided: Decided[] = [];
  const verdicts: LeadVerdict[] = [];
  // The leads as the run has them: their grounds may have been read while they were stored.
  const readable = leads.flatMap((lead) => {
    const found = groundsOf.get(lead._id);
    return found ? [{ ...found, lead }] : [];
  });
  const judged = eachApart(readable, stuck, (one) => judge(one, now));
  for (const { lead, decision, passed } of judged) {
    if (passed) passing.push(passed);
    if (decision.kind === 'pass') continue;
    verdicts.push({ id: lead._id, status: 'REJECTED' });
    decided.push({
      leadId: lead._id,
      status: 'REJECTED',
      reason: decision.reason,
      trail: decision.trail,
      set: { filter_errors: decision.filter_errors },
    });
  }
  const isFresh = deps.clock.monotonic() - known.readAt <= FRESH_MS;
  const destinations = isFresh ? known.destinations : await destinationsOf(passing, deps);
  const [lost, early] = await Promise.all([
    claimLeads(passing, now, deps),
    reserveEarly(
      passing.map(({ task }) => task),
      deps,
      destinations,
    ),
  ]);
  const tasks: Task[] = [];
  const routed: Routed[] = [];
  for (const one of passing) {
    const holder = lost.get(one.lead._id);
    if (!holder) {
      tasks.push(one.task);
      continue;
    }
    const original = {
      lead_id: holder._id,
      buyer_id: holder.buyer_id,
      resend: isResend(one.lead, holder, now),
    };
    const repeat = judgeDuplicate(one.plan.dedupe, original, one.candidates, now);
    const trail = [...one.trail, repeat.entry];
    const duplicate_of = holder._id;
    if (repeat.kind === 'routed') {
      const { route_to, candidates } = repeat;
      Object.assign(one.lead, { duplicate_of, route_to });
      tasks.push(asTask({ ...one, candidates, trail }));
      routed.push({ leadId: one.lead._id, duplicate_of, route_to });
      continue;
    }
    const set = { duplicate_of, replay_of: original.resend ? duplicate_of : undefined };
    decided.push({ leadId: one.lead._id, status: repeat.status, trail, set });
    verdicts.push({ id: one.lead._id, status: repeat.status, ...set });
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
  return { tasks, verdicts, destinations, reserved, stuck };
}

/** Everything about one lead that may throw: it concerns that lead alone. */
function judge(found: Grounds, now: Date) {
  const { lead, plan, asked, termsVersion, hits } = found;
  const decision = screenLead({ lead, plan: asked, now, hits, termsVersion });
  if (decision.kind === 'rejected') return { lead, decision };
  const { candidates, trail } = decision;
  const one: Passing = { lead, plan, candidates, trail };
  const keys = dedupeKeys(plan.dedupe, lead.fields);
  return { lead, decision, passed: { ...one, task: asTask(one), keys } };
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
    soldTo: lead.buyer_id ?? undefined,
  };
}
