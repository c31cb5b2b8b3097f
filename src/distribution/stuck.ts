/**
 * Leads that cannot be decided: their plan cannot be read, does not name their supplier, or their document is broken.
 * The error of one does not stop the others of its group. It is tried again until its age limit ends it.
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

/** Returns the results of `act`; a lead for which it throws is added to `stuck` instead. */
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

/** A buyer has the lead, may have it, or its row waits: then its row decides when it ends, not its age. */
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
 * Logs why each cannot be decided, and leaves it to a later run, after a wait that grows with its age; ends those past
 * their age limit that no buyer has or may have.
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
  const ofNoBuyer = aged.filter(
    ({ _id }) => !(rows.get(_id) ?? []).some(({ state }) => KEPT.includes(state)),
  );
  const expired = new Set<string>();
  for (const lead of ofNoBuyer) {
    await endAged([lead], lease, deps).then(
      () => expired.add(lead._id),
      // One whose document cannot even be ended is logged, and stays.
      (error: unknown) => logStuck([{ lead, error }], deps),
    );
  }
  const open = stuck.map(({ lead }) => lead).filter(({ _id }) => !expired.has(_id));
  return {
    verdicts: stuck.map(({ lead: { _id: id } }) => ({
      id,
      status: expired.has(id) ? 'EXPIRED' : 'OPEN',
    })),
    open: open.map(({ _id }) => _id),
    dueInMs: Math.max(0, ...open.map((lead) => retryAfterMs(lead, now))),
  };
}

/** Logs each lead that cannot be decided, with its error. */
export function logStuck(stuck: readonly Stuck[], { log }: Pick<StuckDeps, 'log'>): void {
  for (const { lead, error } of stuck) {
    const { _id, campaign_id, org_id } = lead;
    log.error(
      { err: error, lead: _id, campaign: campaign_id, org: org_id },
      'a lead cannot be decided now; it waits by itself, and is tried again until its age limit',
    );
  }
}

const RETRY_AFTER_MIN_MS = 3_000;
const RETRY_AFTER_MAX_MS = 60_000;

const retryAfterMs = ({ created_at }: Lead, now: Date): number =>
  Math.min(RETRY_AFTER_MAX_MS, Math.max(RETRY_AFTER_MIN_MS, Number(now) - Number(created_at)));
