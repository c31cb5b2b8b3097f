/** The fast lane: one call acquires a group of leads, decides each one and starts to deliver it. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Lead } from '../leads/rules/lead.js';
import { STORED_WITHIN_MS } from '../leads/rules/keyTimes.js';
import { isOpen, isUndecided } from '../leads/rules/leadStatus.js';
import type { LeadVerdict, ProcessResult } from '../../workflows/messages.js';
import { readScreening, screen, type ScreeningDeps, type ScreeningReads } from './screening.js';
import { resumeLeads } from './resumeLeads.js';
import { timeOfId } from '../lib/ids.js';
import type { FirstRun } from './firstRun.js';
import { newLease } from './newLease.js';
import { LEASE_MS, sell } from './sell.js';
import { leaveStuck } from './stuck.js';
import type { Ending, Lease } from './task.js';
import { afterLease, isOver, storedVerdict, verdictOf } from './verdicts.js';

export interface ProcessDeps extends ScreeningDeps {
  /** How long a group waits for its slower buyers after its first send, in milliseconds. */
  softLimitMs: number;
  /** Work that continues after its call has ended; a stopping process waits for it. */
  background: { add(work: Promise<void>): void };
}

/**
 * Acquires the leads of a group and brings each as far as it can within the soft limit. Safe to repeat,
 * and safe in parallel with a run that was thought dead: leases and delivery rows decide which run acts.
 */
export async function processLeads(
  leadIds: readonly string[],
  deps: ProcessDeps,
): Promise<ProcessResult> {
  const { lease, now, leaseUntil } = newLease(deps.clock, LEASE_MS);
  const leads = await deps.leads.acquire(leadIds, lease.id, leaseUntil, now);
  lease.subscriptions = deps.leads.readSubscriptions(leads.filter((lead) => lead.run === lease.id));
  const result = await decideAndSell(leads, lease, deps);
  const stored = new Set(leads.map((lead) => lead._id));
  const coming = leadIds.filter((id) => !stored.has(id) && mayBeStoredYet(id, now));
  if (coming.length === 0) return result;
  return {
    ...result,
    open: [...result.open, ...coming],
    dueInMs: Math.max(result.dueInMs, LOOK_AGAIN_MS),
  };
}

const LOOK_AGAIN_MS = 500;

/** A workflow may begin before its leads are stored: it reads them again until their ids are too old for that. */
function mayBeStoredYet(id: string, now: Date): boolean {
  const madeAt = timeOfId(id);
  return madeAt !== null && Number(now) - madeAt < STORED_WITHIN_MS;
}

/**
 * The same for leads that this process is storing, as they are in memory: they are not read again. Until they are stored
 * and their workflow is started it only reads. It claims nothing before that: another lead must not become the duplicate
 * of one that is withdrawn.
 * @param storing resolves with the leads to decide, leased to this run or to none
 * @throws what `storing` or `starting` rejects with; or when the run may not begin
 */
export async function processFirst(
  leads: readonly Lead[],
  run: FirstRun,
  { storing, starting }: { storing: Promise<readonly Lead[]>; starting: Promise<void> },
  deps: ProcessDeps,
): Promise<ProcessResult> {
  const { lease, leaseUntil } = run;
  lease.subscriptions = deps.leads.readSubscriptions(leads);
  const reading = readScreening(leads, deps);
  // If the run does not begin, its result is not needed.
  reading.catch(() => undefined);
  const [stored] = await Promise.all([storing, starting]);
  return run.begin(async () => {
    const acquired = stored.every((lead) => lead.run === lease.id)
      ? stored
      : await deps.leads.acquireStored(stored, lease.id, leaseUntil, deps.clock.now());
    return decideAndSell(acquired, lease, deps, await reading);
  });
}

/** Brings the run's own leads as far as it can, and returns the stored verdicts of the others. */
async function decideAndSell(
  leads: readonly Lead[],
  lease: Lease,
  deps: ProcessDeps,
  read?: ScreeningReads,
): Promise<ProcessResult> {
  const mine = leads.filter((lead) => lead.run === lease.id);
  const others = await verdictsOfOthers(
    leads.filter((lead) => lead.run !== lease.id),
    deps,
  );
  if (mine.length === 0) return others;

  const again = await resumeLeads(
    mine.filter((lead) => lead.takes > 1),
    lease,
    deps,
  );
  const screened = await screen(
    [...mine.filter((lead) => lead.takes === 1), ...again.fresh],
    lease,
    deps,
    read,
  );
  const early = [...again.verdicts, ...screened.verdicts];
  // Before the sale extends the lease, which says nothing of what was written before.
  const verdicts = isOver(lease, deps) ? afterLease(early) : early;
  const unsure = verdicts.filter(({ status }) => status === 'OPEN').map(({ id }) => id);
  const tasks = [...screened.tasks, ...again.tasks];
  const { destinations, reserved } = screened;
  const isRead = again.tasks.length === 0;
  const selling = sell({ tasks, reserved, ...(isRead && { destinations }) }, lease, deps);
  const work = selling.done.catch((error: unknown) => {
    deps.log.error(
      { err: error, run: lease.id },
      'a run ended early; its leads are resumed by a later run',
    );
  });
  deps.background.add(work);
  await Promise.race([work, selling.firstSend.then(() => pause(deps.softLimitMs))]);
  // The limit is for slow buyers, not for storing the answers of the others.
  await Promise.race([work, selling.untilWaiting(), pause(OWN_WORK_MS)]);

  const left = await selling.detach();
  const stuck = await leaveStuck([...again.stuck, ...screened.stuck], lease, deps);
  const told = new Set([...verdicts, ...stuck.verdicts].map(({ id }) => id));
  const rest = mine.filter((lead) => !told.has(lead._id));
  return {
    verdicts: [
      ...others.verdicts,
      ...verdicts,
      ...stuck.verdicts,
      ...rest.map((lead) => verdictOfEnding(lead, selling.endingOf(lead._id))),
    ],
    open: [
      ...new Set([
        ...others.open,
        ...again.open,
        ...unsure,
        ...left.open,
        ...left.lost,
        ...stuck.open,
      ]),
    ],
    dueInMs: Math.max(others.dueInMs, again.dueInMs, left.dueInMs, stuck.dueInMs),
  };
}

const pause = (ms: number): Promise<void> => delay(ms, undefined, { ref: false });

/** Time for a group past its limit to store the answers it has, in milliseconds. */
const OWN_WORK_MS = 1_500;

function verdictOfEnding(lead: Lead, ending: Ending | undefined): LeadVerdict {
  if (ending?.kind === 'sold') return verdictOf({ lead, soldTo: ending.buyerId }, 'ACCEPTED');
  return verdictOf({ lead }, STATUSES[ending?.kind ?? 'lost']);
}

const STATUSES: Record<Exclude<Ending['kind'], 'sold'>, LeadVerdict['status']> = {
  unsold: 'UNMATCHED',
  capped: 'CAPPED',
  waiting: 'PENDING',
  lost: 'OPEN',
};

/** Leads this run did not acquire: decided, with another run, waiting, or too late to be acquired at all. */
async function verdictsOfOthers(leads: readonly Lead[], deps: ProcessDeps): Promise<ProcessResult> {
  const now = deps.clock.now();
  // No run has acquired these in time, so their supplier has received, or will receive, 503: make it true.
  const late = leads.filter((lead) => lead.status === 'NEW' && lead.run === null);
  const withdrawn =
    late.length > 0
      ? await deps.leads.withdraw(
          late.map((lead) => lead._id),
          now,
        )
      : new Set<string>();
  const busy = leads.filter((lead) => isOpen(lead.status) && lead.run !== null);
  const dueAt = Math.max(...busy.map((lead) => Number(lead.lease_until ?? now)), Number(now));
  return {
    verdicts: leads.map((lead): LeadVerdict => {
      if (withdrawn.has(lead._id)) return { id: lead._id, status: 'WITHDRAWN' };
      if (isUndecided(lead.status)) {
        return { id: lead._id, status: waits(lead) ? 'PENDING' : 'OPEN' };
      }
      return storedVerdict(lead);
    }),
    open: busy.map((lead) => lead._id),
    dueInMs: dueAt - Number(now),
  };
}

/** Promised, and in the durable lane. A NEW lead has no promise: another run has just acquired it. */
const waits = (lead: Lead): boolean => lead.status === 'PENDING' && lead.run === null;
