/** The age limit of waiting rows: a promise is settled in time, by ACCEPTED or EXPIRED (contract 2.4). */
import { randomUUID } from 'node:crypto';
import type { DeliveryDoc } from '../deliveries/store/deliveryDoc.js';
import type { TrailEntry } from '../leads/rules/trail.js';
import { isOpen } from '../leads/rules/leadStatus.js';
import type { Decided } from '../leads/store/leadUpdates.js';
import { DROPPED } from '../deliveries/store/queue.js';
import { readPlans } from './readPlans.js';
import { reservedByRow, termsOf } from './rows.js';
import type { ScreeningDeps } from './screening.js';
import { newLease } from './newLease.js';
import { adoptReservations, releaseReservations } from './capReservations.js';
import { eachApart, logStuck, type Stuck } from './stuck.js';
import { asTask, type Reserved } from './task.js';

const BATCH_SIZE = 200;
const LEASE_MS = 30_000;

/** Ends rows past their age limit and their leads with them. Returns the number of rows that ended. */
export async function expireAged(buyerId: string, deps: ScreeningDeps): Promise<number> {
  const rows = await deps.deliveries.aged(buyerId, deps.clock.now(), BATCH_SIZE);
  return (await endWaiting(rows, 'max_age', deps)).size;
}

/** `dropped`: by an operator. */
export type EndReason = 'max_age' | typeof DROPPED;

/**
 * Ends waiting rows without a sale, and their leads with them; rows whose leads another run works on stay. Returns
 * the ids of the rows that ended.
 */
export async function endWaiting(
  rows: readonly DeliveryDoc[],
  reason: EndReason,
  deps: ScreeningDeps,
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const { lease, now, leaseUntil } = newLease(deps.clock, LEASE_MS);
  const leadIds = rows.map((row) => row.lead_id);
  const leads = await deps.leads.acquireWaiting(leadIds, lease.id, leaseUntil, now);
  const acquired = new Map(leads.map((lead) => [lead._id, lead]));
  const settled = await decidedAmong(
    leadIds.filter((id) => !acquired.has(id)),
    deps,
  );
  const ended = await endRows(
    rows.filter((row) => acquired.has(row.lead_id) || settled.has(row.lead_id)),
    deps,
    reason,
  );
  await decideEnded(
    rows.filter((row) => acquired.has(row.lead_id) && ended.has(row._id)),
    { run: lease.id, reason, trail: [] },
    deps,
  );
  return ended;
}

interface Ending {
  /** Has acquired the leads. */
  run: string;
  reason: EndReason;
  /** Comes before the closing entries of the leads. */
  trail: TrailEntry[];
}

/** The same for rows whose leads a run has acquired. */
export async function endAcquired(
  rows: readonly DeliveryDoc[],
  ending: Ending,
  deps: ScreeningDeps,
): Promise<ReadonlySet<string>> {
  const ended = await endRows(rows, deps, ending.reason);
  await decideEnded(
    rows.filter((row) => ended.has(row._id)),
    ending,
    deps,
  );
  return ended;
}

/** A row that did not end was accepted a moment ago: that run, or the next one, sells its lead. */
async function decideEnded(
  rows: readonly DeliveryDoc[],
  { run, reason, trail }: Ending,
  { leads, clock }: Pick<ScreeningDeps, 'leads' | 'clock'>,
): Promise<void> {
  await leads.decide(
    run,
    rows.map((row): Decided => ({
      leadId: row.lead_id,
      status: 'EXPIRED',
      reason,
      buyerId: row.buyer_id,
      trail,
    })),
    clock.now(),
  );
}

/** Leads that were decided in another way while their row waited: the row has nothing left to wait for. */
async function decidedAmong(
  leadIds: readonly string[],
  deps: ScreeningDeps,
): Promise<ReadonlySet<string>> {
  if (leadIds.length === 0) return new Set();
  const answers = await deps.leads.answers(leadIds);
  return new Set([...answers.values()].filter((a) => !isOpen(a.status)).map((a) => a._id));
}

/** Ends rows and releases what they counted. Returns the ids of those that this call ended. */
export function endRows(
  rows: readonly DeliveryDoc[],
  deps: ScreeningDeps,
  reason: EndReason = 'max_age',
): Promise<ReadonlySet<string>> {
  const why = reason === DROPPED ? reason : undefined;
  const run = randomUUID();
  const end: StopWaiting = (ids) => deps.deliveries.expire(ids, run, deps.clock.now(), why);
  return endAndRelease(rows, run, end, deps);
}

/** Parked rows of leads that the run has acquired: they become missed, as if they had not waited for their buyers. */
export function unparkRows(
  rows: readonly DeliveryDoc[],
  run: string,
  deps: ScreeningDeps,
): Promise<ReadonlySet<string>> {
  const unpark: StopWaiting = (ids) => deps.deliveries.unpark(ids, run, deps.clock.now());
  return endAndRelease(rows, run, unpark, deps);
}

/** Moves those rows out of the queue that the run still holds, and returns them. */
type StopWaiting = (ids: readonly string[]) => Promise<ReadonlySet<string>>;

/**
 * The counts of rows become reservations before the rows leave the queue, so that after a crash at any point
 * `reconcile` can distinguish the reservation of a waiting row from that of another one.
 *
 * Two drains may end the same row at once, such as an old one and its successor. The last one to claim it ends it and
 * releases its reservation; the other must leave the reservation alone, or the count would stay for ever.
 */
async function endAndRelease(
  rows: readonly DeliveryDoc[],
  run: string,
  stop: StopWaiting,
  deps: ScreeningDeps,
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const ids = rows.map((row) => row._id);
  const claimed = await deps.deliveries.claimWaiting(ids, run);
  const counted = await asReserved(
    rows.filter((row) => claimed.has(row._id) && row.reserved !== null),
    deps,
  );
  await adoptReservations(counted, deps);
  const ended = await stop([...claimed]);
  await releaseReservations(
    counted.filter(({ reservationId }) => ended.has(reservationId)),
    deps,
  );
  return ended;
}

async function asReserved(rows: readonly DeliveryDoc[], deps: ScreeningDeps): Promise<Reserved[]> {
  const leads = await deps.leads.getMany(rows.map((row) => row.lead_id));
  const planFor = await readPlans([...leads.values()], deps);
  const stuck: Stuck[] = [];
  const ofLeads = rows.flatMap((row) => {
    const lead = leads.get(row.lead_id);
    return lead ? [{ row, lead }] : [];
  });
  // A lead whose plan cannot be read ends like any other; what it counts in the caps is mended by `reconcile`.
  const reserved = eachApart(ofLeads, stuck, ({ row, lead }): Reserved[] => {
    const plan = planFor(lead);
    const terms = termsOf({ plan }, row);
    if (!terms) return [];
    return [reservedByRow(asTask({ lead, plan, candidates: [], trail: [] }), terms, row)];
  });
  logStuck(stuck, deps);
  return reserved.flat();
}
