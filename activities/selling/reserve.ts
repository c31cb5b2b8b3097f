/**
 * Finds each lead its next buyer with room: buyer's caps first, then the supplier's, then the campaign's.
 * One update per link serves the whole group; what a later cap refuses is put back.
 */
import { windowKeys } from '../../src/domain/windowKeys.js';
import type { BuyerTerms } from '../../src/domain/plan.js';
import type { SellingDeps } from './deps.js';
import { chooseBuyers, destinationsOf } from './nextBuyer.js';
import { hasCampaignCaps, hasSupplierCaps, overLimit, putBackAll } from './slots.js';
import { rowId, type Reserved, type Task } from './task.js';

export interface Reservations {
  granted: Reserved[];
  /** No buyer is left that could be asked now. */
  exhausted: Task[];
  /** The supplier's own cap is full. */
  capped: Task[];
}

type ReserveDeps = Pick<SellingDeps, 'caps' | 'destinations' | 'turns' | 'clock'>;

export async function reserveNext(
  tasks: readonly Task[],
  deps: ReserveDeps,
): Promise<Reservations> {
  const now = deps.clock.now();
  const well = await destinationsOf(tasks, deps);
  const granted: Reserved[] = [];
  const exhausted: Task[] = [];
  let looking = [...tasks];
  while (looking.length > 0) {
    const choices = await chooseBuyers(looking, well, now, deps);
    const wanted = choices.flatMap(({ task, terms }) => {
      if (terms) return [reservedFor(task, terms, nextRow(task), now)];
      exhausted.push(task);
      return [];
    });
    const free = await grantBuyers(wanted, deps, now);
    granted.push(...free);
    const got = new Set(free.map(({ task }) => task));
    looking = wanted.filter(({ task }) => !got.has(task)).map(({ task }) => task);
  }
  const limited = await limitSellers(granted, deps, now);
  return { ...limited, exhausted: [...exhausted, ...limited.exhausted] };
}

/**
 * Slots for leads whose buyer is settled: to be parked for it, or to be sent to it again. Those without
 * room anywhere are left out, and hold nothing.
 */
export async function reserveFor<T extends Reserved>(
  wanted: readonly T[],
  deps: Pick<ReserveDeps, 'caps'>,
  now: Date,
): Promise<T[]> {
  const limited = await limitSellers(await grantBuyers(wanted, deps, now), deps, now);
  const granted = new Set<Reserved>(limited.granted);
  return wanted.filter((one) => granted.has(one));
}

/** The id of the next row of a lead. */
export const nextRow = (task: Task): string => rowId(task.lead._id, task.nextAttempt);

/** What a task asks for at `now`: test leads take no slot (specification 3.3). */
export function reservedFor(task: Task, terms: BuyerTerms, holdId: string, now: Date): Reserved {
  const keys = task.lead.is_test ? null : windowKeys(now, task.plan.time_zone);
  return { task, terms, keys, holdId, further: task.sold > 0, askedAt: now };
}

/** Slots of the buyers' links for these leads; those without room are left out. */
async function grantBuyers(
  wanted: readonly Reserved[],
  deps: Pick<ReserveDeps, 'caps'>,
  now: Date,
): Promise<Reserved[]> {
  const full = await overLimit('buyer', wanted, deps, now);
  return wanted.filter((reserved) => !full.has(reserved));
}

/** Supplier and campaign caps, asked only where there are any. */
async function limitSellers(
  granted: readonly Reserved[],
  deps: Pick<ReserveDeps, 'caps'>,
  now: Date,
): Promise<Reservations> {
  const supplierFull = await overLimit('supplier', granted.filter(hasSupplierCaps), deps, now);
  const left = granted.filter((reserved) => !supplierFull.has(reserved));
  const campaignFull = await overLimit('campaign', left.filter(hasCampaignCaps), deps, now);
  await putBackAll([...campaignFull], deps);
  await putBackAll([...supplierFull], deps);
  for (const { task } of campaignFull) task.candidates = [];
  return {
    granted: left.filter((reserved) => !campaignFull.has(reserved)),
    exhausted: [...campaignFull].map(({ task }) => task),
    capped: [...supplierFull].map(({ task }) => task),
  };
}
