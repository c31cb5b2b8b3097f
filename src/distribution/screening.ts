/** Filters, suppression lists and duplicates: they end a lead before any buyer is asked. */
import { claimIdOf, dedupeKeys, reachBack, type DedupeKey } from '../leads/rules/dedupe.js';
import { judgeDuplicate } from '../leads/rules/duplicates.js';
import { screenLead } from '../routing/rules/screen.js';
import type { Lead } from '../leads/rules/lead.js';
import { isResend } from '../leads/rules/resend.js';
import type { ClaimRequest, ClaimStore } from '../leads/store/claims.js';
import type { EarlierRequest } from '../leads/store/earlierLeads.js';
import type { Holder } from '../leads/store/holders.js';
import type { Decided, Routed } from '../leads/store/leadUpdates.js';
import type { PlanStore } from '../account/store/plans.js';
import type { SuppressionStore } from '../account/store/suppressions.js';
import type { LeadVerdict } from '../../workflows/messages.js';
import type { DestinationDoc } from '../deliveries/store/destinationDoc.js';
import { releaseReservations } from './capReservations.js';
import { destinationsOf } from './chooseBuyers.js';
import type { SellingDeps } from './deps.js';
import { asTask, type Lease, type Offered, type Reserved, type Task } from './task.js';
import { addHits, isAskedAgain, readTerms, type GroundsRead } from './readGrounds.js';
import { reserveEarly } from './reserve.js';
import type { AccountCollections } from '../account/store/collections.js';
import { eachApart, type Stuck } from './stuck.js';

export interface ScreeningDeps extends SellingDeps {
  claims: ClaimStore;
  plans: PlanStore;
  collections: Pick<AccountCollections, 'campaigns'>;
  suppressions: SuppressionStore;
}

export interface Screened {
  /** Ready for their first attempt; some have a reservation for it. */
  tasks: Task[];
  verdicts: LeadVerdict[];
  /** Of the candidates of `tasks`, as they were a moment ago. */
  destinations: Map<string, DestinationDoc>;
  /** They could not be decided. */
  stuck: Stuck[];
}

/** A lead that passed the filters, and the keys that it claims. */
interface Passed extends Offered {
  /** Ready for its first attempt. */
  task: Task;
  keys: DedupeKey[];
}

/** What screening decides, to be stored. */
interface Decisions {
  decided: Decided[];
  routed: Routed[];
  /** Reservations of leads that turned out to be duplicates. */
  unused: Reserved[];
}

/** The reads that screening needs before it decides. */
export interface ScreeningReads extends GroundsRead {
  /** Of all buyers of their campaigns. */
  destinations: Map<string, DestinationDoc>;
  /** When these were read, on the monotonic clock. */
  readAtMs: number;
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
  const offers = [...plans].map(({ buyers }) => ({ candidates: buyers }));
  const readAtMs = deps.clock.monotonic();
  const [grounds, destinations] = await Promise.all([
    addHits(terms, deps),
    destinationsOf(offers, deps),
  ]);
  return { grounds, stuck, destinations, readAtMs };
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
  const known = read ?? (await readScreening(leads, deps));
  const { passed, rejected, stuck } = filterLeads(leads, known, now);
  const isFresh = deps.clock.monotonic() - known.readAtMs <= FRESH_MS;
  const destinations = isFresh ? known.destinations : await destinationsOf(passed, deps);
  const { tasks, ...claimed } = await claimDuplicates(passed, destinations, now, deps);
  const decided = [...rejected, ...claimed.decided];
  await persistDecisions({ ...claimed, decided }, lease, now, deps);
  return { tasks, verdicts: decided.map(asVerdict), destinations, stuck };
}

/** Applies filters and suppression lists; a lead for which this throws is stuck, and stops no other. */
function filterLeads(
  leads: readonly Lead[],
  known: GroundsRead,
  now: Date,
): { passed: Passed[]; rejected: Decided[]; stuck: Stuck[] } {
  const ids = new Set(leads.map(({ _id }) => _id));
  const stuck = known.stuck.filter(({ lead }) => ids.has(lead._id));
  const groundsById = new Map(known.grounds.map((one) => [one.lead._id, one]));
  // The leads as the run has them: their grounds may have been read while they were stored.
  const readable = leads.flatMap((lead) => {
    const grounds = groundsById.get(lead._id);
    return grounds ? [{ ...grounds, lead }] : [];
  });
  const rejected: Decided[] = [];
  const passed = eachApart(readable, stuck, (grounds): Passed[] => {
    const { lead, plan, planNow, latest, termsVersion, hits } = grounds;
    const decision = screenLead({ lead, plan: planNow, now, hits, termsVersion });
    const { trail } = decision;
    if (decision.kind === 'pass') {
      const zone = latest?.time_zone;
      const offered = { lead, plan, zone, candidates: decision.candidates, trail };
      const keys = dedupeKeys(plan.dedupe, lead.fields);
      return [{ ...offered, task: asTask(offered), keys }];
    }
    const { reason, filter_errors } = decision;
    rejected.push({ leadId: lead._id, status: 'REJECTED', reason, trail, set: { filter_errors } });
    return [];
  });
  return { passed: passed.flat(), rejected, stuck };
}

/** Claims each lead's keys, and reserves meanwhile where that can refuse no other lead. */
async function claimDuplicates(
  passed: readonly Passed[],
  destinations: Map<string, DestinationDoc>,
  now: Date,
  deps: ScreeningDeps,
): Promise<Decisions & { tasks: Task[] }> {
  const early = passed.map(({ task }) => task);
  const [holders] = await Promise.all([
    claimLeads(passed, now, deps),
    reserveEarly(early, destinations, deps),
  ]);
  const claimed = passed.map((one): Claimed => {
    const holder = holders.get(one.lead._id);
    return holder ? judgeRepeat(one, holder, now) : { task: one.task };
  });
  const repeats = early.filter(({ lead }) => holders.has(lead._id));
  return {
    tasks: claimed.flatMap(({ task }) => task ?? []),
    decided: claimed.flatMap(({ decided }) => decided ?? []),
    routed: claimed.flatMap(({ routed }) => routed ?? []),
    unused: repeats.flatMap(({ reserved }) => reserved ?? []),
  };
}

/**
 * Claims for the whole group; returns the holders of those that were lost. Earlier leads that no claim shows are looked
 * up first, and what repeats one claims nothing: of two leads at most one can be the duplicate of the other.
 */
async function claimLeads(
  passing: readonly Passed[],
  now: Date,
  deps: Pick<ScreeningDeps, 'claims' | 'keyring'>,
): Promise<Map<string, Holder>> {
  // A test lead must not block a real one, nor be blocked by it; one that replaces a sale has its origin's claim.
  const claiming = passing.filter(({ lead }) => !lead.is_test && !lead.resale?.replaces);
  const earlier = await deps.claims.earlier(
    claiming.flatMap(({ lead, plan }): EarlierRequest[] => {
      const back = reachBack(plan, lead.fields, lead.created_at, now);
      const { _id: lead_id, org_id, campaign_id } = lead;
      return back ? [{ lead_id, org_id, campaign_id, ...back }] : [];
    }),
  );
  const free = claiming.filter(({ lead }) => !earlier.has(lead._id));
  const lost = await deps.claims.claim(requestsOf(free, deps), now);
  return new Map([...earlier, ...lost]);
}

/** Field by field, in the order of the campaign's fields. */
function requestsOf(
  claiming: readonly Passed[],
  { keyring }: Pick<ScreeningDeps, 'keyring'>,
): ClaimRequest[][] {
  const rounds = Math.max(0, ...claiming.map(({ keys }) => keys.length));
  return Array.from({ length: rounds }, (_, round) =>
    claiming.flatMap(({ lead, plan, keys }): ClaimRequest[] => {
      const key = keys[round];
      if (!key) return [];
      const claim_id = claimIdOf(plan.campaign_id, key, (text) => keyring.claimHash(text));
      return [{ claim_id, lead_id: lead._id, window_days: plan.dedupe.window_days }];
    }),
  );
}

/** What its claims decide about a lead: it is sold, or it is a duplicate. */
interface Claimed {
  task?: Task;
  decided?: Decided;
  routed?: Routed;
}

function judgeRepeat(repeat: Passed, holder: Holder, now: Date): Claimed {
  const { lead, plan, zone, candidates } = repeat;
  const { _id: duplicate_of, buyer_id } = holder;
  const resend = isResend(lead, holder, now);
  const original = { lead_id: duplicate_of, buyer_id, resend };
  const decision = judgeDuplicate(plan.dedupe, original, candidates, now);
  const trail = [...repeat.trail, decision.entry];
  if (decision.kind === 'ended') {
    const set = { duplicate_of, replay_of: resend ? duplicate_of : undefined };
    return { decided: { leadId: lead._id, status: decision.status, trail, set } };
  }
  const { route_to } = decision;
  Object.assign(lead, { duplicate_of, route_to });
  const task = asTask({ lead, plan, zone, candidates: decision.candidates, trail });
  return { task, routed: { leadId: lead._id, duplicate_of, route_to } };
}

async function persistDecisions(
  { decided, routed, unused }: Decisions,
  lease: Lease,
  now: Date,
  deps: ScreeningDeps,
): Promise<void> {
  await Promise.all([
    deps.leads.decide(lease.id, decided, now, lease.subscriptions),
    deps.leads.route(lease.id, routed),
    releaseReservations(unused, deps),
  ]);
}

const asVerdict = ({ leadId: id, status, set }: Decided): LeadVerdict => ({
  id,
  status,
  duplicate_of: set?.duplicate_of,
  replay_of: set?.replay_of,
});
