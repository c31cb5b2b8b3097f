/** Leads on their way from memory to a workflow: stored, their pings redeemed, started; or withdrawn. */
import type { Clock } from '../lib/clock.js';
import type { Log } from '../lib/log.js';
import type { LeadStore } from '../leads/store/leads.js';
import type { Decider } from '../distribution/decideHere.js';
import type { FirstRun } from '../distribution/firstRun.js';
import { retryWhileUnavailable } from '../distribution/retryWhileUnavailable.js';
import type { Background } from '../lib/background.js';
import type { Lead } from '../leads/rules/lead.js';
import type { LeadVerdict } from '../../workflows/messages.js';
import { STARTED_BY_MS, WITHDRAWN_BY_MS } from './deadlines.js';
import type { IntakeItem } from './group.js';
import { NOT_ACCEPTED } from './reply.js';
import type { ResponseLog } from './responseLog.js';
import { redeemPings, type PingDeps } from './pingMatch.js';
import { withTimeout } from '../lib/withTimeout.js';

export interface StartDeps extends Pick<PingDeps, 'redemption'> {
  clock: Clock;
  log: Log;
  leads: LeadStore;
  decider: Decider;
  responseLog: Pick<ResponseLog, 'broken'>;
  background: Pick<Background, 'add'>;
}

/** Minimum milliseconds for the withdrawal. */
const WITHDRAW_MIN_MS = 300;

/** How a group is committed. */
export interface StoreOptions {
  /** Milliseconds left until `byMs` after the arrival of the oldest request. */
  leftMs: (byMs: number) => number;
  /** The run whose own the leads are inserted as; without it, a run acquires them when they are stored. */
  run?: FirstRun;
  /** Called with requests whose pings another lead redeemed first: their leads are deleted, at once or soon. */
  onLost: (lost: readonly IntakeItem[]) => void;
}

/**
 * A ping is redeemed when its lead is stored, and before it is started: a process that dies in between leaves a lead
 * that no run acquires, and a ping that the next lead may take over from it. Without pings the leads are stored while
 * their workflow is started, where this process decides them.
 * @returns null when the result is unknown: leads whose start could neither be confirmed nor withdrawn
 */
export async function storeAndStart(
  items: readonly IntakeItem[],
  { leftMs, run, onLost }: StoreOptions,
  deps: StartDeps,
): Promise<Map<string, LeadVerdict> | null> {
  let leads = items.map((item) => leadOf(item, run));
  let mayRun = false;
  try {
    const storing = withTimeout(leftMs(STARTED_BY_MS), NOT_ACCEPTED, () =>
      insertLeads(items, leads, deps),
    );
    // The decision awaits it and fails with it.
    storing.catch(() => undefined);
    if (items.some(({ redemption }) => redemption !== undefined)) {
      await storing;
      const redeemed = await withTimeout(leftMs(STARTED_BY_MS), NOT_ACCEPTED, () =>
        redeemPings(items, deps),
      );
      leads = redeemed.won.map(({ admitted }) => admitted.lead);
      if (redeemed.lost.length > 0) {
        onLost(redeemed.lost);
        discardLeads(redeemed.lost, deps);
      }
      if (leads.length === 0) return new Map();
    }
    mayRun = true;
    const leftToStart = leftMs(STARTED_BY_MS);
    const deadline = Date.now() + leftToStart;
    // By this process's own clock, which the Temporal client uses. The deadline limits each attempt; the client retries
    // a server that refuses connections for longer.
    const verdicts = await withTimeout(leftToStart, NOT_ACCEPTED, () =>
      deps.decider.decide(leads, deadline, storing, run),
    );
    // A lead without a verdict from its run is stored all the same.
    const open = leads.map(({ _id: id }): LeadVerdict => ({ id, status: 'OPEN' }));
    if (verdicts) return new Map([...open, ...verdicts].map((verdict) => [verdict.id, verdict]));
  } catch (error) {
    deps.log.warn({ err: error, leads: leads.length }, 'a group could not be committed');
  }
  try {
    // Even when late: a definitive refusal is worth the wait.
    const ms = Math.max(leftMs(WITHDRAWN_BY_MS), WITHDRAW_MIN_MS);
    return await withTimeout(ms, NOT_ACCEPTED, () => withdrawLeads(leads, run, deps));
  } catch (error) {
    deps.log.warn({ err: error, leads: leads.length }, 'a group could not be withdrawn');
    if (run?.callOff()) deps.background.add(withdrawLater(leads, run, deps));
    // Not started: a lead that is stored is withdrawn when it is found. But a run may be selling a started lead: then a
    // refusal could be false, and so could a promise.
    return mayRun ? null : new Map();
  }
}

/** Leads whose insertion may have taken effect: otherwise `reconcile` would resume them, although no run has begun. */
async function withdrawLater(
  leads: readonly Lead[],
  { lease }: FirstRun,
  deps: StartDeps,
): Promise<void> {
  await retryWhileUnavailable(
    () => deps.leads.withdrawOwn(leads, lease.id, deps.clock.now()),
    deps,
  ).catch((error: unknown) =>
    deps.log.warn({ err: error, leads: leads.length }, 'leads that no run began stay stored'),
  );
}

/**
 * The lead as it is stored. A supplier that disconnects while its lead is on its way here may send it again before it is
 * decided: then the lead is stored as broken.
 */
function leadOf({ admitted, left }: IntakeItem, run: FirstRun | undefined): Lead {
  if (left) admitted.lead.broken = true;
  return run ? run.own(admitted.lead) : admitted.lead;
}

/** Leads whose connection closes during the insert are marked as broken afterwards. */
async function insertLeads(
  items: readonly IntakeItem[],
  stored: readonly Lead[],
  { leads, responseLog }: StartDeps,
): Promise<void> {
  await leads.insert(stored);
  items
    .filter(({ admitted, left }) => left && !admitted.lead.broken)
    .forEach(({ admitted }) => responseLog.broken(admitted.lead._id));
}

/**
 * Leads that did not get their ping. The request does not wait for their deletion, for no run acquires a lead that was
 * never started: one that stays is withdrawn when it is found.
 */
function discardLeads(lost: readonly IntakeItem[], { leads, log }: StartDeps): void {
  const ids = lost.map(({ admitted }) => admitted.lead._id);
  leads
    .discard(ids)
    .catch((error: unknown) => log.warn({ err: error }, 'leads without their ping not deleted'));
}

/** Withdraws leads that no run has begun to decide: for those a 503 is true. The others are being decided. */
async function withdrawLeads(
  leads: readonly Lead[],
  run: FirstRun | undefined,
  deps: StartDeps,
): Promise<Map<string, LeadVerdict>> {
  const leadIds = leads.map((lead) => lead._id);
  const now = deps.clock.now();
  const withdrawn = run?.callOff()
    ? await deps.leads.withdrawOwn(leads, run.lease.id, now)
    : await deps.leads.withdraw(leadIds, now);
  const stored = await deps.leads.answers(leadIds);
  return new Map(
    leadIds
      .filter((id) => stored.has(id))
      .map((id) => [id, { id, status: withdrawn.has(id) ? 'WITHDRAWN' : 'OPEN' }]),
  );
}
