/**
 * The fast lane: one call decides each lead of a group and starts to deliver it. `decideHere.ts` enters at `processFirst`,
 * the activity of the leads' workflow at `processLeads`.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Lead } from '../leads/rules/lead.js';
import { STORED_WITHIN_MS } from '../leads/rules/keyTimes.js';
import { isOpen, isUndecided } from '../leads/rules/leadStatus.js';
import type { LeadVerdict, ProcessResult } from '../../workflows/messages.js';
import {
  readScreening,
  screen,
  type Screened,
  type ScreeningDeps,
  type ScreeningReads,
} from './screening.js';
import { resumeLeads } from './resumeLeads.js';
import { timeOfId } from '../lib/ids.js';
import type { FirstRun } from './firstRun.js';
import { newLease } from './newLease.js';
import { GroupSale, LEASE_MS } from './sell.js';
import { leaveStuck } from './stuck.js';
import type { Lease, Task } from './task.js';
import { afterLease, isOver, storedVerdict } from './verdicts.js';

export interface ProcessDeps extends ScreeningDeps {
  /** How long a group waits for its slower buyers after its first send, in milliseconds. */
  softLimitMs: number;
  /** Work that continues after its call has ended; a stopping process waits for it. */
  background: { add(work: Promise<void>): void };
}

/**
 * The first run, in the process that accepts the leads: they are decided as they are in memory, and not read again. Until
 * they are stored and their workflow is started it only reads. It claims nothing before that: another lead must not become
 * the duplicate of one that is withdrawn.
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

/**
 * Any other run, called by the leads' workflow: acquires the leads and brings each as far as it can within the soft limit.
 * Safe to repeat, and safe in parallel with a run that was thought dead: leases and delivery rows decide which run acts.
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

/** Brings the leads of this run as far as it can, and returns the stored verdicts of the others. */
async function decideAndSell(
  leads: readonly Lead[],
  lease: Lease,
  deps: ProcessDeps,
  read?: ScreeningReads,
): Promise<ProcessResult> {
  const mine = leads.filter(({ run }) => run === lease.id);
  const others = leads.filter(({ run }) => run !== lease.id);
  const ofOthers = await verdictsOfOthers(others, deps);
  if (mine.length === 0) return ofOthers;

  const resumable = mine.filter(({ takes }) => takes > 1);
  const resumed = await resumeLeads(resumable, lease, deps);
  const fresh = [...mine.filter(({ takes }) => takes === 1), ...resumed.fresh];
  const screened = await screen(fresh, lease, deps, read);
  const decided = [...resumed.verdicts, ...screened.verdicts];
  // Checked before the sale extends the lease: after that, the lease no longer shows that it was valid at these writes.
  const verdicts = isOver(lease, deps) ? afterLease(decided) : decided;
  const unsure = verdicts.filter(({ status }) => status === 'OPEN').map(({ id }) => id);

  const sale = startSale(resumed.tasks, screened, lease, deps);
  await waitForBuyers(sale, deps);
  const { open, dueInMs } = await sale.detach();
  const stuck = await leaveStuck([...resumed.stuck, ...screened.stuck], lease, deps);
  const reported = new Set([...verdicts, ...stuck.verdicts].map(({ id }) => id));
  const offered = mine.filter(({ _id }) => !reported.has(_id));
  return mergeResults([
    ofOthers,
    { verdicts, open: [...resumed.open, ...unsure], dueInMs: resumed.dueInMs },
    stuck,
    { verdicts: offered.map((lead) => sale.verdictOf(lead)), open, dueInMs },
  ]);
}

/** Goes on in the background when its caller stops waiting; a failure is logged. */
function startSale(
  resumed: readonly Task[],
  { tasks, destinations }: Screened,
  lease: Lease,
  deps: ProcessDeps,
): GroupSale {
  const known = resumed.length === 0 ? { destinations } : {};
  const sale = new GroupSale({ tasks: [...tasks, ...resumed], ...known }, lease, deps);
  const logged = sale.done.catch((error: unknown) => {
    deps.log.error(
      { err: error, run: lease.id },
      'a run ended early; its leads are resumed by a later run',
    );
  });
  deps.background.add(logged);
  return sale;
}

/** Waits until the sale is done, but for slow buyers no longer than the soft limit. */
async function waitForBuyers(sale: GroupSale, { softLimitMs }: ProcessDeps): Promise<void> {
  const done = sale.done.catch(() => undefined);
  await Promise.race([done, sale.firstSend.then(() => pause(softLimitMs))]);
  // The limit is for slow buyers, not for storing the answers of the others.
  await Promise.race([done, sale.untilWaiting(), pause(STORING_MS)]);
}

const pause = (ms: number): Promise<void> => delay(ms, undefined, { ref: false });

/** Time for a group past its limit to store the answers it has, in milliseconds. */
const STORING_MS = 1_500;

const mergeResults = (results: readonly ProcessResult[]): ProcessResult => ({
  verdicts: results.flatMap(({ verdicts }) => verdicts),
  open: [...new Set(results.flatMap(({ open }) => open))],
  dueInMs: Math.max(...results.map(({ dueInMs }) => dueInMs)),
});

/** Leads this run did not acquire: decided, with another run, waiting, or too late to be acquired. */
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
