/** The days of an account that has moved to another time zone begin at other times: all sums are counted again. */
import type { Clock } from '../lib/clock.js';
import { dayAfter } from '../fields/days.js';
import type { AccountCollections } from '../account/store/collections.js';
import type { ReportCollections } from './store/collections.js';
import { placeKey } from './rules/rollups.js';

interface RecountAllDeps {
  collections: Pick<
    AccountCollections & ReportCollections,
    'campaigns' | 'rollups' | 'pingRollups'
  >;
  clock: Pick<Clock, 'now'>;
}

/** Pings of earlier days may be deleted: their sums stay as they are. */
const PING_DAYS = 2;

/**
 * Has every day of the organization compared with its leads, by `reconcile`, as days of its present time zone; also the
 * days beside them, which get the leads that move over midnight. Safe to repeat.
 */
export async function recountAllDays(
  orgId: string,
  { collections, clock }: RecountAllDeps,
): Promise<void> {
  const { campaigns, rollups, pingRollups } = collections;
  const recount_at = clock.now();
  for (const campaign_id of await campaigns.distinct('_id', { org_id: orgId })) {
    const found = rollups.find({ campaign_id, facet: 'all' }, { projection: { day: 1 } });
    const days = new Set((await found.toArray()).map(({ day }) => day));
    const beside = [...days].flatMap((day) => [dayAfter(day, -1), dayAfter(day)]);
    const missing = [...new Set(beside)].filter((day) => !days.has(day));
    const place = { facet: 'all' as const };
    const writes = missing.map((day) => ({
      updateOne: {
        filter: { _id: `${campaign_id}:${day}:${placeKey(place)}` },
        update: {
          $setOnInsert: { org_id: orgId, campaign_id, day, ...place, by_status: {}, seq: 0 },
        },
        upsert: true,
      },
    }));
    if (writes.length > 0) await rollups.bulkWrite(writes, { ordered: false });
    await rollups.updateMany({ campaign_id, facet: 'all' }, { $set: { recount_at } });
    const since = dayAfter(recount_at.toISOString().slice(0, 10), -PING_DAYS);
    const kept = { campaign_id, facet: 'all' as const, day: { $gte: since } };
    await pingRollups.updateMany(kept, { $set: { recount_at } });
  }
}

/** How many days of its campaigns have sums. */
export const countDays = (
  orgId: string,
  { rollups }: Pick<ReportCollections, 'rollups'>,
): Promise<number> => rollups.countDocuments({ org_id: orgId, facet: 'all' });
