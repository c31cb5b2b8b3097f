/**
 * Applies answers: first to the row, then to caps and lead. The order makes every step repeatable: where a run dies in
 * between, the next one finishes from the row.
 */
import {
  addSample,
  recordHealth,
  type HealthSamples,
} from '../deliveries/destinations/recordHealth.js';
import { consequenceOf, withoutKey, type Consequence } from '../routing/rules/consequence.js';
import type { DeliveryDoc } from '../deliveries/store/deliveryDoc.js';
import type { RowResult } from '../deliveries/store/rowResults.js';
import { withAnsweredPrice, recordSales, parkLeads, namesPrice } from './recordSales.js';
import type { SellingDeps } from './deps.js';
import { adoptReservations, commitReservations, releaseReservations } from './capReservations.js';
import { toAnswered } from './rows.js';
import type { Answered, Lease, Reserved, Task } from './task.js';
import { isOver } from './verdicts.js';

export interface Settled {
  /** Leads that may be sold to more buyers are in `goOn` too. */
  sold: Task[];
  /** The next buyer may be asked. */
  goOn: Task[];
  /** In the durable lane. */
  waiting: Task[];
  /** Another run has these leads: this one does nothing more with them. */
  overtaken: Task[];
}

const RESEND_AFTER_MS = 1_000;

/**
 * Writes the answers into their rows, and then applies them. Repeatable.
 * @param adopted rows whose counts an earlier try already turned back into reservations; doing it again would undo what
 * that try has booked
 */
export async function settle(
  received: readonly Answered[],
  lease: Lease,
  deps: SellingDeps,
  adopted = new Set<string>(),
): Promise<Settled> {
  const now = deps.clock.now();
  const answers = received.map(withAnsweredPrice);
  const results = answers.map((answer) => rowResult(answer, now));
  const stored = await deps.deliveries.settle(lease.id, results, now);
  const isStored = ({ row }: Answered): boolean => stored.has(row._id);
  // After its lease a run still records an acceptance; its successor reads everything else in the rows.
  const isLate = isOver(lease, deps);
  const concluded = answers.filter((answer) => isStored(answer) && (!isLate || isSale(answer)));
  // The successor may have ended their reservations at the link's price: then the price in the answer counts instead.
  if (isLate) {
    const named = concluded.filter(({ terms, row }) => namesPrice(terms) && !adopted.has(row._id));
    await adoptReservations(named, deps);
    named.forEach(({ row }) => adopted.add(row._id));
  }
  const settled = await conclude(concluded, lease, deps);
  const overtaken = answers.filter((answer) => !concluded.includes(answer));
  return { ...settled, overtaken: overtaken.map(({ task }) => task) };
}

/**
 * Counts failures in a row per buyer and pauses it; a buyer that answers again is healthy at once. Never rejects: what
 * cannot be recorded is lost, because a repetition would count the same failure twice.
 */
export async function recordBuyerHealth(
  answers: readonly Answered[],
  now: Date,
  deps: SellingDeps,
): Promise<void> {
  const samples: HealthSamples = new Map();
  for (const { task, terms, verdict } of answers)
    addSample(samples, { buyer_id: terms.buyer_id, org_id: task.lead.org_id, verdict });
  await recordHealth(samples, 'delivery', now, deps).catch((error: unknown) =>
    deps.log.warn({ err: error, buyers: samples.size }, 'the health of buyers is not recorded'),
  );
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
  // The rows name the windows these leads are counted in, so their reservations can end above.
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

/**
 * Settles waiting leads that their buyer was sent and never answered, and that cannot be sent again at present: it no
 * longer honors the key, or has another address. Its policy for unanswered requests decides; nothing is sent. Returns
 * the leads that may be offered to the next buyer. Repeatable.
 * @param stranded rows of leads that this run has acquired, with the current terms
 */
export async function settleStranded(
  stranded: readonly (Reserved & { row: DeliveryDoc })[],
  lease: Lease,
  deps: SellingDeps,
): Promise<Task[]> {
  if (stranded.length === 0) return [];
  const now = deps.clock.now();
  const answers = stranded.flatMap(({ task, row, terms }) =>
    toAnswered(task, { ...row, state: 'unknown' }).map((one) => ({
      ...one,
      terms: withoutKey(terms),
    })),
  );
  await deps.deliveries.endUnanswered(
    answers.map(({ row }) => row._id),
    lease.id,
    now,
  );
  // Their counts become reservations: then going on releases them once.
  await adoptReservations(answers, deps);
  const results = answers.map((answer) => rowResult(answer, now));
  const held = await deps.deliveries.settle(lease.id, results, now);
  // The buyer has just answered the others: the run that sent them records it, and `reconcile` ends their reservations.
  const ours = answers.filter(({ row }) => held.has(row._id));
  ours.forEach((answer) => appendTrail(answer, now));
  return (await conclude(ours, lease, deps)).goOn;
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
const waits = (answer: Answered): boolean => consequenceOfAnswer(answer) === 'waits';

/** The row's change for an answer. */
function rowResult(answer: Answered, now: Date): RowResult {
  const { verdict, terms, latencyMs, excerpt, row, keys: reserved, task } = answer;
  const { delivery } = terms;
  const id = row._id;
  const set: NonNullable<RowResult['set']> = {
    latency_ms: latencyMs,
    reason: verdict.reason,
    http_status: verdict.http_status,
    reference: verdict.reference,
    excerpt,
  };
  const after = (ms: number): Date => new Date(Number(now) + ms);
  const parkFor = (ms: number): RowResult => ({
    id,
    state: 'parked',
    set: { ...set, due_at: after(ms), reserved },
  });
  if (isSale(answer)) {
    const { price, cost } = row;
    return { id, state: 'accepted', set: namesPrice(terms) ? { ...set, price, cost } : set };
  }
  if (verdict.result === 'rejected') return { id, state: 'rejected', set };
  if (verdict.result === 'not_taken')
    return task.again ? parkFor(verdict.retry_after_ms ?? 0) : { id, state: 'failed', set };
  set.unanswered = true;
  if (delivery.honours_idempotency_key) return parkFor(RESEND_AFTER_MS);
  if (delivery.on_unknown === 'fail_over') return { id, state: 'abandoned', set };
  const expires_at = after(delivery.hold_max_age_ms);
  return { id, state: 'unknown', set: { ...set, expires_at, reserved } };
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
