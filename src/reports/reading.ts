/** How sums are read, so that no batch is seen half done. */
import type { Document } from 'mongodb';
import type { RollupStore } from './store/rollups.js';

/** What a report is about. */
export interface ReportScope {
  orgId: string;
  /** Calendar days in the account's time zone, both included. */
  from: string;
  to: string;
  campaign_id?: string | undefined;
  supplier_id?: string | undefined;
  buyer_id?: string | undefined;
}

/** A report waits so long for changes to be counted, in milliseconds. */
export const COUNTING_MS = 100;
/** As exact as anybody needs to know what is not counted. */
export const UNCOUNTED_MAX = 100_000;
/** A batch that is being carried out is in some sums and not in others: the sums are read again. */
const READINGS = 3;

/** The sums of a facet that a report is read from. */
export function sumsOf(scope: ReportScope, facet: string): Document {
  const { orgId: org_id, from, to, campaign_id, supplier_id, buyer_id } = scope;
  const given = Object.entries({ campaign_id, supplier_id, buyer_id });
  return {
    org_id,
    facet,
    day: { $gte: from, $lte: to },
    ...Object.fromEntries(given.filter(([, id]) => id !== undefined)),
  };
}

/** Between two looks at the number of the last batch. */
export async function readSettled<T>(
  store: Pick<RollupStore, 'settled' | 'isStill'>,
  read: () => Promise<T>,
): Promise<T> {
  for (let reading = 1; ; reading++) {
    const seq = await store.settled();
    const found = await read();
    if (reading >= READINGS || (await store.isStill(seq))) return found;
  }
}
