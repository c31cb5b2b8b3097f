/** One wave of a drain: chooses its rows, acquires their leads, applies the current terms, and sends. */
import { chooseRow } from '../deliveries/rules/choice.js';
import { paceOf, putOffMs, type Pace } from '../deliveries/rules/pace.js';
import type { Lead } from '../leads/rules/lead.js';
import { isOpen } from '../leads/rules/leadStatus.js';
import type { AccountCollections } from '../account/store/collections.js';
import type { DeliveryDoc } from '../deliveries/store/deliveryDoc.js';
import type { DestinationDoc } from '../deliveries/store/destinationDoc.js';
import type { QueueStore } from '../deliveries/store/queue.js';
import { findOpening } from '../routing/rules/nextBuyer.js';
import { findReasonToWait } from '../routing/rules/suppression.js';
import { termsNow } from '../routing/rules/termsNow.js';
import { openNow } from '../deliveries/store/sendingPipeline.js';
import { acquireRows, putOff, release, type RowToSend, type WaveLimits } from './acquireRows.js';
import { endRows } from './expiry.js';
import { readGrounds, type Grounds } from './readGrounds.js';
import type { ScreeningDeps } from './screening.js';
import { reservedFor } from './reserve.js';
import { buildResumedTask } from './buildResumedTask.js';
import { newLease, WAITING_LEASE_MS } from './newLease.js';
import { GroupSale } from './sell.js';
import { settleStranded } from './settle.js';
import { eachApart, logStuck, type Stuck } from './stuck.js';
import type { Lease } from './task.js';

export interface BatchDeps extends ScreeningDeps {
  collections: Pick<AccountCollections, 'campaigns' | 'buyers'>;
  queue: QueueStore;
  background: { add(work: Promise<void>): void };
}

/** Milliseconds until a row whose lead another run works on is checked again. */
const BUSY_MS = 1_000;

/** The result of a wave, and when the next may begin. */
export interface Wave {
  sent: number;
  /** The leads of those that the buyer has bought. */
  sold: readonly string[];
  /** Rows that were due and, without being sent, no longer are. */
  putOff: number;
  /** Rows that were read. */
  read: number;
  /** Leads of the wave that may go on to other buyers until `work` is over; null where nothing was sent. */
  failover: { leads: number; work: Promise<void> } | null;
  /** On the clock of `performance.now()`. */
  nextAt: number;
}

/** The progress of a call. */
export interface DrainProgress {
  /** Rows to read in the next wave, where they are more than it may send. */
  toRead: number;
  putOff: number;
}

/**
 * Sends one wave of due rows, within the buyer's limits at once and per second: those that an operator asked for, or
 * else the newest.
 */
export async function sendBatch(
  buyerId: string,
  destination: DestinationDoc | undefined,
  deps: BatchDeps,
  { toRead, putOff: before }: DrainProgress = { toRead: 0, putOff: 0 },
): Promise<Wave> {
  const now = deps.clock.now();
  const { wave: allowed, everyMs, concurrent } = await paceFor(buyerId, destination, deps);
  const nextAt = deps.clock.monotonic() + everyMs;
  const wave = Math.min(allowed, concurrent - openNow(destination, now));
  if (wave <= 0) return { sent: 0, sold: [], putOff: 0, read: 0, failover: null, nextAt };
  const asked = (destination?.asked ?? []).slice(0, wave);
  const rows =
    asked.length > 0
      ? await deps.queue.among(asked, buyerId, now)
      : await deps.deliveries.due(buyerId, now, Math.max(wave, toRead));
  const checkAt = new Date(Number(now) + putOffMs(before));
  const limits = { buyerId, wave, concurrent, checkAt };
  const { sent, sold, stillDue, failover } =
    rows.length === 0 ? NOTHING : await sendRows(rows, now, limits, deps);
  // Last: if the call dies before this, the next one sends them first.
  if (asked.length > 0) await deps.destinations.clearAsked(buyerId, asked);
  const put = { putOff: rows.length - sent - stillDue, read: rows.length };
  return { sent, sold, ...put, failover, nextAt };
}

interface Sent extends Pick<Wave, 'sent' | 'sold' | 'failover'> {
  /** Rows that could be sent, but not in this wave. */
  stillDue: number;
}
const NOTHING: Sent = { sent: 0, sold: [], stillDue: 0, failover: null };

async function sendRows(
  rows: readonly DeliveryDoc[],
  now: Date,
  limits: WaveLimits,
  deps: BatchDeps,
): Promise<Sent> {
  const { lease, leaseUntil } = newLease(deps.clock, WAITING_LEASE_MS);
  const leadIds = [...new Set(rows.map((row) => row.lead_id))];
  const leads = await deps.leads.acquireWaiting(leadIds, lease.id, leaseUntil, now);
  lease.subscriptions = deps.leads.readSubscriptions(leads);
  await leaveOthers(rows, leads, now, deps);
  const { wanted, stuck } = await chooseRows(rows, leads, { lease, now, limits }, deps);
  await leaveUndecidable(stuck, lease, limits, deps);
  const stranded = wanted.filter(({ choice }) => choice.kind === 'stranded');
  const tasks = await settleStranded(stranded, lease, deps);
  const sendable = wanted.filter((one) => !stranded.includes(one));
  const { attempts, stillDue } = await acquireRows(sendable, lease, limits, deps);
  const sent = attempts.length + stranded.length;
  let failover: Sent['failover'] = null;
  let sold: Sent['sold'] = [];
  if (attempts.length + tasks.length > 0) {
    const selling = new GroupSale({ tasks, attempts, isAlone: true }, lease, deps);
    const work = selling.done.catch(() => undefined);
    deps.background.add(work);
    failover = { leads: attempts.length + tasks.length, work };
    // Sales to other buyers are not awaited: they must not delay this buyer's queue.
    await Promise.race([selling.answered, selling.done]);
    sold = [...selling.soldAtFirst];
  }
  await deps.destinations.leave(limits.buyerId, lease.id);
  return { sent, sold, stillDue, failover };
}

/** A failing buyer gets one lead as a probe; a healthy one as many as its limits allow. */
async function paceFor(
  buyerId: string,
  destination: DestinationDoc | undefined,
  { collections }: BatchDeps,
): Promise<Pace & { concurrent: number }> {
  const buyer = await collections.buyers.findOne(
    { _id: buyerId },
    { projection: { 'delivery.max_concurrent': 1, 'delivery.max_per_second': 1 } },
  );
  const isFailing = (destination?.failures ?? 0) > 0;
  const concurrent = isFailing ? 1 : (buyer?.delivery.max_concurrent ?? 1);
  return { ...paceOf(concurrent, buyer?.delivery.max_per_second ?? null), concurrent };
}

/** Rows whose lead this run did not acquire: a decided lead needs no sending, a busy one may later. */
async function leaveOthers(
  rows: readonly DeliveryDoc[],
  leads: readonly Lead[],
  now: Date,
  deps: BatchDeps,
): Promise<void> {
  const taken = new Set(leads.map((lead) => lead._id));
  const others = rows.filter((row) => !taken.has(row.lead_id));
  if (others.length === 0) return;
  const answers = await deps.leads.answers(others.map((row) => row.lead_id));
  const isBusy = (row: DeliveryDoc): boolean => {
    const status = answers.get(row.lead_id)?.status;
    return status !== undefined && isOpen(status);
  };
  const idle = others.filter((row) => !isBusy(row));
  const at = new Date(Number(now) + BUSY_MS);
  const busy = others.filter(isBusy).map((row) => ({ row, at }));
  await Promise.all([endRows(idle, deps), putOff(busy, deps)]);
}

type StuckRow = Stuck & { row: DeliveryDoc };

/** Leads that cannot be decided: they and their rows wait, until the row's age limit. */
async function leaveUndecidable(
  stuck: readonly StuckRow[],
  lease: Lease,
  { checkAt: at }: WaveLimits,
  deps: BatchDeps,
): Promise<void> {
  logStuck(stuck, deps);
  await putOff(
    stuck.map(({ row }) => ({ row, at })),
    deps,
  );
  // One whose document is broken may not be updated: then its lease ends by itself.
  await release(stuck, lease, deps).catch((error: unknown) =>
    deps.log.warn({ err: error }, 'leads could not be released'),
  );
}

interface Drained {
  lease: Lease;
  now: Date;
  limits: WaveLimits;
}

/**
 * What happens to each row, and its reservation: price and rules of the lead's plan, everything else as it is now. Rows
 * of leads that cannot be decided are apart.
 */
async function chooseRows(
  rows: readonly DeliveryDoc[],
  leads: readonly Lead[],
  drained: Drained,
  deps: BatchDeps,
): Promise<{ wanted: RowToSend[]; stuck: StuckRow[] }> {
  const read = await readGrounds(leads, deps);
  const groundsOf = new Map(read.grounds.map((one) => [one.lead._id, one]));
  const leadIds = leads.map((lead) => lead._id);
  const earlier = await deps.deliveries.acquireRows(leadIds, drained.lease.id);
  const stuck = [...read.stuck];
  const ofLeads = rows.flatMap((row) => {
    const found = groundsOf.get(row.lead_id);
    return found ? [{ row, lead: found.lead, found }] : [];
  });
  const wanted = eachApart(ofLeads, stuck, ({ row, lead, found }) =>
    withChoice(row, found, earlier.get(lead._id) ?? [row], drained),
  );
  const rowOf = new Map(rows.map((row) => [row.lead_id, row]));
  return {
    wanted,
    stuck: stuck.flatMap((one) => {
      const row = rowOf.get(one.lead._id);
      return row ? [{ ...one, row }] : [];
    }),
  };
}

/** @param all rows of the lead */
function withChoice(
  row: DeliveryDoc,
  grounds: Grounds,
  all: readonly DeliveryDoc[],
  { now, limits: { checkAt } }: Drained,
): RowToSend {
  const { lead, plan, latest, planNow, hits } = grounds;
  const planned = plan.buyers.find((buyer) => buyer.buyer_id === row.buyer_id);
  if (!planned) throw new Error(`Lead ${lead._id} waits for a buyer outside its plan`);
  const terms = termsNow(planned, latest);
  const barredBy = findReasonToWait(planNow, terms, lead, hits);
  // Whatever it does with new leads while it is closed: this one waits for it.
  const opensAt = findOpening({ ...terms, when_closed: 'HOLD' }, now, plan.time_zone);
  const waiting = { row, rows: all, planned, current: terms, barredBy, opensAt, checkAt };
  const choice = chooseRow(waiting, now);
  const notAgain = choice.kind === 'stranded';
  const task = buildResumedTask({ grounds, last: row, rows: all, now, notAgain });
  task.again = { row, terms };
  return { ...reservedFor(task, terms, row._id, now), further: row.further ?? false, row, choice };
}
