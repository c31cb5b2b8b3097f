/**
 * Taking up leads that an earlier run left: its delivery rows say how far it came. What it may have sent
 * is never sent again blindly, and what it learnt is not asked twice.
 */
import type { Lead } from '../leads/rules/lead.js';
import type { DeliveryDoc } from '../deliveries/store/deliveryDoc.js';
import type { Decided } from '../leads/store/leadUpdates.js';
import { DROPPED } from '../deliveries/store/queue.js';
import type { LeadVerdict, ProcessResult } from '../../workflows/messages.js';
import { unparkRows } from './expiry.js';
import { plansFor } from './plansFor.js';
import type { ScreeningDeps } from './screening.js';
import { suppressionHits } from './suppressionHits.js';
import { book, handOver } from './book.js';
import { resumedTask } from './resume.js';
import { answered, isOverdue, latestOf, parkedBeside, termsOf } from './rows.js';
import { conclude, note, settle } from './settle.js';
import { commitAll } from './slots.js';
import type { Answered, Run, Task } from './task.js';

export interface Followed extends ProcessResult {
  /** Nothing was tried yet: they start as new leads do. */
  fresh: Lead[];
  /** The next buyer may be asked. */
  tasks: Task[];
}

interface Traced {
  task: Task;
  rows: DeliveryDoc[];
  last: DeliveryDoc;
}

export async function follow(
  leads: readonly Lead[],
  run: Run,
  deps: ScreeningDeps,
): Promise<Followed> {
  const followed: Followed = { fresh: [], tasks: [], verdicts: [], open: [], dueInMs: 0 };
  if (leads.length === 0) return followed;
  const traced = await trace(leads, run, followed, deps);

  // An earlier sale that was not booked must be, before anything is done about the latest attempt.
  await book(traced.flatMap(unbooked), run, deps);

  const sending = traced.filter(({ last }) => last.state === 'sending');
  await waitFor(sending, run, followed, deps);

  const parked = traced.filter(({ last }) => last.state === 'parked');
  await handBack(parked, run, followed, deps);

  await expire(
    traced.filter(({ last }) => last.state === 'expired'),
    run,
    followed,
    deps,
  );

  const unknown = traced
    .filter(({ last }) => last.state === 'unknown')
    .flatMap(({ task, last }) => answered(task, last));
  unknown.forEach((answer) => note(answer, deps.clock.now()));
  const known = traced
    .filter(({ last }) => ['accepted', 'rejected', 'failed', 'abandoned'].includes(last.state))
    .flatMap(({ task, last }) => answered(task, last));
  const outcomes = await Promise.all([settle(unknown, run, deps), conclude(known, run, deps)]);
  for (const { sold, waiting, goOn, overtaken } of outcomes) {
    followed.verdicts.push(
      ...sold.map(({ task, buyerId }) => verdict(task, 'ACCEPTED', buyerId)),
      ...waiting.map((task) => verdict(task, 'PENDING')),
      ...overtaken.map((task) => verdict(task, 'OPEN')),
    );
    followed.open.push(...overtaken.map(({ lead }) => lead._id));
    followed.tasks.push(...goOn);
  }
  if (outcomes.some(({ overtaken }) => overtaken.length > 0))
    followed.dueInMs = Math.max(followed.dueInMs, 1_000);
  return followed;
}

function verdict({ lead }: Task, status: LeadVerdict['status'], buyerId?: string): LeadVerdict {
  const { _id: id, duplicate_of } = lead;
  return {
    ...{ id, status },
    ...(buyerId === undefined ? {} : { buyer_id: buyerId }),
    // A repeat that goes to the buyer of its original is told so, whichever run decides it.
    ...(duplicate_of === undefined ? {} : { duplicate_of }),
  };
}

/**
 * Reads the rows; those whose answer can no longer come become unknown first. Slots that an earlier run took for an
 * attempt it has not opened stay: it may open it yet, late. This run takes them over with the same attempt, or
 * `reconcile` settles them by the row.
 */
async function trace(
  leads: readonly Lead[],
  run: Run,
  followed: Followed,
  deps: ScreeningDeps,
): Promise<Traced[]> {
  const now = deps.clock.now();
  const rows = await settledRows(leads, run, now, deps);
  const planFor = await plansFor(leads, deps);
  const hits = await suppressionHits(leads, planFor, deps);
  return leads.flatMap((lead): Traced[] => {
    const own = rows.get(lead._id) ?? [];
    const plan = planFor(lead);
    if (!plan) return [];
    const last = latestOf(own, plan.max_sells);
    if (!last) {
      followed.fresh.push(lead);
      return [];
    }
    const task = resumedTask({ lead, plan, rows: own, last, hits: hits.get(lead._id) ?? [], now });
    return [{ task, rows: own, last }];
  });
}

/** The leads' rows, after what has become of them by now is written down. */
async function settledRows(
  leads: readonly Lead[],
  run: Run,
  now: Date,
  deps: ScreeningDeps,
): Promise<Map<string, DeliveryDoc[]>> {
  const ids = leads.map((lead) => lead._id);
  const rows = await deps.deliveries.ofTaken(ids, run.id);
  const unheard = [...rows.values()]
    .flat()
    .filter((row) => row.state === 'unknown' || isOverdue(row, now))
    .map((row) => row._id);
  // A lead waits for one buyer at a time: for the one that may have it.
  const beside = [...rows.values()].flatMap(parkedBeside);
  if (unheard.length === 0 && beside.length === 0) return rows;
  await unparkRows(beside, run.id, deps);
  await deps.deliveries.giveUp(unheard, run.id, now);
  return deps.deliveries.ofLeads(ids);
}

/** A request of the earlier run may still be answered: nothing is done before that is over. */
async function waitFor(
  sending: readonly Traced[],
  run: Run,
  followed: Followed,
  deps: ScreeningDeps,
): Promise<void> {
  if (sending.length === 0) return;
  const until = new Date(Math.max(...sending.map(({ last }) => Number(last.answer_by))));
  const ids = sending.map(({ task }) => task.lead._id);
  await deps.leads.extendLease(ids, run.id, until);
  followed.verdicts.push(...sending.map(({ task }) => verdict(task, 'OPEN')));
  followed.open.push(...ids);
  followed.dueInMs = Math.max(followed.dueInMs, Number(until) - Number(deps.clock.now()));
}

async function handBack(
  parked: readonly Traced[],
  run: Run,
  followed: Followed,
  deps: ScreeningDeps,
): Promise<void> {
  const handed = parked.flatMap(({ task, last }) => {
    const terms = termsOf(task, last);
    if (!terms) return [];
    const { reserved: keys, reserved_apart: apart, created_at: askedAt } = last;
    const [further, reason] = [last.further ?? false, last.reason ?? 'parked'];
    const isOfRow = true as const;
    return [{ task, terms, keys, apart, isOfRow, askedAt, further, holdId: last._id, reason }];
  });
  // The row names the windows the lead is counted in: its hold, if the earlier run left one, ends.
  await commitAll(handed, deps);
  await handOver(handed, run, deps.clock.now(), deps);
  followed.verdicts.push(...handed.map(({ task }) => verdict(task, 'PENDING')));
}

/** The row's waiting ended, but the lead was not told. */
async function expire(
  ended: readonly Traced[],
  run: Run,
  followed: Followed,
  deps: ScreeningDeps,
): Promise<void> {
  const now = deps.clock.now();
  const decided = ended.map(({ task, last }): Decided => ({
    leadId: task.lead._id,
    status: 'EXPIRED',
    reason: last.reason === DROPPED ? DROPPED : 'max_age',
    buyerId: last.buyer_id,
    trail: task.trail,
  }));
  await deps.leads.decide(run.id, decided, now, run.wants);
  followed.verdicts.push(...ended.map(({ task }) => verdict(task, 'EXPIRED')));
}

/** Accepted rows before the last one that the lead does not name. */
const unbooked = ({ task, rows, last }: Traced): Answered[] =>
  rows
    .filter((row) => row !== last && row.state === 'accepted')
    .filter((row) => !task.lead.sales.some(({ attempt }) => attempt === row.n))
    .flatMap((row) => answered(task, row));
