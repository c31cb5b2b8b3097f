/** Reports of pings: sums of their roll-ups, which are first brought up to date. */
import type { Document } from 'mongodb';
import { totalPings, type PingFacet, type PingSums } from '../pings/rules/rollups.js';
import type { PingRollupDoc } from './store/rollupDocs.js';
import type { RollDeps } from './countBatches.js';
import { readUpToDate, selectSums, type ReportScope } from './reading.js';

/** The properties by which sums of pings can be grouped. */
export type PingGroupBy = 'campaign' | 'supplier' | 'buyer';

export interface PingReport {
  /** The sums of all groups together. */
  whole: PingSums;
  /** By id. Empty without grouping. */
  by: ReadonlyMap<string, PingSums>;
  /** Pings of the organization whose latest change is not in the sums yet. */
  uncounted: number;
}

/** Sums of the pings of some days. With a buyer in the scope, or by buyer: of those on which it bid, and its bids. */
export async function readPingReport(
  deps: RollDeps,
  scope: ReportScope,
  groupBy: PingGroupBy | null,
): Promise<PingReport> {
  const { pingRollups } = deps.collections;
  const { found: rows, uncounted } = await readUpToDate(deps, {
    counting: 'pings',
    orgId: scope.orgId,
    read: () =>
      pingRollups.aggregate<PingSums & { key: string | null }>(pipeline(scope, groupBy)).toArray(),
  });
  const named = rows.flatMap(({ key, ...sums }) => (key === null ? [] : [[key, sums] as const]));
  return {
    whole: totalPings(rows),
    by: new Map(named),
    uncounted,
  };
}

export interface PingDay {
  campaign_id: string;
  day: string;
  sums: PingSums;
}

/** More than a supplier of a hundred campaigns has in the longest permitted span. */
const DAYS_MAX = 20_000;

/** A supplier's pings, one row for each day and campaign with pings, the newest day first. */
export async function readSupplierPingDays(
  deps: RollDeps,
  scope: ReportScope & { supplier_id: string },
): Promise<PingDay[]> {
  const { pingRollups } = deps.collections;
  const { found } = await readUpToDate(deps, {
    counting: 'pings',
    orgId: scope.orgId,
    read: () =>
      pingRollups
        .find(selectSums(scope, 'supplier'))
        .project<PingDay>({ _id: 0, campaign_id: 1, day: 1, sums: 1 })
        .sort({ day: -1 })
        .limit(DAYS_MAX)
        .toArray(),
  });
  return found;
}

const KEYS: Record<PingGroupBy, keyof PingRollupDoc> = {
  campaign: 'campaign_id',
  supplier: 'supplier_id',
  buyer: 'buyer_id',
};

function pipeline(scope: ReportScope, groupBy: PingGroupBy | null): Document[] {
  const sum = (name: keyof PingSums) => ({ $sum: `$sums.${name}` });
  return [
    { $match: selectSums(scope, facetOf(scope, groupBy)) },
    {
      $group: {
        _id: groupBy === null ? null : `$${KEYS[groupBy]}`,
        pings: sum('pings'),
        accepted: sum('accepted'),
        redeemed: sum('redeemed'),
        bids: sum('bids'),
      },
    },
    { $match: { pings: { $ne: 0 } } },
    { $project: { _id: 0, key: '$_id', pings: 1, accepted: 1, redeemed: 1, bids: 1 } },
  ];
}

/** The smallest facet that distinguishes the groups. */
function facetOf({ supplier_id, buyer_id }: ReportScope, groupBy: PingGroupBy | null): PingFacet {
  const bySupplier = supplier_id !== undefined || groupBy === 'supplier';
  const byBuyer = buyer_id !== undefined || groupBy === 'buyer';
  if (bySupplier) return byBuyer ? 'cell' : 'supplier';
  return byBuyer ? 'buyer' : 'all';
}
