/** The roll-ups of one supplier's pings by day and campaign. */
import type { PingSums } from '../pings/rules/rollups.js';
import type { RollDeps } from './countBatches.js';
import { COUNTING_MS, readSettled, selectSums, type ReportScope } from './reading.js';
import { rollUpPings } from './rollUp.js';
import { createRollupStore } from './store/rollups.js';

/** Whose days, and which span: without a campaign those of all. */
export type SupplierScope = Pick<ReportScope, 'orgId' | 'from' | 'to' | 'campaign_id'> & {
  supplier_id: string;
};

export interface PingDay {
  campaign_id: string;
  day: string;
  sums: PingSums;
}

/** More than a supplier of a hundred campaigns has in the longest permitted span. */
const DAYS_MAX = 20_000;

/** One for each day and campaign with pings, the newest day first. */
export async function readSupplierPingDays(
  deps: RollDeps,
  scope: SupplierScope,
): Promise<PingDay[]> {
  const { pingRollups } = deps.collections;
  await rollUpPings(deps, { orgId: scope.orgId, withinMs: COUNTING_MS });
  return readSettled(createRollupStore(deps, 'pings'), () =>
    pingRollups
      .find(selectSums(scope, 'supplier'))
      .project<PingDay>({ _id: 0, campaign_id: 1, day: 1, sums: 1 })
      .sort({ day: -1 })
      .limit(DAYS_MAX)
      .toArray(),
  );
}
