/** Slots of leads in the counters of buyers, suppliers and campaigns: one update per link serves a whole group. */
import { hasCaps, type CapCandidate, type HoldRef } from '../../src/domain/caps.js';
import { groupBy } from '../../src/domain/groupBy.js';
import type { CapLimits, Micros } from '../../src/domain/plan.js';
import { priceLead } from '../../src/domain/pricing.js';
import type { WindowKeys } from '../../src/domain/windowKeys.js';
import { buyerCap, campaignCap, supplierCap } from '../../src/store/caps.js';
import type { SellingDeps } from './deps.js';
import type { Reserved } from './task.js';

export const hasSupplierCaps = ({ task }: Reserved): boolean => hasCaps(task.supplier.caps);
export const hasCampaignCaps = ({ task }: Reserved): boolean => hasCaps(task.plan.caps);
const costOf = ({ task, terms, further }: Reserved): Micros =>
  priceLead({ price: terms.price, supplier: task.supplier, is_test: task.lead.is_test, further })
    .cost;

/** What is limited, where it is counted, and how much money one lead is there. */
interface Limit {
  limitsOf: (reserved: Reserved) => CapLimits;
  idOf: (reserved: Reserved) => string;
  amountOf: (reserved: Reserved) => Micros;
  /** Which side of what was booked counts there. */
  money: 'price' | 'cost';
  /** How many leads it is there; 1 when absent. */
  leadsOf?: (reserved: Reserved) => 0 | 1;
}

/** A lead is counted once, however often it is sold. */
const once = ({ further }: Reserved): 0 | 1 => (further ? 0 : 1);

export const BUYER: Limit = {
  limitsOf: ({ terms }) => terms.caps,
  idOf: ({ task, terms }) => buyerCap(task.plan.campaign_id, terms.buyer_id),
  amountOf: ({ terms }) => terms.price,
  money: 'price',
};
export const SUPPLIER: Limit = {
  limitsOf: ({ task }) => task.supplier.caps,
  idOf: ({ task }) => supplierCap(task.plan.campaign_id, task.lead.supplier_id),
  amountOf: costOf,
  money: 'cost',
  leadsOf: once,
};
export const CAMPAIGN: Limit = {
  limitsOf: ({ task }) => task.plan.caps,
  idOf: ({ task }) => campaignCap(task.plan.campaign_id),
  amountOf: ({ terms }) => terms.price,
  money: 'price',
  leadsOf: once,
};

/** One update per link, side by side. Returns those that got no slot. */
export async function overLimit(
  wanted: readonly Reserved[],
  { caps }: Pick<SellingDeps, 'caps'>,
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

/** A lead that waited for this very buyer is counted with it already. */
function countedBefore({ task, terms }: Reserved): WindowKeys | null {
  if (task.again?.terms.buyer_id !== terms.buyer_id) return null;
  return task.again.row.reserved;
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
  await forEachLink(reserved, (id, group, { money }) =>
    caps.commit(
      id,
      group.map((one) => ({ ...refOf(one), booked: one.booked?.[money] })),
    ),
  );
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
