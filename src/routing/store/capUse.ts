/** The counters of links as routing compares them, with the part that deliveries in flight reserve. */
import type { Collection, Document } from 'mongodb';
import { eachWindow, type CapWindow } from '../../account/rules/capLimits.js';
import type { CapInUse, Count } from '../rules/capUsage.js';
import { countersOf, type CapDoc } from './capDocs.js';

type ReadUse = Pick<CapDoc, '_id' | CapWindow> & { in_flight: Record<CapWindow, Count> };

/**
 * The counters of these links and campaigns, by their ids (`buyerCap`, `supplierCap`, `campaignCap`); those that have
 * counted nothing are left out. MongoDB adds up the reservations, of which a link may have thousands.
 */
export async function readCapUse(
  caps: Collection<CapDoc>,
  ids: readonly string[],
): Promise<Map<string, CapInUse>> {
  if (ids.length === 0) return new Map();
  const found = await caps
    .find<ReadUse>({ _id: { $in: [...ids] } }, { projection: PROJECTION })
    .toArray();
  return new Map(
    found.map(({ in_flight: held, ...doc }) => [doc._id, { counters: countersOf(doc), held }]),
  );
}

/** The reservations that the stored window counts. */
function heldIn(window: CapWindow): Document | string {
  const held = { $ifNull: ['$held', []] };
  if (window === 'total') return held;
  const cond = { $eq: [`$$hold.keys.${window}`, `$${window}.key`] };
  return { $filter: { input: held, as: 'hold', cond } };
}

const sumOf = (window: CapWindow, value: Document | string): Document => ({
  $sum: { $map: { input: heldIn(window), as: 'hold', in: value } },
});

const PROJECTION = {
  ...eachWindow(() => 1 as const),
  in_flight: eachWindow((window) => ({
    count: sumOf(window, { $ifNull: ['$$hold.leads', 1] }),
    amount: sumOf(window, '$$hold.amount'),
  })),
};
