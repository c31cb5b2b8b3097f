/** Why deliveries wait, by the state of their buyers, their terms and their caps now. */
import { linkId } from '../account/links/storeLink.js';
import { hasCaps, type CapLimits, type CapScope } from '../account/rules/capLimits.js';
import type { AccountCollections } from '../account/store/collections.js';
import type { DeliveryCollections } from '../deliveries/store/collections.js';
import type { DeliveryDoc } from '../deliveries/store/deliveryDoc.js';
import { windowsIn } from '../deliveries/rules/rowWindows.js';
import { findByIds } from '../platform/mongo/findByIds.js';
import { capMoment, type CapInUse, type CapMoment } from './rules/capUsage.js';
import { emptyCapState, findFullCap, rollWindows } from './rules/caps.js';
import {
  findWait,
  windowOf,
  type FullWindow,
  type TermsOfWait,
  type Wait,
} from './rules/whyWaiting.js';
import { buyerCap, campaignCap, supplierCap } from './store/caps.js';
import { readCapUse } from './store/capUse.js';
import type { RoutingCollections } from './store/collections.js';

type Collections = Pick<
  AccountCollections & DeliveryCollections & RoutingCollections,
  'buyers' | 'campaigns' | 'campaignBuyers' | 'campaignSuppliers' | 'destinations' | 'caps'
>;

export type WaitingRow = Pick<
  DeliveryDoc,
  | ('_id' | 'state' | 'answer_by' | 'due_at' | 'held' | 'expires_at' | 'reason' | 'reserved')
  | ('reserved_apart' | 'price' | 'cost' | 'further' | 'buyer_id' | 'campaign_id' | 'supplier_id')
>;

/**
 * The reason of each of these rows that waits, by its id: a few queries, whatever their number. Limits of the supplier
 * and the campaign are those of now; routing uses those of the version that decided the lead.
 */
export async function readWaits(
  collections: Collections,
  rows: readonly WaitingRow[],
  { now, timeZone }: { now: Date; timeZone: string },
): Promise<Map<string, Wait>> {
  const known = await readFacts(collections, rows);
  const moment = capMoment(now, timeZone);
  return new Map(
    rows.flatMap((row) => {
      const full = row.state === 'parked' ? findFull(row, known, moment) : null;
      const terms = termsOf(row, known);
      const destination = known.destinations.get(row.buyer_id);
      const wait = findWait({ row, destination, terms, full, timeZone }, now);
      return wait ? [[row._id, wait] as const] : [];
    }),
  );
}

type Facts = Awaited<ReturnType<typeof readFacts>>;

async function readFacts(collections: Collections, rows: readonly WaitingRow[]) {
  const parked = rows.filter(({ state }) => state === 'parked');
  const ids = (of: (row: WaitingRow) => string) => new Set(parked.map(of));
  const [destinations, buyers, campaigns, buyerLinks, supplierLinks] = await Promise.all([
    findByIds(
      collections.destinations,
      ids((row) => row.buyer_id),
      { projection: { events: 0, sending: 0 } },
    ),
    findByIds(
      collections.buyers,
      ids((row) => row.buyer_id),
      { projection: { status: 1, test_mode: 1 } },
    ),
    findByIds(
      collections.campaigns,
      ids((row) => row.campaign_id),
      { projection: { caps: 1 } },
    ),
    findByIds(collections.campaignBuyers, ids(buyerLinkOf), {
      projection: { status: 1, schedule: 1, when_closed: 1, caps: 1 },
    }),
    findByIds(collections.campaignSuppliers, ids(supplierLinkOf), { projection: { caps: 1 } }),
  ]);
  const limited = new Map<string, CapLimits>();
  const keep = (id: string, limits: CapLimits | undefined) =>
    limits && hasCaps(limits) && limited.set(id, limits);
  for (const row of parked) {
    keep(counterOf('buyer', row), buyerLinks.get(buyerLinkOf(row))?.caps);
    keep(counterOf('supplier', row), supplierLinks.get(supplierLinkOf(row))?.caps);
    keep(counterOf('campaign', row), campaigns.get(row.campaign_id)?.caps);
  }
  const use = await readCapUse(collections.caps, [...limited.keys()]);
  return { destinations, buyers, buyerLinks, limited, use };
}

const buyerLinkOf = ({ campaign_id, buyer_id }: WaitingRow): string =>
  linkId(campaign_id, buyer_id);
const supplierLinkOf = ({ campaign_id, supplier_id }: WaitingRow): string =>
  linkId(campaign_id, supplier_id);

const COUNTERS: Record<CapScope, (row: WaitingRow) => string> = {
  buyer: ({ campaign_id, buyer_id }) => buyerCap(campaign_id, buyer_id),
  supplier: ({ campaign_id, supplier_id }) => supplierCap(campaign_id, supplier_id),
  campaign: ({ campaign_id }) => campaignCap(campaign_id),
};
const counterOf = (scope: CapScope, row: WaitingRow): string => COUNTERS[scope](row);

function termsOf(row: WaitingRow, { buyers, buyerLinks }: Facts): TermsOfWait | undefined {
  const buyer = buyers.get(row.buyer_id);
  const link = buyerLinks.get(buyerLinkOf(row));
  if (!buyer || !link) return undefined;
  return {
    schedule: link.schedule,
    when_closed: link.when_closed,
    test_mode: buyer.test_mode,
    isBuyerPaused: buyer.status === 'paused',
    isLinkPaused: link.status === 'paused',
  };
}

/** The first limit that has no room for the row, in the order in which routing checks them. */
function findFull(
  row: WaitingRow,
  { limited, use }: Facts,
  { keys, resets }: CapMoment,
): FullWindow | null {
  for (const scope of ['buyer', 'supplier', 'campaign'] as const) {
    const id = counterOf(scope, row);
    const limits = limited.get(id);
    if (!limits) continue;
    const counters = rollWindows(countersIn(use.get(id)), keys);
    const full = findFullCap(counters, limits, {
      amount: scope === 'supplier' ? row.cost : row.price,
      leads: row.further && scope !== 'buyer' ? 0 : 1,
      counted: windowsIn(row, scope),
    });
    if (full) return { scope, limit: full.limit, resets_at: resets[windowOf(full.limit)] };
  }
  return null;
}

const countersIn = (use: CapInUse | undefined) => use?.counters ?? emptyCapState();
