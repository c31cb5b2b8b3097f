/**
 * Spreadsheets that buyers were given before each had an owner.
 * @until 0.3
 */
import type { AccountCollections } from '../store/collections.js';
import { chunks } from '../../lib/chunks.js';
import { insertNew } from '../../platform/mongo/insertNew.js';
import type { RepairStore } from '../../platform/mongo/repairs.js';
import type { Clock } from '../../lib/clock.js';

export interface SpreadsheetRepairDeps {
  clock: Clock;
  collections: Pick<AccountCollections, 'buyers' | 'spreadsheets'>;
  repairs: Pick<RepairStore, 'isDone' | 'done'>;
}

/** Maximum buyers that are checked; a sheet of any other buyer gets its owner with its first row. */
const BUYERS_MAX = 20_000;
const BATCH_SIZE = 500;
const NAME = 'spreadsheet_owners';

/**
 * Once in the life of an installation: each spreadsheet gets the organization of the oldest buyer that uses it as its
 * owner. Returns the number of spreadsheets. Repeating it changes nothing.
 */
export async function claimStored({
  collections,
  repairs,
  clock,
}: SpreadsheetRepairDeps): Promise<number> {
  if (await repairs.isDone(NAME)) return 0;
  const buyers = await collections.buyers
    .find(
      { 'delivery.spreadsheet_id': { $exists: true } },
      { projection: { org_id: 1, delivery: 1, created_at: 1 } },
    )
    .limit(BUYERS_MAX)
    .toArray();
  const owners = new Map<string, string>();
  const oldestFirst = buyers.toSorted((a, b) => Number(a.created_at) - Number(b.created_at));
  for (const { org_id, delivery } of oldestFirst) {
    if (delivery.method !== 'GOOGLE_SHEET' || owners.has(delivery.spreadsheet_id)) continue;
    owners.set(delivery.spreadsheet_id, org_id);
  }
  const claimed_at = clock.now();
  const docs = [...owners].map(([_id, org_id]) => ({ _id, org_id, claimed_at }));
  for (const batch of chunks(docs, BATCH_SIZE)) await insertNew(collections.spreadsheets, batch);
  await repairs.done(NAME, claimed_at);
  return docs.length;
}
