/**
 * Moves the caps of an account to another time zone. From then on every window is one of the new zone, and counts what
 * was sold in it before: no cap is passed, whatever is sold meanwhile.
 */
import {
  CALENDAR_WINDOWS,
  hasCaps,
  type CapLimits,
  type CapWindow,
} from '../account/rules/capLimits.js';
import type { AccountCollections } from '../account/store/collections.js';
import { windowsIn } from '../deliveries/rules/rowWindows.js';
import type { DeliveryCollections } from '../deliveries/store/collections.js';
import type { DeliveryDoc } from '../deliveries/store/deliveryDoc.js';
import { COUNTED_STATES } from '../deliveries/store/deliveries.js';
import { DELIVERIES_BY_DAY } from '../deliveries/store/deliveryIndexes.js';
import { dayAfter } from '../fields/days.js';
import type { Clock } from '../lib/clock.js';
import { hourBefore, type CapDoc, type MovedWindow } from '../routing/store/capDocs.js';
import { buyerCap, campaignCap, linkOf, supplierCap } from '../routing/store/caps.js';
import { isDuplicateKey } from '../platform/mongo/databaseErrors.js';
import type { RoutingCollections } from '../routing/store/collections.js';
import {
  addPipeline,
  firstDayOf,
  moveOf,
  movePipeline,
  type Sold,
} from '../routing/store/movedWindows.js';

export interface MoveDeps {
  collections: Pick<
    AccountCollections & DeliveryCollections & RoutingCollections,
    'campaigns' | 'campaignBuyers' | 'campaignSuppliers' | 'caps' | 'deliveries'
  >;
  clock: Pick<Clock, 'now'>;
}

export interface ZoneMove {
  orgId: string;
  /** When it was ordered. */
  at: Date;
  from: string;
  to: string;
}

/** Safe to repeat, and after an interruption at any point; a move that was ordered later is left as it is. */
export async function moveWindows(order: ZoneMove, deps: MoveDeps): Promise<void> {
  const { campaigns } = deps.collections;
  const ids = await campaigns.distinct('_id', { org_id: order.orgId });
  for (const campaignId of ids) await moveCampaign(campaignId, order, deps);
}

async function moveCampaign(campaignId: string, order: ZoneMove, deps: MoveDeps): Promise<void> {
  const { caps } = deps.collections;
  const move = moveOf(order, deps.clock.now());
  const { at } = order;
  const earlier = { $or: [{ 'moved.at': { $exists: false } }, { 'moved.at': { $lt: at } }] };
  for (const _id of await countersOf(campaignId, deps)) {
    // Made where there are none: a run from before would make them in the former zone. One that was moved is there.
    await caps
      .updateOne({ _id, ...earlier }, movePipeline(move), { upsert: true })
      .catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
      });
    const moved = await caps.findOne({ _id, 'moved.at': at });
    if (moved) await addEarlier(moved, deps);
  }
}

interface Capped {
  caps?: CapLimits;
}

const isCapped = ({ caps }: Capped): boolean => caps !== undefined && hasCaps(caps);

/** The ids of all counters of a campaign, and of those that its next lead makes. */
async function countersOf(campaignId: string, { collections }: MoveDeps): Promise<Set<string>> {
  const { campaigns, campaignBuyers, campaignSuppliers, caps } = collections;
  const of = (scope: string) => ({
    _id: { $gte: `${scope}:${campaignId}`, $lt: `${scope}:${campaignId};` },
  });
  const [found, buyers, suppliers, campaign] = await Promise.all([
    caps
      .find({ $or: [of('buyer'), of('supplier'), of('campaign')] }, { projection: { _id: 1 } })
      .toArray(),
    campaignBuyers.distinct('buyer_id', { campaign_id: campaignId }),
    campaignSuppliers
      .find({ campaign_id: campaignId })
      .project<Capped & { supplier_id: string }>({ supplier_id: 1, caps: 1 })
      .toArray(),
    campaigns.findOne<Capped>({ _id: campaignId }, { projection: { caps: 1 } }),
  ]);
  return new Set([
    ...found.map(({ _id }) => _id),
    ...buyers.map((id) => buyerCap(campaignId, id)),
    ...suppliers.filter(isCapped).map(({ supplier_id }) => supplierCap(campaignId, supplier_id)),
    ...(campaign && isCapped(campaign) ? [campaignCap(campaignId)] : []),
  ]);
}

/** Rows of windows that are over, and that the open one of the new zone contains: their number only falls. */
async function addEarlier(link: CapDoc, { collections }: MoveDeps): Promise<void> {
  for (const window of CALENDAR_WINDOWS) {
    const move = link.moved?.windows[window];
    if (!move || move.added) continue;
    const sold = await soldBefore(link, window, move, collections);
    const notAdded = {
      _id: link._id,
      'moved.at': link.moved?.at,
      [`moved.windows.${window}.key`]: move.key,
      [`moved.windows.${window}.added`]: { $exists: false },
    };
    await collections.caps.updateOne(notAdded, addPipeline(window, move, sold));
  }
}

type Row = Pick<
  DeliveryDoc,
  'state' | 'price' | 'cost' | 'further' | 'reserved' | 'reserved_apart'
>;

async function soldBefore(
  link: Pick<CapDoc, '_id'>,
  window: Exclude<CapWindow, 'total'>,
  { from, prior }: MovedWindow,
  { deliveries }: Pick<DeliveryCollections, 'deliveries'>,
): Promise<Sold> {
  const { scope, campaignId, ownerId } = linkOf(link._id);
  const begun = from.slice(0, 10);
  const rows = deliveries.find(
    {
      campaign_id: campaignId,
      // In the former zone the window began up to two days earlier; rows of its open window are counted already.
      'reserved.day': { $gte: dayAfter(begun, -2), $lte: dayAfter(firstDayOf(window, prior)) },
      buyer_id: scope === 'buyer' ? ownerId : undefined,
      supplier_id: scope === 'supplier' ? ownerId : undefined,
    },
    {
      hint: DELIVERIES_BY_DAY,
      projection: { state: 1, price: 1, cost: 1, further: 1, reserved: 1, reserved_apart: 1 },
    },
  );
  const money = scope === 'supplier' ? 'cost' : 'price';
  const sold: Sold = { count: 0, amount: 0 };
  for await (const row of rows as AsyncIterable<Row>) {
    const keys = windowsIn(row, scope);
    const key = keys?.[window];
    if (!COUNTED_STATES.includes(row.state) || key === undefined || key >= prior) continue;
    if (keys?.hour === undefined || keys.hour <= hourBefore(from)) continue;
    sold.count += row.further && scope !== 'buyer' ? 0 : 1;
    sold.amount += row[money];
  }
  return sold;
}
