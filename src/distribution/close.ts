/** Closes leads without a buyer to ask now: parked for a buyer that may recover, or unsold. */
import { endingOf } from '../routing/rules/distribute.js';
import type { DeliveryDoc } from '../deliveries/store/deliveryDoc.js';
import type { Decided } from '../leads/store/leadUpdates.js';
import { newRow } from './attempts.js';
import type { SellingDeps } from './deps.js';
import { parkLeads } from './recordSales.js';
import { nextRow, reserveFor, reservedFor } from './reserve.js';
import {
  commitReservations,
  releaseLostReservations,
  releaseReservations,
} from './capReservations.js';
import { windowsOf, type Missed, type Reserved, type Lease, type Task } from './task.js';

interface Parking extends Reserved {
  missed: Missed;
}

export interface Closed {
  unsold: Task[];
  /** They would have waited for a buyer whose cap is full: the buyers behind it are asked. */
  goOn: Task[];
  waiting: Task[];
  /** Another run has parked or resumed them, or they were crowded out: their next check continues with them. */
  lost: Task[];
}

type ClosingDeps = Pick<SellingDeps, 'caps' | 'deliveries' | 'leads' | 'clock' | 'log' | 'wake'>;

/** Parks leads that a missed buyer may still accept; the others go on to their remaining buyers, or are unsold. */
export async function closeExhausted(
  tasks: readonly Task[],
  lease: Lease,
  deps: ClosingDeps,
): Promise<Closed> {
  if (tasks.length === 0) return { unsold: [], goOn: [], waiting: [], lost: [] };
  const now = deps.clock.now();
  const { wanted, full } = await reserveParking(tasks, deps, now);
  const parked = await parkAll(wanted, lease, deps, now);
  const waiting = new Set(parked.map(({ task }) => task));
  const goOn = full.filter(({ candidates }) => candidates.length > 0);
  goOn.forEach((task) => (task.missed = []));
  const unsold = full.filter(({ candidates }) => candidates.length === 0);
  const decided = unsold.map((task) => asDecided(task, 'unsold'));
  await deps.leads.decide(lease.id, decided, now, lease.subscriptions);
  const lost = tasks.filter((task) => !waiting.has(task) && !full.includes(task));
  return { unsold, goOn, waiting: [...waiting], lost };
}

/** Refuses leads whose supplier's cap is full, without a promise. One that is sold already gets no further buyer. */
export async function closeCapped(
  tasks: readonly Task[],
  lease: Lease,
  deps: ClosingDeps,
): Promise<void> {
  if (tasks.length === 0) return;
  const now = deps.clock.now();
  const decided = tasks.map((task): Decided => ({
    ...asDecided(task, 'capped'),
    set: task.sold > 0 ? undefined : { refusal: 'supplier_capped' },
  }));
  await deps.leads.decide(lease.id, decided, now, lease.subscriptions);
}

const asDecided = ({ lead, trail, sold }: Task, kind: 'unsold' | 'capped'): Decided => ({
  leadId: lead._id,
  ...endingOf(kind, sold),
  trail,
});

/** Reserves with the best-ranked missed buyer that has room; `full` are the leads without one. */
async function reserveParking(
  tasks: readonly Task[],
  deps: ClosingDeps,
  now: Date,
): Promise<{ wanted: Parking[]; full: Task[] }> {
  const reserved: Parking[] = [];
  const withoutRoom: Task[] = [];
  let looking = tasks.map((task) => ({ task, remaining: [...task.missed] }));
  while (looking.length > 0) {
    const wanted = looking.flatMap(({ task, remaining }) => {
      const missed = remaining.shift();
      if (!missed) {
        withoutRoom.push(task);
        return [];
      }
      const reservationId = missed.rowId ?? nextRow(task);
      return [{ ...reservedFor(task, missed.terms, reservationId, now), missed, remaining }];
    });
    const { granted, full } = await reserveFor(wanted, deps, now);
    reserved.push(...granted);
    looking = full;
  }
  return { wanted: reserved, full: withoutRoom };
}

/** Returns what this run has parked; releases the reservations of leads that another run has. */
async function parkAll(
  wanted: readonly Parking[],
  lease: Lease,
  deps: ClosingDeps,
  now: Date,
): Promise<Parking[]> {
  if (wanted.length === 0) return [];
  const [fresh, again] = [wanted.filter(isFresh), wanted.filter((one) => !isFresh(one))];
  const [standing, parkedAgain] = await Promise.all([
    deps.deliveries.insertAttempts(fresh.map((one) => freshRow(one, lease, now))),
    deps.deliveries.park(
      again.map((one) => parkedRow(one, lease, now)),
      lease.id,
    ),
  ]);
  const isParked = (one: Parking): boolean =>
    isFresh(one) ? !standing.has(one.reservationId) : parkedAgain.has(one.reservationId);
  const parked = wanted.filter(isParked);
  await Promise.all([
    commitReservations(parked, deps),
    releaseLostReservations(wanted, standing, deps),
    releaseReservations(
      again.filter((one) => !isParked(one)),
      deps,
    ),
  ]);
  await parkLeads(
    parked.map(({ task, terms, missed }) => ({ task, terms, reason: missed.reason })),
    lease,
    now,
    deps,
  );
  return parked;
}

/** Its buyer was not asked, so it has no row yet. */
const isFresh = ({ missed }: Parking): boolean => missed.rowId === null;

const dueAt = ({ missed }: Parking, now: Date): Date => new Date(Number(now) + missed.retryAfterMs);

function freshRow(parking: Parking, lease: Lease, now: Date): DeliveryDoc {
  const { missed, terms } = parking;
  const due_at = dueAt(parking, now);
  const row = newRow(parking, lease.id, now);
  // The age limit begins when its buyer opens: a lead must not expire overnight.
  const expires_at =
    missed.reason === 'closed'
      ? new Date(Number(due_at) + terms.delivery.max_age_ms)
      : row.expires_at;
  return { ...row, expires_at, state: 'parked', tries: 0, due_at, reason: missed.reason };
}

function parkedRow(parking: Parking, lease: Lease, now: Date) {
  const { cost, further, fence } = newRow(parking, lease.id, now);
  const id = parking.reservationId;
  return { id, ...windowsOf(parking), due_at: dueAt(parking, now), cost, further, fence };
}
