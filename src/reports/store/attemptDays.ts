/**
 * The attempts of past days, counted once. A day is stored only if no attempt of it has changed since its count
 * began: each late change raises its version.
 */
import { insertNew } from '../../platform/mongo/insertNew.js';
import { totalAttempts, type AttemptSpan, type AttemptSums } from '../rules/attemptSums.js';
import type { AttemptDayDoc } from './attemptDayDocs.js';
import type { ReportCollections } from './collections.js';

type Days = Pick<ReportCollections, 'attemptDays'>;

/** A day of a buyer. */
export type BuyerDay = Pick<AttemptDayDoc, 'org_id' | 'buyer_id' | 'day'>;

/** The counted sums of a day; without `recount_at` they are never compared with its attempts. */
type CountedDay = Required<Pick<AttemptDayDoc, 'time_zone' | 'campaigns'>> &
  Pick<AttemptDayDoc, 'recount_at'>;

/** The stored document of a day, to be read before its attempts are. */
export const findDay = ({ attemptDays }: Days, day: BuyerDay): Promise<AttemptDayDoc | null> =>
  attemptDays.findOne({ _id: idOf(day) });

/**
 * Stores a day that had this document, or none (null), when its attempts were read; one without attempts needs none.
 * @returns false when the day has changed since: nothing was stored
 */
export async function storeDay(
  { attemptDays }: Days,
  before: AttemptDayDoc | null,
  { org_id, buyer_id, day }: BuyerDay,
  counted: CountedDay,
): Promise<boolean> {
  const sums = totalAttempts(counted.campaigns);
  const _id = idOf({ buyer_id, day });
  if (before) {
    const { matchedCount } = await attemptDays.updateOne(
      { _id, version: before.version },
      {
        $set: { ...counted, sums },
        $unset: { stale_at: true, ...(counted.recount_at ? {} : { recount_at: true }) },
      },
    );
    return matchedCount > 0;
  }
  // One that has changed since has a document by now, which stays.
  const doc = { _id, org_id, buyer_id, day, version: 0, ...counted, sums };
  if (counted.campaigns.length > 0) await insertNew(attemptDays, [doc]);
  return true;
}

/** Invalidates the stored sums of these days; they are counted again at that time. */
export async function dropDays(
  { attemptDays }: Days,
  days: readonly BuyerDay[],
  stale_at: Date,
): Promise<void> {
  if (days.length === 0) return;
  const operations = days.map(({ org_id, buyer_id, day }) => ({
    updateOne: {
      filter: { _id: idOf({ buyer_id, day }) },
      update: {
        $inc: { version: 1 },
        $unset: { sums: true as const, campaigns: true as const, recount_at: true as const },
        // A day that keeps changing is counted all the same.
        $min: { stale_at },
        $setOnInsert: { org_id, buyer_id, day },
      },
      upsert: true,
    },
  }));
  await attemptDays.bulkWrite(operations, { ordered: false });
}

/** The stored sums of a buyer's days by day; null: to be counted from the attempts. */
export async function readDays(
  { attemptDays }: Days,
  { buyer_id, time_zone, from, to, campaign_id }: Omit<AttemptSpan, 'org_id'>,
): Promise<Map<string, AttemptSums | null>> {
  const ofCampaign = campaign_id === undefined ? undefined : { $elemMatch: { campaign_id } };
  const found = await attemptDays
    .find<Pick<AttemptDayDoc, 'day' | 'time_zone' | 'sums' | 'campaigns'>>(
      { _id: { $gte: idOf({ buyer_id, day: from }), $lte: idOf({ buyer_id, day: to }) } },
      { projection: { day: 1, time_zone: 1, sums: 1, campaigns: ofCampaign } },
    )
    .toArray();
  const readSums = (doc: (typeof found)[number]): AttemptSums | null => {
    if (!doc.sums || doc.time_zone !== time_zone) return null;
    return campaign_id === undefined ? doc.sums : totalAttempts(doc.campaigns ?? []);
  };
  return new Map(found.map((doc) => [doc.day, readSums(doc)]));
}

const idOf = ({ buyer_id, day }: Pick<BuyerDay, 'buyer_id' | 'day'>): string =>
  `${buyer_id}:${day}`;
