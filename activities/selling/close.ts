/** Ends leads that no buyer can be asked for now: parked for a buyer that may be well later, or unsold. */
import type { DeliveryDoc } from '../../src/store/collections.js';
import type { Decided } from '../../src/store/leads.js';
import { newRow } from './attempts.js';
import type { SellingDeps } from './deps.js';
import { commitAll, nextRow, reserveFor, reservedFor } from './reserve.js';
import { handOver } from './settle.js';
import type { Missed, Reserved, Run, Task } from './task.js';

interface Parking extends Reserved {
  missed: Missed;
}

export interface Closed {
  unsold: Task[];
  waiting: Task[];
}

/** Parks what a missed buyer may still take; what remains is unsold. */
export async function closeExhausted(
  tasks: readonly Task[],
  run: Run,
  deps: SellingDeps,
): Promise<Closed> {
  if (tasks.length === 0) return { unsold: [], waiting: [] };
  const now = deps.clock.now();
  const parked = await reserveParking(tasks, deps, now);
  await parkAll(parked, run, deps, now);
  const waiting = new Set(parked.map(({ task }) => task));
  const unsold = tasks.filter((task) => !waiting.has(task));
  await deps.leads.decide(run.id, unsold.map(asUnsold), now);
  return { unsold, waiting: [...waiting] };
}

/** The supplier's own cap is full: refused, nothing is owed. */
export async function closeCapped(
  tasks: readonly Task[],
  run: Run,
  deps: SellingDeps,
): Promise<void> {
  if (tasks.length === 0) return;
  const now = deps.clock.now();
  const decided = tasks.map((task): Decided => ({
    leadId: task.lead._id,
    status: 'REJECTED',
    reason: 'supplier_capped',
    trail: task.trail,
    set: { refusal: 'supplier_capped' },
  }));
  await deps.leads.decide(run.id, decided, now);
}

const asUnsold = ({ lead, trail }: Task): Decided => ({
  leadId: lead._id,
  status: 'UNMATCHED',
  reason: 'no_buyer',
  trail,
});

/** A slot with the best-ranked missed buyer that has room. */
async function reserveParking(
  tasks: readonly Task[],
  deps: SellingDeps,
  now: Date,
): Promise<Parking[]> {
  const parked: Parking[] = [];
  let looking = tasks.map((task) => ({ task, left: [...task.missed] }));
  while (looking.length > 0) {
    const wanted = looking.flatMap(({ task, left }) => {
      const missed = left.shift();
      if (!missed) return [];
      const holdId = missed.rowId ?? nextRow(task);
      return [{ ...reservedFor(task, missed.terms, holdId, now), missed, left }];
    });
    const granted = await reserveFor(wanted, deps, now);
    parked.push(...granted);
    looking = wanted.filter((one) => !granted.includes(one));
  }
  return parked;
}

async function parkAll(
  parked: readonly Parking[],
  run: Run,
  deps: SellingDeps,
  now: Date,
): Promise<void> {
  if (parked.length === 0) return;
  const fresh: DeliveryDoc[] = [];
  const moves: Promise<void>[] = [];
  for (const one of parked) {
    const dueAt = new Date(Number(now) + one.missed.retryAfterMs);
    if (one.missed.rowId === null) {
      fresh.push({
        ...newRow(one, run.id, now),
        state: 'parked',
        tries: 0,
        due_at: dueAt,
        reason: one.missed.reason,
      });
      continue;
    }
    const set = { reserved: one.keys, due_at: dueAt };
    moves.push(deps.deliveries.move([one.missed.rowId], ['failed'], 'parked', set));
  }
  await Promise.all([deps.deliveries.open(fresh), ...moves]);
  await commitAll(parked, deps);
  await handOver(
    parked.map(({ task, terms, missed }) => ({ task, terms, reason: missed.reason })),
    run,
    now,
    deps,
  );
}
