/**
 * Resumes leads of an earlier run: its delivery rows show how far it came. A request that it may have sent is never
 * repeated blindly, and a buyer that answered it is not asked twice.
 */
import type { Lead } from '../leads/rules/lead.js';
import type { Plan } from '../account/rules/plan.js';
import { isOverdue } from '../deliveries/rules/attempts.js';
import type { DeliveryDoc } from '../deliveries/store/deliveryDoc.js';
import type { Decided } from '../leads/store/leadUpdates.js';
import { DROPPED } from '../deliveries/store/queue.js';
import type { ProcessResult } from '../../workflows/messages.js';
import { unparkRows } from './expiry.js';
import { readGrounds } from './readGrounds.js';
import type { ScreeningDeps } from './screening.js';
import { eachApart, endAged, isAged, type Stuck } from './stuck.js';
import { recordSales, parkLeads } from './recordSales.js';
import { buildResumedTask } from './buildResumedTask.js';
import { toAnswered, findLatest, findOtherParked, reservedByRow, termsOf } from './rows.js';
import { conclude, appendTrail, settle } from './settle.js';
import { commitReservations } from './capReservations.js';
import type { Answered, Lease, Task } from './task.js';
import { verdictOf } from './verdicts.js';

export interface ResumedLeads extends ProcessResult {
  /** No buyer was tried yet: they start as new leads do. */
  fresh: Lead[];
  /** The next buyer may be asked. */
  tasks: Task[];
  /** They could not be decided. */
  stuck: Stuck[];
}

interface Traced {
  task: Task;
  rows: DeliveryDoc[];
  last: DeliveryDoc;
  /** The plan with the terms by which its buyers are reached now. */
  terms: Plan;
}

/**
 * Resumes the leads of the run that holds `lease`. Returns the verdicts that are certain already, the leads to sell as new
 * or to the next buyer, and those that stay open, with the milliseconds until another run may look again.
 * @throws {Error} what the database throws; a later run resumes the same leads
 */
export async function resumeLeads(
  leads: readonly Lead[],
  lease: Lease,
  deps: ScreeningDeps,
): Promise<ResumedLeads> {
  const resumed: ResumedLeads = {
    fresh: [],
    tasks: [],
    stuck: [],
    verdicts: [],
    open: [],
    dueInMs: 0,
  };
  if (leads.length === 0) return resumed;
  const traced = await trace(leads, lease, resumed, deps);

  // An earlier sale that was not recorded must be, before anything is done about the latest attempt.
  await recordSales(traced.flatMap(findUnrecordedSales), lease, deps);

  const sending = traced.filter(({ last }) => last.state === 'sending');
  await waitForAnswers(sending, lease, resumed, deps);

  const parked = traced.filter(({ last }) => last.state === 'parked');
  await parkAgain(parked, lease, resumed, deps);

  const expired = traced.filter(({ last }) => last.state === 'expired');
  await expire(expired, lease, resumed, deps);

  const listAnswers = (...states: DeliveryDoc['state'][]): Answered[] =>
    traced
      .filter(({ last }) => states.includes(last.state))
      .flatMap(({ task, last, terms }) => toAnswered(task, last, terms));
  const unknown = listAnswers('unknown');
  unknown.forEach((answer) => appendTrail(answer, deps.clock.now()));
  const known = listAnswers('accepted', 'rejected', 'failed', 'abandoned');
  const outcomes = await Promise.all([settle(unknown, lease, deps), conclude(known, lease, deps)]);
  for (const { sold, waiting, goOn, overtaken } of outcomes) {
    resumed.verdicts.push(
      ...sold.map((task) => verdictOf(task, 'ACCEPTED')),
      ...waiting.map((task) => verdictOf(task, 'PENDING')),
      ...overtaken.map((task) => verdictOf(task, 'OPEN')),
    );
    resumed.open.push(...overtaken.map(({ lead }) => lead._id));
    resumed.tasks.push(...goOn);
  }
  if (outcomes.some(({ overtaken }) => overtaken.length > 0))
    resumed.dueInMs = Math.max(resumed.dueInMs, 1_000);
  return resumed;
}

/**
 * Reads the rows; those whose answer can no longer arrive become unknown first. Reservations of an earlier run for an
 * attempt without a row stay: it may still store the row, late. This run takes them over with the same attempt, or
 * `reconcile` settles them by the row.
 */
async function trace(
  leads: readonly Lead[],
  lease: Lease,
  resumed: ResumedLeads,
  deps: ScreeningDeps,
): Promise<Traced[]> {
  const now = deps.clock.now();
  const rows = await settledRows(leads, lease, now, deps);
  const { grounds, stuck } = await readGrounds(leads, deps);
  const aged: Lead[] = [];
  const traced = eachApart(grounds, stuck, (found): Traced[] => {
    const { lead, plan } = found;
    const ofLead = rows.get(lead._id) ?? [];
    const last = findLatest(ofLead, plan.max_sells);
    if (last) {
      const task = buildResumedTask({ grounds: found, rows: ofLead, last, now });
      return [{ task, rows: ofLead, last, terms: found.planNow }];
    }
    if (lead.status === 'PENDING' && isAged(lead, now, plan)) aged.push(lead);
    else resumed.fresh.push(lead);
    return [];
  });
  resumed.stuck.push(...stuck);
  await endAged(aged, lease, deps);
  resumed.verdicts.push(...aged.map(({ _id: id }) => ({ id, status: 'EXPIRED' as const })));
  return traced.flat();
}

/** The leads' rows, once overdue ones are stored as unknown. */
async function settledRows(
  leads: readonly Lead[],
  lease: Lease,
  now: Date,
  deps: ScreeningDeps,
): Promise<Map<string, DeliveryDoc[]>> {
  const ids = leads.map((lead) => lead._id);
  const rows = await deps.deliveries.acquireRows(ids, lease.id);
  const unanswered = [...rows.values()]
    .flat()
    .filter((row) => row.state === 'unknown' || isOverdue(row, now))
    .map((row) => row._id);
  // A lead waits for one buyer at a time: for the one that may have it.
  const otherParked = [...rows.values()].flatMap(findOtherParked);
  if (unanswered.length === 0 && otherParked.length === 0) return rows;
  await unparkRows(otherParked, lease.id, deps);
  await deps.deliveries.endUnanswered(unanswered, lease.id, now);
  return deps.deliveries.ofLeads(ids);
}

/** A request of the earlier run may still be answered: nothing is done until it no longer can be. */
async function waitForAnswers(
  sending: readonly Traced[],
  lease: Lease,
  resumed: ResumedLeads,
  deps: ScreeningDeps,
): Promise<void> {
  if (sending.length === 0) return;
  const until = new Date(Math.max(...sending.map(({ last }) => Number(last.answer_by))));
  const ids = sending.map(({ task }) => task.lead._id);
  await deps.leads.extendLease(ids, lease.id, until);
  resumed.verdicts.push(...sending.map(({ task }) => verdictOf(task, 'OPEN')));
  resumed.open.push(...ids);
  resumed.dueInMs = Math.max(resumed.dueInMs, Number(until) - Number(deps.clock.now()));
}

async function parkAgain(
  parked: readonly Traced[],
  lease: Lease,
  resumed: ResumedLeads,
  deps: ScreeningDeps,
): Promise<void> {
  const handed = parked.flatMap(({ task, last }) => {
    const terms = termsOf(task, last);
    if (!terms) return [];
    const booked = { price: last.price, cost: last.cost };
    return [{ ...reservedByRow(task, terms, last), booked, reason: last.reason ?? 'parked' }];
  });
  // The row names the windows the lead is counted in: a reservation that the earlier run left ends.
  await commitReservations(handed, deps);
  await parkLeads(handed, lease, deps.clock.now(), deps);
  resumed.verdicts.push(...handed.map(({ task }) => verdictOf(task, 'PENDING')));
}

/** The row expired, but the lead was not updated. */
async function expire(
  expired: readonly Traced[],
  lease: Lease,
  resumed: ResumedLeads,
  deps: ScreeningDeps,
): Promise<void> {
  const now = deps.clock.now();
  const decided = expired.map(({ task, last }): Decided => ({
    leadId: task.lead._id,
    status: 'EXPIRED',
    reason: last.reason === DROPPED ? DROPPED : 'max_age',
    buyerId: last.buyer_id,
    trail: task.trail,
  }));
  await deps.leads.decide(lease.id, decided, now, lease.subscriptions);
  resumed.verdicts.push(...expired.map(({ task }) => verdictOf(task, 'EXPIRED')));
}

/** Accepted rows before the last one that the lead's sales do not contain. */
const findUnrecordedSales = ({ task, rows, last, terms }: Traced): Answered[] =>
  rows
    .filter((row) => row !== last && row.state === 'accepted')
    .filter((row) => !task.lead.sales.some(({ attempt }) => attempt === row.n))
    .flatMap((row) => toAnswered(task, row, terms));
