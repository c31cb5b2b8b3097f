/** Reads sums without seeing a half-applied batch. */
import type { Document } from 'mongodb';
import type { RollDeps } from './countBatches.js';
import type { Counting } from './store/rollupDocs.js';
import { createRollupStore } from './store/rollups.js';

/** The scope of a report. */
export interface ReportScope {
  orgId: string;
  /** Calendar days in the account's time zone, both included. */
  from: string;
  to: string;
  campaign_id?: string;
  supplier_id?: string;
  buyer_id?: string;
}

/** How long a report waits for changes to be counted, in milliseconds. */
export const COUNTING_MS = 100;
/** Maximum of the reported number of uncounted changes. */
export const UNCOUNTED_MAX = 100_000;
/** Maximum reads: a batch that is being applied is in some sums and not in others, so the sums are read again. */
const READINGS = 3;

/** The sums of a facet, or of several, that a report is read from. */
export function selectSums(scope: ReportScope, facet: string | { $in: string[] }): Document {
  const { orgId: org_id, from, to, campaign_id, supplier_id, buyer_id } = scope;
  const given = Object.entries({ campaign_id, supplier_id, buyer_id });
  return {
    org_id,
    facet,
    day: { $gte: from, $lte: to },
    ...Object.fromEntries(given.filter(([, id]) => id !== undefined)),
  };
}

/** Reads between two checks of the last batch's number. */
export async function readSettled<T>(
  deps: RollDeps,
  counting: Counting,
  read: () => Promise<T>,
): Promise<T> {
  const store = createRollupStore(deps, counting);
  for (let reading = 1; ; reading++) {
    const seq = await store.settled();
    const found = await read();
    if (reading >= READINGS || (await store.isStill(seq))) return found;
  }
}
