/**
 * Reservations of leads in the counters of buyers, suppliers and campaigns: one update per link serves a whole group.
 */
import type { CapCandidate, ReservationRef } from '../routing/rules/caps.js';
import { CAP_SCOPES, type CapScope, hasCaps } from '../account/rules/capLimits.js';
import { capUse, fullEntry, limitsOf } from '../routing/rules/capUse.js';
import { windowsIn, withWindows } from '../deliveries/rules/rowWindows.js';
import { windowKeys, type CountedKeys } from '../fields/windowKeys.js';
import { buyerCap, campaignCap, supplierCap } from '../routing/store/caps.js';
import type { StandingRow } from '../deliveries/store/deliveries.js';
import type { SellingDeps } from './deps.js';
import { offerOf, windowsOf, zoneOf, type Reserved } from './task.js';

export const hasSupplierCaps = ({ task }: Reserved): boolean => hasCaps(task.supplier.caps);
export const hasCampaignCaps = ({ task }: Reserved): boolean => hasCaps(task.plan.caps);

/** A buyer's link is always counted, so that a cap that is set later starts from the correct count. */
const IS_COUNTED: Record<CapScope, (reserved: Reserved) => boolean> = {
  buyer: () => true,
  supplier: hasSupplierCaps,
  campaign: hasCampaignCaps,
};

/** The id of the counter in each scope. */
const ID_OF: Record<CapScope, (reserved: Reserved) => string> = {
  buyer: ({ task, terms }) => buyerCap(task.plan.campaign_id, terms.buyer_id),
  supplier: ({ task }) => supplierCap(task.plan.campaign_id, task.lead.supplier_id),
  campaign: ({ task }) => campaignCap(task.plan.campaign_id),
};

const CROWDED = 'a link has its maximum of reservations; further leads are tried again';

/** Which amount of a sale counts in each scope. */
const MONEY = { buyer: 'price', supplier: 'cost', campaign: 'price' } as const;

/** The leads of a group that got no reservation. */
export interface RefusedReservations {
  /** There is no room, or a later run has the reservation: their trails record it. */
  full: Set<Reserved>;
  /** There is room, but as many leads as can be held are in flight: these are not decided now. */
  crowded: Set<Reserved>;
}

/** One update per link and limits, in parallel: leads of several versions of a plan each meet the caps of their version. */
export async function reserveCaps(
  scope: CapScope,
  wanted: readonly Reserved[],
  { caps, log }: Pick<SellingDeps, 'caps' | 'log'>,
  now: Date,
): Promise<RefusedReservations> {
  const refused: RefusedReservations = { full: new Set(), crowded: new Set() };
  const counted = wanted.filter(({ keys }) => keys !== null);
  await Promise.all(
    groupByLimits(scope, counted).map(async ({ id, limits, group }) => {
      const [first] = group;
      if (!first?.keys) return;
      const candidates = group.map((reserved): CapCandidate => ({
        ...refOf(reserved),
        ...capUse(scope, offerOf(reserved)),
        ...countedBefore(reserved, scope),
      }));
      // The windows of a row of an earlier release name no hour.
      const zone = zoneOf(first.task);
      const keys = { ...windowKeys(now, zone), ...first.keys };
      const { held, crowded, counters } = await caps.reserve({
        id,
        limits,
        keys,
        read: { at: now, zone },
        candidates,
      });
      for (const one of group) {
        const counted = held.get(one.reservationId);
        if (counted) recordWindows(one, scope, counted);
        else if (crowded.has(one.reservationId)) refused.crowded.add(one);
        else {
          refused.full.add(one);
          one.task.trail.push(fullEntry(scope, offerOf(one), counters, now));
        }
      }
      if (crowded.size > 0) log.warn({ link: id, leads: crowded.size }, CROWDED);
    }),
  );
  return refused;
}

const groupByLimits = (scope: CapScope, reserved: readonly Reserved[]) =>
  [...Map.groupBy(reserved, ID_OF[scope])].flatMap(([id, ofLink]) =>
    [...Map.groupBy(ofLink, (one) => limitsOf(scope, offerOf(one)))].flatMap(([limits, same]) =>
      [...Map.groupBy(same, ({ task }) => zoneOf(task)).values()].map((group) => ({
        id,
        limits,
        group,
      })),
    ),
  );

/** The windows of the counters differ around an hour or a midnight. */
function recordWindows(reserved: Reserved, scope: CapScope, keys: CountedKeys): void {
  const windows = withWindows(windowsOf(reserved), scope, keys);
  reserved.keys = windows.reserved;
  reserved.apart = windows.reserved_apart;
}

/** A lead that waited for this buyer is already counted with it. */
function countedBefore(
  { task, terms }: Reserved,
  scope: CapScope,
): Pick<CapCandidate, 'counted' | 'row_fence'> {
  if (task.again?.terms.buyer_id !== terms.buyer_id) return { counted: null };
  const { row } = task.again;
  return { counted: windowsIn(row, scope), row_fence: row.fence };
}

/** Releases the reservations with campaign, supplier and buyer. Repeating it changes nothing. */
export async function releaseReservations(
  reserved: readonly Reserved[],
  { caps }: Pick<SellingDeps, 'caps'>,
  scopes: readonly CapScope[] = CAP_SCOPES,
): Promise<void> {
  await forEachLink(reserved, (id, group) => caps.release(id, group.map(refOf)), scopes);
}

/**
 * Undoes unused reservations: the count of a waiting row stays, everything else is released. Repeating it changes
 * nothing.
 */
export async function restoreReservations(
  reserved: readonly Reserved[],
  { caps }: Pick<SellingDeps, 'caps'>,
): Promise<void> {
  await forEachLink(reserved, async (id, group, scope) => {
    const counted = group.map((one) => ({
      ...refOf(one),
      keys: countedBefore(one, scope).counted ?? undefined,
    }));
    const ofRows = counted.filter(({ keys }) => keys);
    const others = counted.filter(({ keys }) => !keys);
    if (ofRows.length > 0) await caps.commit(id, ofRows);
    if (others.length > 0) await caps.release(id, others);
  });
}

/**
 * Releases reservations for attempts whose row another run has stored:
 * - A later run's row is counted by that run's reservations: release ours.
 * - An earlier run's row, stored late, is counted by the reservations that we took over from it: keep them, unless the
 *   row names another buyer. The run that settles the row settles them.
 */
export async function releaseLostReservations(
  wanted: readonly Reserved[],
  standing: ReadonlyMap<string, StandingRow>,
  deps: Pick<SellingDeps, 'caps'>,
): Promise<void> {
  const isExtra = ({ reservationId, task, terms }: Reserved, scope: CapScope): boolean => {
    const row = standing.get(reservationId);
    if (!row) return false;
    const { fence = Infinity, buyer_id } = row;
    return fence >= task.lead.takes || (scope === 'buyer' && buyer_id !== terms.buyer_id);
  };
  await Promise.all(
    CAP_SCOPES.map((scope) => {
      const extra = wanted.filter((reserved) => isExtra(reserved, scope));
      return releaseReservations(extra, deps, [scope]);
    }),
  );
}

/** The leads are sold, or their rows wait: their reservations end, the counts stay. */
export async function commitReservations(
  reserved: readonly Reserved[],
  { caps }: Pick<SellingDeps, 'caps'>,
): Promise<void> {
  await forEachLink(reserved, (id, group, scope) =>
    caps.commit(
      id,
      group.map((one) => ({
        ...refOf(one),
        booked: one.booked?.[MONEY[scope]],
        // An earlier run may have reserved for another buyer, or for a first sale: the row decides what counts.
        ...(one.isOfRow && {
          leads: capUse(scope, offerOf(one)).leads,
          keys: windowsIn(windowsOf(one), scope) ?? undefined,
          row_fence: one.rowFence,
        }),
      })),
    ),
  );
}

/** Counts of waiting rows become reservations again: then a release subtracts them exactly once. */
export async function adoptReservations(
  reserved: readonly Reserved[],
  { caps }: Pick<SellingDeps, 'caps'>,
): Promise<void> {
  await forEachLink(reserved, (id, group, scope) => {
    const holds = group.flatMap((one) => {
      const keys = windowsIn(windowsOf(one), scope);
      const use = capUse(scope, offerOf(one));
      return keys ? [{ ...refOf(one), ...use, keys, row_fence: one.rowFence }] : [];
    });
    return caps.adopt(id, holds);
  });
}

/** The fencing token lets a later run of the lead override this one. */
const refOf = ({ reservationId, task }: Reserved): ReservationRef => ({
  hold_id: reservationId,
  fence: task.lead.takes,
});

async function forEachLink(
  reserved: readonly Reserved[],
  act: (id: string, group: readonly Reserved[], scope: CapScope) => Promise<void>,
  scopes: readonly CapScope[] = CAP_SCOPES,
): Promise<void> {
  const counted = reserved.filter(({ keys }) => keys !== null);
  await Promise.all(
    scopes.flatMap((scope) =>
      [...Map.groupBy(counted.filter(IS_COUNTED[scope]), ID_OF[scope])].map(([id, group]) =>
        act(id, group, scope),
      ),
    ),
  );
}
