/**
 * Leads that cannot be decided: their plan cannot be read, does not name their supplier, or their document is broken.
 * Each keeps its error to itself, whatever the group that it came in: the others go on. It is tried again until its age
 * limit ends it.
 */
import type { Plan } from '../account/rules/plan.js';
import type { DeliveryDoc } from '../deliveries/store/deliveryDoc.js';
import type { Lead } from '../leads/rules/lead.js';
import type { ProcessResult } from '../../workflows/messages.js';
import type { SellingDeps } from './deps.js';
import type { Lease } from './task.js';

export interface Stuck {
  lead: Lead;
  error: unknown;
}

/** Does this for each of them, and returns the results; one for which it throws is noted in `stuck` instead. */
export function eachApart<Of extends { lead: Lead }, T>(
  all: readonly Of[],
  stuck: Stuck[],
  act: (one: Of) => T,
): T[] {
  return all.flatMap((one) => {
    try {
      return [act(one)];
    } catch (error) {
      stuck.push({ lead: one.lead, error });
      return [];
    }
  });
}

/** @throws {Error} when the document of a lead lacks what every step needs */
export function requireWhole({ _id, fields, trail, sales }: Lead): void {
  if (!isRecord(fields)) throw new Error(`The fields of lead ${_id} are not stored`);
  if (!Array.isArray(trail)) throw new Error(`The trail of lead ${_id} is not stored`);
  if (!Array.isArray(sales)) throw new Error(`The sales of lead ${_id} are not stored`);
}

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null;

const DAY_MS = 86_400_000;

/**
 * Whether a lead without a waiting row has passed its age limit (contract 2.4): that of the buyer which would wait
 * longest, and the default where its plan cannot be read.
 */
export function isAged({ created_at }: Lead, now: Date, plan?: Plan): boolean {
  const limits = plan?.buyers.map(({ delivery }) => delivery.max_age_ms) ?? [];
  const limit = limits.length > 0 ? Math.max(...limits) : DAY_MS;
  return Number(now) - Number(created_at) >= limit;
}

/** A buyer has the lead, may have it, or its row waits: then its row ends it, not its age. */
const KEPT: readonly DeliveryDoc['state'][] = ['accepted', 'sending', 'unknown', 'parked'];

type StuckDeps = Pick<SellingDeps, 'leads' | 'deliveries' | 'clock' | 'log'>;

/** Ends leads past their age limit: a promise is settled in time, by ACCEPTED or EXPIRED. */
export async function endAged(
  leads: readonly Lead[],
  lease: Lease,
  { leads: store, clock }: Pick<StuckDeps, 'leads' | 'clock'>,
): Promise<void> {
  const decided = leads.map(({ _id }) => ({
    leadId: _id,
    status: 'EXPIRED' as const,
    reason: 'max_age' as const,
    trail: [],
  }));
  await store.decide(lease.id, decided, clock.now(), lease.subscriptions);
}

/**
 * Logs why each cannot be decided, and leaves it to a later run, the later the older it is; ends those past their age
 * limit that no buyer has or may have.
 */
export async function leaveStuck(
  stuck: readonly Stuck[],
  lease: Lease,
  deps: StuckDeps,
): Promise<ProcessResult> {
  if (stuck.length === 0) return { verdicts: [], open: [], dueInMs: 0 };
  const now = deps.clock.now();
  logStuck(stuck, deps);
  const aged = stuck.map(({ lead }) => lead).filter((lead) => isAged(lead, now));
  const rows = await deps.deliveries.ofLeads(aged.map(({ _id }) => _id));
  const over = aged.filter(
    ({ _id }) => !(rows.get(_id) ?? []).some(({ state }) => KEPT.includes(state)),
  );
  const ended = new Set<string>();
  for (const lead of over) {
    const end = endAged([lead], lease, deps).then(() => ended.add(lead._id));
    // One whose document cannot even be ended is logged, and stays.
    await end.catch((error: unknown) => logStuck([{ lead, error }], deps));
  }
  const left = stuck.map(({ lead }) => lead).filter(({ _id }) => !ended.has(_id));
  return {
    verdicts: stuck.map(({ lead: { _id: id } }) => ({
      id,
      status: ended.has(id) ? 'EXPIRED' : 'OPEN',
    })),
    open: left.map(({ _id }) => _id),
    dueInMs: Math.max(0, ...left.map((lead) => tryAgainMs(lead, now))),
  };
}

/** Names each lead that cannot be decided, with its own error. */
export function logStuck(stuck: readonly Stuck[], { log }: Pick<StuckDeps, 'log'>): void {
  for (const { lead, error } of stuck) {
    const { _id, campaign_id, org_id } = lead;
    log.error(
      { err: error, lead: _id, campaign: campaign_id, org: org_id },
      'a lead cannot be decided now; it waits by itself, and is tried again until its age limit',
    );
  }
}

const AGAIN_FROM_MS = 3_000;
const AGAIN_TO_MS = 60_000;

const tryAgainMs = ({ created_at }: Lead, now: Date): number =>
  Math.min(AGAIN_TO_MS, Math.max(AGAIN_FROM_MS, Number(now) - Number(created_at)));
