/** Idempotency keys of requests that died between claiming their key and storing their lead. */
import type { LeadCollections } from '../../leads/store/collections.js';
import type { IngestCollections } from '../store/collections.js';
import type { SellingDeps } from '../../distribution/deps.js';
import { expiryOf } from '../../leads/rules/keyTimes.js';
import { chunks } from '../../lib/chunks.js';

/** Keys are checked at an age of TO_MS to FROM_MS: far older than any request, and in two runs a minute apart. */
const FROM_MS = 180_000;
const TO_MS = 60_000;
const KEYS_PER_RUN = 20_000;
const BATCH_SIZE = 1_000;

/** Frees such keys: the next request with one is the first. Returns the number freed. */
export async function freeKeys({
  collections,
  clock,
}: Pick<SellingDeps, 'clock'> & {
  collections: Pick<LeadCollections, 'leads'> & IngestCollections;
}): Promise<number> {
  const now = Number(clock.now());
  // The index is on the expiry.
  const claimed = (ago: number) => expiryOf(now - ago);
  const rows = await collections.idempotency
    .find(
      { expires_at: { $gt: claimed(FROM_MS), $lt: claimed(TO_MS) } },
      { projection: { lead_id: 1 } },
    )
    .limit(KEYS_PER_RUN)
    .toArray();
  let freed = 0;
  for (const batch of chunks(rows, BATCH_SIZE)) {
    const ids = batch.map((row) => row.lead_id);
    const stored = await collections.leads
      .find({ _id: { $in: ids } }, { projection: { _id: 1 } })
      .toArray();
    if (stored.length === batch.length) continue;
    const known = new Set(stored.map((lead) => lead._id));
    const orphans = batch.filter((row) => !known.has(row.lead_id));
    const result = await collections.idempotency.deleteMany({
      $or: orphans.map(({ _id, lead_id }) => ({ _id, lead_id })),
    });
    freed += result.deletedCount;
  }
  return freed;
}
