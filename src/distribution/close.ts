/** Ends leads without a buyer to ask now: parked for a buyer that may recover, or unsold. */
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

/** Parks leads that a missed buyer may still accept; the rest goes on to the buyers that are left, or is unsold. */
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
  const decided = unsold.map((task) => ended(task, 'unsold'));
  await deps.leads.decide(lease.id, decided, now, lease.subscriptions);
  const lost = tasks.filter((task) => !waiting.has(task) && !full.includes(task));
  return { unsold, goOn, waiting: [...waiting], lost };
}

/** The supplier's own cap is full: refused, without a promise. A lead that is sold already gets no further buyer. */
export async function closeCapped(
  tasks: readonly Task[],
  lease: Lease,
  deps: ClosingDeps,
): Promise<void> {
  if (tasks.length === 0) return;
  const now = deps.clock.now();
  const decided = tasks.map((task): Decided => ({
    ...ended(task, 'capped'),
    set: task.sold > 0 ? undefined : { refusal: 'supplier_capped' },
  }));
  await deps.leads.decide(lease.id, decided, now, lease.subscriptions);
}

const ended = ({ lead, trail, sold }: Task, kind: 'unsold' | 'capped'): Decided => ({
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
  const parked: Parking[] = [];
  const withoutRoom: Task[] = [];
  let looking = tasks.map((task) => ({ task, left: [...task.missed] }));
  while (looking.length > 0) {
    const wanted = looking.flatMap(({ task, left }) => {
      const missed = left.shift();
      if (!missed) {
        withoutRoom.push(task);
        return [];
      }
      const holdId = missed.rowId ?? nextRow(task);
      return [{ ...reservedFor(task, missed.terms, holdId, now), missed, left }];
    });
    const { granted, full } = await reserveFor(wanted, deps, now);
    parked.push(...granted);
    looking = full;
  }
  return { wanted: parked, full: withoutRoom };
}

/** The age limit begins when its buyer opens: a lead must not expire overnight. */
function heldUntil({ missed, terms }: Parking, opens: Date): Partial<DeliveryDoc> {
  if (missed.reason !== 'closed') return {};
  return { expires_at: new Date(Number(opens) + terms.delivery.max_age_ms) };
}

/** Returns what this run has parked; releases the reservations of leads that another run has. */
async function parkAll(
  wanted: readonly Parking[],
  lease: Lease,
  deps: ClosingDeps,
  now: Date,
): Promise<Parking[]> {
  if (wanted.length === 0) return [];
  const dueAt = ({ missed }: Parking): Date => new Date(Number(now) + missed.retryAfterMs);
  const fresh = wanted
    .filter(({ missed }) => missed.rowId === null)
    .map((one): DeliveryDoc => ({
      ...newRow(one, lease.id, now),
      ...heldUntil(one, dueAt(one)),
      state: 'parked',
      tries: 0,
      due_at: dueAt(one),
      reason: one.missed.reason,
    }));
  const again = wanted
    .filter(({ missed }) => missed.rowId !== null)
    .map((one) => {
      const { cost, further, fence } = newRow(one, lease.id, now);
      return { id: one.reservationId, ...windowsOf(one), due_at: dueAt(one), cost, further, fence };
    });
  const [standing, own] = await Promise.all([
    deps.deliveries.insertAttempts(fresh),
    deps.deliveries.park(again, lease.id),
  ]);
  const isParked = ({ missed, reservationId }: Parking): boolean =>
    missed.rowId === null ? !standing.has(reservationId) : own.has(reservationId);
  const parked = wanted.filter(isParked);
  await Promise.all([
    commitReservations(parked, deps),
    releaseLostReservations(wanted, standing, deps),
    releaseReservations(
      wanted.filter((one) => !isParked(one) && !standing.has(one.reservationId)),
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
