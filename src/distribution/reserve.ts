/**
 * Finds each lead its next buyer with room: buyer's caps first, then the supplier's, then the campaign's.
 * One update per link serves the whole group; what a later cap refuses is released.
 *
 * A lead is crowded out where a link with room has as many leads in flight as it can hold. That says nothing about any
 * cap, and is no reason to pass the lead on to a lesser buyer, or to end it: it gets no reservation, and its next check
 * continues.
 */
import { hasCaps } from '../account/rules/capLimits.js';
import { windowKeys } from '../fields/windowKeys.js';
import type { BuyerTerms } from '../account/rules/plan.js';
import type { DestinationDoc } from '../deliveries/store/destinationDoc.js';
import { findUnavailability } from '../routing/rules/nextBuyer.js';
import { sharesTurns } from '../routing/rules/turns.js';
import type { SellingDeps } from './deps.js';
import { chooseBuyers, destinationsOf } from './chooseBuyers.js';
import {
  hasCampaignCaps,
  hasSupplierCaps,
  reserveCaps,
  restoreReservations,
  type RefusedReservations,
} from './capReservations.js';
import { rowId, zoneOf, type Reserved, type Task } from './task.js';

/** Leads that were crowded out are in none of these lists. */
export interface Reservations {
  granted: Reserved[];
  /** No buyer is left to ask now. */
  exhausted: Task[];
  /** The supplier's cap is full. */
  capped: Task[];
}

type ReserveDeps = Pick<SellingDeps, 'caps' | 'destinations' | 'turns' | 'clock' | 'log'>;
type CapDeps = Pick<ReserveDeps, 'caps' | 'log'>;

/** @param read the candidates' destinations, where they were read a moment ago */
export async function reserveNext(
  tasks: readonly Task[],
  deps: ReserveDeps,
  read?: Map<string, DestinationDoc>,
): Promise<Reservations> {
  const now = deps.clock.now();
  const destinationsById = read ?? (await destinationsOf(tasks, deps));
  const granted = takeEarly(tasks);
  const exhausted: Task[] = [];
  const early = new Set(granted.map(({ task }) => task));
  let looking = tasks.filter((task) => !early.has(task));
  while (looking.length > 0) {
    const choices = await chooseBuyers(looking, destinationsById, now, deps);
    const wanted = choices.flatMap(({ task, terms }) => {
      if (terms) return [reservedFor(task, terms, nextRow(task), now)];
      exhausted.push(task);
      return [];
    });
    const refused = await reserveCaps('buyer', wanted, deps, now);
    granted.push(...without(wanted, refused));
    looking = wanted.filter((one) => refused.full.has(one)).map(({ task }) => task);
  }
  const limited = await reserveSellerCaps(granted, deps, now);
  return { ...limited, exhausted: [...exhausted, ...limited.exhausted] };
}

/**
 * Reserves with the best buyers of leads that may still turn out to be duplicates, where that can refuse no other lead:
 * neither a buyer, nor the supplier, nor the campaign has a cap, and no turn is taken. The caller releases what the
 * duplicates got.
 */
export async function reserveEarly(
  tasks: readonly Task[],
  destinations: Map<string, DestinationDoc>,
  deps: Pick<ReserveDeps, 'caps' | 'clock' | 'log'>,
): Promise<void> {
  const now = deps.clock.now();
  // The leads of a group mostly have one plan: it is checked once.
  const plans = [...new Set(tasks.map(({ plan }) => plan))];
  const open = new Set(plans.filter((plan) => !hasCaps(plan.caps) && !sharesTurns(plan)));
  const wanted = tasks.flatMap((task): Reserved[] => {
    const { plan, supplier, candidates } = task;
    const [best] = candidates;
    if (!best || !open.has(plan)) return [];
    if ([supplier, ...candidates].some(({ caps }) => hasCaps(caps))) return [];
    const openUntil = destinations.get(best.buyer_id)?.open_until;
    if (findUnavailability(best, openUntil, now, plan.time_zone)) return [];
    return [reservedFor(task, best, nextRow(task), now)];
  });
  const refused = await reserveCaps('buyer', wanted, deps, now);
  for (const one of without(wanted, refused)) one.task.reserved = one;
}

/** Takes the reservations that `reserveEarly` has made for these. */
function takeEarly(tasks: readonly Task[]): Reserved[] {
  const reserved = tasks.flatMap(({ reserved }) => reserved ?? []);
  for (const { task } of reserved) {
    delete task.reserved;
    task.candidates.shift();
  }
  return reserved;
}

/**
 * Reserves for leads whose buyer is known: to be parked for it, or to be sent to it again. Leads without room in one of
 * the caps, and leads that are crowded out, get no reservation.
 */
export async function reserveFor<T extends Reserved>(
  wanted: readonly T[],
  deps: CapDeps,
  now: Date,
): Promise<{ granted: T[]; full: T[] }> {
  const refused = await reserveCaps('buyer', wanted, deps, now);
  const reserved = without(wanted, refused);
  const { granted, exhausted, capped } = await reserveSellerCaps(reserved, deps, now);
  const full = new Set<Task>([...exhausted, ...capped]);
  return {
    granted: wanted.filter((one) => granted.includes(one)),
    full: wanted.filter((one) => refused.full.has(one) || full.has(one.task)),
  };
}

/** The id of the next row of a lead. */
export const nextRow = (task: Task): string => rowId(task.lead._id, task.nextAttempt);

/** The reservation of a task at `now`: test leads reserve nothing (contract 2.6). */
export function reservedFor(
  task: Task,
  terms: BuyerTerms,
  reservationId: string,
  now: Date,
): Reserved {
  const keys = task.lead.is_test ? null : windowKeys(now, zoneOf(task));
  return { task, terms, keys, reservationId, further: task.sold > 0, askedAt: now };
}

/** Supplier and campaign caps, checked only where there are any. */
async function reserveSellerCaps(
  granted: readonly Reserved[],
  deps: CapDeps,
  now: Date,
): Promise<Reservations> {
  const supplier = await reserveCaps('supplier', granted.filter(hasSupplierCaps), deps, now);
  const remaining = without(granted, supplier);
  const campaign = await reserveCaps('campaign', remaining.filter(hasCampaignCaps), deps, now);
  await restoreReservations([...campaign.full, ...campaign.crowded], deps);
  await restoreReservations([...supplier.full, ...supplier.crowded], deps);
  for (const { task } of campaign.full) task.candidates = [];
  return {
    granted: without(remaining, campaign),
    exhausted: [...campaign.full].map(({ task }) => task),
    capped: [...supplier.full].map(({ task }) => task),
  };
}

const without = (all: readonly Reserved[], { full, crowded }: RefusedReservations): Reserved[] =>
  all.filter((one) => !full.has(one) && !crowded.has(one));
