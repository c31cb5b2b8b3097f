/**
 * Applies answers: first to the row, then to caps and lead. The order makes every step
 * repeatable: the next run finishes from the row what a run that dies in between has left.
 */
import { consequenceOf, type Consequence } from '../routing/rules/consequence.js';
import type { RowResult } from '../deliveries/store/rowResults.js';
import { withAnsweredPrice, recordSales, parkLeads, namesPrice } from './recordSales.js';
import type { SellingDeps } from './deps.js';
import { adoptReservations, commitReservations, releaseReservations } from './capReservations.js';
import type { Answered, Lease, Task } from './task.js';
import { isOver } from './verdicts.js';

export interface Settled {
  /** Leads that may be sold to more buyers are in `goOn` too. */
  sold: Task[];
  /** The next buyer may be asked. */
  goOn: Task[];
  /** Now in the durable lane. */
  waiting: Task[];
  /** Another run has these leads: this one does nothing more with them. */
  overtaken: Task[];
}

const RESEND_AFTER_MS = 1_000;

/**
 * Writes the answers into their rows, and then applies them. Repeatable.
 * @param adopted the rows whose reservations an earlier try has adopted: what it then booked must not be adopted again
 */
export async function settle(
  said: readonly Answered[],
  lease: Lease,
  deps: SellingDeps,
  adopted = new Set<string>(),
): Promise<Settled> {
  const now = deps.clock.now();
  const answers = said.map(withAnsweredPrice);
  const results = answers.map((answer) => rowResult(answer, now));
  const held = await deps.deliveries.settle(lease.id, results, now);
  const ours = answers.filter(({ row }) => held.has(row._id));
  const overtaken = answers.filter(({ row }) => !held.has(row._id)).map(({ task }) => task);
  // After its lease a run still records an acceptance; its successor reads everything else in the rows.
  const late = isOver(lease, deps);
  // The successor may have ended their reservations at the link's price: then the price in the answer counts instead.
  if (late) {
    const named = ours.filter((answer) => isNamedSale(answer) && !adopted.has(answer.row._id));
    await adoptReservations(named, deps);
    named.forEach(({ row }) => adopted.add(row._id));
  }
  const settled = await conclude(late ? ours.filter(isSale) : ours, lease, deps);
  const left = late ? ours.filter((answer) => !isSale(answer)).map(({ task }) => task) : [];
  return { ...settled, overtaken: [...overtaken, ...left] };
}

/** Applies settled rows to caps and leads. Repeatable. */
export async function conclude(
  answers: readonly Answered[],
  lease: Lease,
  deps: SellingDeps,
): Promise<Settled> {
  const now = deps.clock.now();
  const accepted = answers.filter(isSale);
  const waiting = answers.filter(waits);
  const goOn = answers.filter((answer) => !isSale(answer) && !waits(answer));
  await Promise.all([
    recordSales(accepted, lease, deps),
    releaseReservations(goOn, deps),
    commitReservations(waiting, deps),
  ]);
  // The rows name the windows these leads are counted in, so their reservations could end above.
  await parkLeads(
    waiting.map(({ task, terms, verdict }) => ({ task, terms, reason: verdict.reason })),
    lease,
    now,
    deps,
  );
  accepted.forEach(({ task, terms }) => {
    task.sold += 1;
    task.soldTo ??= terms.buyer_id;
    delete task.again;
  });
  goOn.forEach((answer) => {
    recordMiss(answer);
    // The lead's count with this buyer has just been released.
    delete answer.task.again;
  });
  return {
    sold: accepted.map(({ task }) => task),
    goOn: [...goOn, ...accepted.filter(hasMore)].map(({ task }) => task),
    waiting: waiting.map(({ task }) => task),
    overtaken: [],
  };
}

/** The plan allows another sale. Whether there is a buyer for it shows when the next one is chosen. */
const hasMore = ({ task }: Answered): boolean => task.sold < task.plan.max_sells;

/** Records a buyer that did not accept the lead and may later. */
function recordMiss({ task, terms, row, verdict }: Answered): void {
  if (verdict.result !== 'not_taken') return;
  task.missed.push({
    terms,
    rowId: row._id,
    reason: verdict.reason,
    retryAfterMs: verdict.retry_after_ms ?? 0,
  });
  if (terms.when_unavailable === 'WAIT') task.candidates = [];
}

const consequenceOfAnswer = ({ verdict, terms, task }: Answered): Consequence =>
  consequenceOf(verdict.result, terms, task.again !== undefined);
const isSale = (answer: Answered): boolean => consequenceOfAnswer(answer) === 'sold';
const isNamedSale = (answer: Answered): boolean => isSale(answer) && namesPrice(answer.terms);
const waits = (answer: Answered): boolean => consequenceOfAnswer(answer) === 'waits';

/** The row's change for an answer. */
export function rowResult(answer: Answered, now: Date): RowResult {
  const { verdict, terms, latencyMs, excerpt, row } = answer;
  const set: NonNullable<RowResult['set']> = {
    latency_ms: latencyMs,
    reason: verdict.reason,
    http_status: verdict.http_status,
    reference: verdict.reference,
    excerpt,
  };
  if (isSale(answer)) {
    const { price, cost } = row;
    const money = namesPrice(terms) ? { price, cost } : {};
    return { id: row._id, state: 'accepted', set: { ...set, ...money } };
  }
  if (verdict.result === 'rejected') return { id: row._id, state: 'rejected', set };
  if (verdict.result === 'not_taken') {
    if (answer.task.again === undefined) return { id: row._id, state: 'failed', set };
    const dueAt = new Date(Number(now) + (verdict.retry_after_ms ?? 0));
    return { id: row._id, state: 'parked', set: { ...set, due_at: dueAt, reserved: answer.keys } };
  }
  set.unanswered = true;
  if (terms.delivery.honours_idempotency_key) {
    return {
      id: row._id,
      state: 'parked',
      set: { ...set, due_at: new Date(Number(now) + RESEND_AFTER_MS), reserved: answer.keys },
    };
  }
  if (terms.delivery.on_unknown === 'fail_over') return { id: row._id, state: 'abandoned', set };
  const holdEnds = new Date(Number(now) + terms.delivery.hold_max_age_ms);
  return {
    id: row._id,
    state: 'unknown',
    set: { ...set, expires_at: holdEnds, reserved: answer.keys },
  };
}

/** Adds an answer to the lead's trail. */
export function appendTrail(answer: Answered, now: Date): void {
  const { task, terms, verdict, latencyMs, row, askedAt } = answer;
  const notes = [...(verdict.notes ?? []), ...(namesOtherPrice(answer) ? ['price_locked'] : [])];
  task.trail.push({
    at: now,
    step: 'delivery',
    result: verdict.result,
    buyer_id: terms.buyer_id,
    reason: verdict.reason,
    detail: {
      attempt: row.n,
      asked_at: askedAt,
      latency_ms: latencyMs,
      http_status: verdict.http_status,
      reference: verdict.reference,
      notes: notes.length > 0 ? notes : undefined,
    },
  });
}

/** The buyer's answer names another price than its bid: the bid holds, and the trail records the difference. */
const namesOtherPrice = ({ terms, verdict: { price } }: Answered): boolean =>
  terms.locked !== undefined && price !== undefined && price !== terms.price;
