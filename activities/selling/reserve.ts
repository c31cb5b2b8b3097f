/**
 * Finds each lead its next buyer with room: buyer's caps first, then the supplier's, then the campaign's.
 * One update per link serves the whole group; what a later cap refuses is released backwards.
 */
import { hasCaps, type CapCandidate, type HoldRef } from '../../src/domain/caps.js';
import { groupBy } from '../../src/domain/groupBy.js';
import { priceLead } from '../../src/domain/pricing.js';
import { windowKeys, type WindowKeys } from '../../src/domain/windowKeys.js';
import type { BuyerTerms, CapLimits, Micros } from '../../src/domain/plan.js';
import { buyerCap, campaignCap, supplierCap } from '../../src/store/caps.js';
import type { DestinationDoc } from '../../src/store/collections.js';
import type { SellingDeps } from './deps.js';
import { rowId, type Reserved, type Task } from './task.js';
import { takeTurns } from './turns.js';

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
    await takeTurns(looking, (terms) => openUntil(terms, well, now) !== null, deps);
    const wanted = looking.flatMap((task) => {
      const terms = nextBuyer(task, well, now);
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

/** A lead that waited for this very buyer is counted with it already. */
function countedBefore({ task, terms }: Reserved): WindowKeys | null {
  if (task.again?.terms.buyer_id !== terms.buyer_id) return null;
  return task.again.row.reserved;
}

/** What a task asks for at `now`: test leads take no slot (specification 3.3). */
export function reservedFor(task: Task, terms: BuyerTerms, holdId: string, now: Date): Reserved {
  const keys = task.lead.is_test ? null : windowKeys(now, task.plan.time_zone);
  return { task, terms, keys, holdId, further: task.sold > 0 };
}

async function destinationsOf(
  tasks: readonly Task[],
  deps: ReserveDeps,
): Promise<Map<string, DestinationDoc>> {
  const ids = new Set(tasks.flatMap((task) => task.candidates.map((terms) => terms.buyer_id)));
  return ids.size === 0 ? new Map() : deps.destinations.get([...ids]);
}

/** Until when nothing goes to a buyer that has been failing; null when it may be asked. */
function openUntil(
  { buyer_id }: BuyerTerms,
  destinations: Map<string, DestinationDoc>,
  now: Date,
): Date | null {
  const until = destinations.get(buyer_id)?.open_until;
  return until && until > now ? until : null;
}

/** The next buyer that is not resting; those that are count as missed. */
function nextBuyer(
  task: Task,
  destinations: Map<string, DestinationDoc>,
  now: Date,
): BuyerTerms | undefined {
  for (let terms = task.candidates.shift(); terms; terms = task.candidates.shift()) {
    const restsUntil = openUntil(terms, destinations, now);
    if (restsUntil === null) return terms;
    const reason = 'breaker_open';
    task.trail.push({
      at: now,
      step: 'routing',
      result: 'skipped',
      buyer_id: terms.buyer_id,
      reason,
    });
    task.missed.push({
      terms,
      rowId: null,
      reason,
      retryAfterMs: Number(restsUntil) - Number(now),
    });
    if (terms.when_unavailable === 'WAIT') return undefined;
  }
  return undefined;
}

/** Slots of the buyers' links for these leads; those without room are left out and say so. */
async function grantBuyers(
  wanted: readonly Reserved[],
  deps: Pick<ReserveDeps, 'caps'>,
  now: Date,
): Promise<Reserved[]> {
  const full = await overLimit(wanted, deps, BUYER);
  for (const { task, terms } of full) {
    const { buyer_id } = terms;
    task.trail.push({ at: now, step: 'caps', result: 'full', buyer_id, reason: 'buyer_cap' });
  }
  return wanted.filter((reserved) => !full.has(reserved));
}

const hasSupplierCaps = ({ task }: Reserved): boolean => hasCaps(task.supplier.caps);
const hasCampaignCaps = ({ task }: Reserved): boolean => hasCaps(task.plan.caps);
const costOf = ({ task, terms, further }: Reserved): Micros =>
  priceLead({ price: terms.price, supplier: task.supplier, is_test: task.lead.is_test, further })
    .cost;

/** What is limited, where it is counted, and how much money one lead is there. */
interface Limit {
  limitsOf: (reserved: Reserved) => CapLimits;
  idOf: (reserved: Reserved) => string;
  amountOf: (reserved: Reserved) => Micros;
  /** How many leads it is there; 1 when absent. */
  leadsOf?: (reserved: Reserved) => 0 | 1;
}

/** A lead is counted once, however often it is sold. */
const once = ({ further }: Reserved): 0 | 1 => (further ? 0 : 1);

const BUYER: Limit = {
  limitsOf: ({ terms }) => terms.caps,
  idOf: ({ task, terms }) => buyerCap(task.plan.campaign_id, terms.buyer_id),
  amountOf: ({ terms }) => terms.price,
};
const SUPPLIER: Limit = {
  limitsOf: ({ task }) => task.supplier.caps,
  idOf: ({ task }) => supplierCap(task.plan.campaign_id, task.lead.supplier_id),
  amountOf: costOf,
  leadsOf: once,
};
const CAMPAIGN: Limit = {
  limitsOf: ({ task }) => task.plan.caps,
  idOf: ({ task }) => campaignCap(task.plan.campaign_id),
  amountOf: ({ terms }) => terms.price,
  leadsOf: once,
};

/** Supplier and campaign caps, asked only where there are any. */
async function limitSellers(
  granted: readonly Reserved[],
  deps: Pick<ReserveDeps, 'caps'>,
  now: Date,
): Promise<Reservations> {
  const supplierFull = await overLimit(granted.filter(hasSupplierCaps), deps, SUPPLIER);
  const left = granted.filter((reserved) => !supplierFull.has(reserved));
  const campaignFull = await overLimit(left.filter(hasCampaignCaps), deps, CAMPAIGN);
  await releaseAll([...campaignFull], deps);
  await releaseAll([...supplierFull], deps);
  for (const { task } of campaignFull) {
    task.candidates = [];
    task.trail.push({ at: now, step: 'caps', result: 'full', reason: 'campaign_cap' });
  }
  for (const { task } of supplierFull) {
    task.trail.push({ at: now, step: 'caps', result: 'full', reason: 'supplier_cap' });
  }
  return {
    granted: left.filter((reserved) => !campaignFull.has(reserved)),
    exhausted: [...campaignFull].map(({ task }) => task),
    capped: [...supplierFull].map(({ task }) => task),
  };
}

/** One update per link, side by side. Returns those that got no slot. */
async function overLimit(
  wanted: readonly Reserved[],
  { caps }: Pick<ReserveDeps, 'caps'>,
  { limitsOf, idOf, amountOf, leadsOf }: Limit,
): Promise<Set<Reserved>> {
  const counted = wanted.filter(({ keys }) => keys !== null);
  const refused = await Promise.all(
    [...groupBy(counted, idOf)].map(async ([id, group]) => {
      const [first] = group;
      if (!first?.keys) return [];
      const candidates: CapCandidate[] = group.map((reserved) => ({
        ...refOf(reserved),
        amount: amountOf(reserved),
        leads: leadsOf?.(reserved),
        counted: countedBefore(reserved),
      }));
      const held = await caps.reserve({
        id,
        limits: limitsOf(first),
        keys: first.keys,
        candidates,
      });
      group.forEach((reserved) => {
        reserved.keys = held.get(reserved.holdId) ?? reserved.keys;
      });
      return group.filter(({ holdId }) => !held.has(holdId));
    }),
  );
  return new Set(refused.flat());
}

/** Gives back every slot these leads hold: campaign, supplier, buyer. Repeating it changes nothing. */
export async function releaseAll(
  reserved: readonly Reserved[],
  { caps }: Pick<SellingDeps, 'caps'>,
): Promise<void> {
  await forEachLink(reserved, (id, group) => caps.release(id, group.map(refOf)));
}

/** The leads are sold or have taken their slots elsewhere: their holds end, the counts stay. */
export async function commitAll(
  reserved: readonly Reserved[],
  { caps }: Pick<SellingDeps, 'caps'>,
): Promise<void> {
  await forEachLink(reserved, (id, group) => caps.commit(id, group.map(refOf)));
}

/** What waiting rows are counted for becomes holds again: then releasing takes it back exactly once. */
export async function adoptAll(
  reserved: readonly Reserved[],
  { caps }: Pick<SellingDeps, 'caps'>,
): Promise<void> {
  await forEachLink(reserved, (id, group, { amountOf, leadsOf }) => {
    const holds = group.flatMap((one) =>
      one.keys === null
        ? []
        : [{ ...refOf(one), amount: amountOf(one), leads: leadsOf?.(one), keys: one.keys }],
    );
    return caps.adopt(id, holds);
  });
}

/** A later taking of the lead outdoes this one. */
const refOf = ({ holdId, task }: Reserved): HoldRef => ({
  hold_id: holdId,
  fence: task.lead.takes,
});

type LinkAct = (id: string, group: readonly Reserved[], limit: Limit) => Promise<void>;

async function forEachLink(reserved: readonly Reserved[], act: LinkAct): Promise<void> {
  const counted = reserved.filter(({ keys }) => keys !== null);
  const links: { limit: Limit; of: readonly Reserved[] }[] = [
    { limit: CAMPAIGN, of: counted.filter(hasCampaignCaps) },
    { limit: SUPPLIER, of: counted.filter(hasSupplierCaps) },
    { limit: BUYER, of: counted },
  ];
  await Promise.all(
    links.flatMap(({ limit, of }) =>
      [...groupBy(of, limit.idOf)].map(([id, group]) => act(id, group, limit)),
    ),
  );
}
