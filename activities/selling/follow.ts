/**
 * Taking up leads that an earlier run left: its delivery rows say how far it came. What it may have sent
 * is never sent again blindly, and what it learnt is not asked twice.
 */
import { rankBuyers } from '../../src/domain/routing.js';
import { withoutSuppressed } from '../../src/domain/suppression.js';
import type { Lead } from '../../src/domain/lead.js';
import type { BuyerTerms } from '../../src/domain/plan.js';
import type { DeliveryVerdict } from '../../src/domain/delivery.js';
import type { DeliveryDoc } from '../../src/store/collections.js';
import type { Decided } from '../../src/store/leads.js';
import type { LeadVerdict, ProcessResult } from '../../workflows/messages.js';
import { asTask, planOf, type ScreeningDeps } from '../screening.js';
import { suppressionHits } from '../suppressionHits.js';
import { commitAll, nextRow, releaseAll, reservedFor } from './reserve.js';
import { conclude, handOver, note, settle } from './settle.js';
import type { Answered, Missed, Reserved, Run, Task } from './task.js';

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

  const unknown = traced.filter(({ last }) => last.state === 'unknown').flatMap(answered);
  unknown.forEach((answer) => note(answer, deps.clock.now()));
  const known = traced
    .filter(({ last }) => ['accepted', 'rejected', 'failed', 'abandoned'].includes(last.state))
    .flatMap(answered);
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

const verdict = (task: Task, status: LeadVerdict['status'], buyerId?: string): LeadVerdict => ({
  id: task.lead._id,
  status,
  ...(buyerId === undefined ? {} : { buyer_id: buyerId }),
});

/** Reads the rows; those whose answer can no longer come become unknown first. */
async function trace(
  leads: readonly Lead[],
  run: Run,
  followed: Followed,
  deps: ScreeningDeps,
): Promise<Traced[]> {
  const now = deps.clock.now();
  const ids = leads.map((lead) => lead._id);
  let rows = await deps.deliveries.ofLeads(ids);
  const overdue = [...rows.values()]
    .flat()
    .filter((row) => row.state === 'unknown' || (row.state === 'sending' && row.answer_by <= now))
    .map((row) => row._id);
  if (overdue.length > 0) {
    await deps.deliveries.giveUp(overdue, run.id, now);
    rows = await deps.deliveries.ofLeads(ids);
  }
  const plans = await deps.plans.get(leads.map(planOf));
  const hits = await suppressionHits(leads, (lead) => plans.get(planOf(lead)), deps);
  const stale: Reserved[] = [];
  const traced = leads.flatMap((lead): Traced[] => {
    const own = rows.get(lead._id) ?? [];
    const last = latestOf(own);
    const plan = plans.get(planOf(lead));
    if (!plan) return [];
    if (!last) {
      followed.fresh.push(lead);
      stale.push(...slotsOf(asTask({ lead, plan, candidates: plan.buyers, trail: [] })));
      return [];
    }
    const tried = new Map(own.map((row) => [row.buyer_id, row]));
    const eligible = rankBuyers(plan, lead).candidates;
    const ranked = withoutSuppressed(plan, eligible, hits.get(lead._id) ?? []);
    const task = asTask({
      lead,
      plan,
      candidates: ranked.filter((terms) => !tried.has(terms.buyer_id)),
      trail: [{ at: now, step: 'delivery', result: 'resumed', detail: { attempts: own.length } }],
    });
    task.nextAttempt = Math.max(...own.map(({ n }) => n)) + 1;
    task.missed = missedOf(
      own.filter((row) => row !== last),
      ranked,
    );
    stale.push(...slotsOf(task));
    return [{ task, rows: own, last }];
  });
  await releaseAll(stale, deps);
  return traced;
}

/** Slots that the earlier run may have taken for an attempt it never opened. */
const slotsOf = (task: Task): Reserved[] =>
  task.candidates.map((terms) => reservedFor(task, terms, nextRow(task), new Date(0)));

/** A row in one of these says where its lead stands, whatever was tried after it was first opened. */
const DECISIVE: readonly DeliveryDoc['state'][] = [
  'accepted',
  'sending',
  'unknown',
  'parked',
  'expired',
];

/** The attempt that matters: a parked row is sent again after later ones were opened. */
function latestOf(rows: readonly DeliveryDoc[]): DeliveryDoc | undefined {
  const decisive = rows.find((row) => DECISIVE.includes(row.state));
  return decisive ?? rows.toSorted((a, b) => settledAt(a) - settledAt(b)).at(-1);
}

const settledAt = (row: DeliveryDoc): number => Number(row.settled_at ?? row.created_at);

/** Buyers that surely did not take the lead when they were asked, and may when they are asked again. */
export function missedOf(rows: readonly DeliveryDoc[], buyers: readonly BuyerTerms[]): Missed[] {
  return rows.flatMap((row) => {
    const terms = buyers.find((buyer) => buyer.buyer_id === row.buyer_id);
    if (row.state !== 'failed' || !terms) return [];
    return [{ terms, rowId: row._id, reason: row.reason ?? 'not_taken', retryAfterMs: 0 }];
  });
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
    const { reserved: keys } = last;
    return [{ task, terms, keys, holdId: last._id, reason: last.reason ?? 'parked' }];
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
    reason: 'max_age',
    buyerId: last.buyer_id,
    trail: task.trail,
  }));
  await deps.leads.decide(run.id, decided, now);
  followed.verdicts.push(...ended.map(({ task }) => verdict(task, 'EXPIRED')));
}

const termsOf = (task: Task, row: DeliveryDoc): BuyerTerms | undefined =>
  task.plan.buyers.find((terms) => terms.buyer_id === row.buyer_id);

const VERDICTS: Partial<Record<DeliveryDoc['state'], DeliveryVerdict['result']>> = {
  accepted: 'accepted',
  rejected: 'rejected',
  failed: 'not_taken',
  abandoned: 'unknown',
  unknown: 'unknown',
};

/** The last row as the answer it stands for. */
function answered({ task, last }: Traced): Answered[] {
  const terms = termsOf(task, last);
  const result = VERDICTS[last.state];
  if (!terms || !result) return [];
  const said: DeliveryVerdict = {
    result,
    reason: last.reason ?? last.state,
    ...(last.http_status === undefined ? {} : { http_status: last.http_status }),
  };
  return [
    {
      task,
      terms,
      row: last,
      keys: last.reserved,
      holdId: last._id,
      verdict: said,
      latencyMs: last.latency_ms ?? 0,
    },
  ];
}
