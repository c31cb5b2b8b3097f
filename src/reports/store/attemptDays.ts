/**
 * The attempts of past days, counted once. A day is stored only if no attempt of it has changed since its count
 * began: each late change raises its version.
 */
import { isDuplicateKey } from '../../platform/mongo/databaseErrors.js';
import { totalAttempts, type AttemptSums, type CampaignAttempts } from '../rules/attemptSums.js';
import type { AttemptDayDoc } from './attemptDayDocs.js';
import type { ReportCollections } from './collections.js';

/** A day of a buyer. */
export interface BuyerDay {
  org_id: string;
  buyer_id: string;
  day: string;
}

/** The counted sums of a day, and its time zone. */
export interface CountedDay {
  time_zone: string;
  campaigns: CampaignAttempts[];
  /** When it is next compared with its attempts; absent: never. */
  recount_at?: Date;
}

/** The stored sums of a day; null: to be counted from the attempts. */
export type KeptDay = AttemptSums | null;

export interface AttemptDayStore {
  /** Returns the stored document of a day, to be read before its attempts are. */
  find(day: BuyerDay): Promise<AttemptDayDoc | null>;
  /**
   * Stores a day unless it has changed. A day without attempts and without a document needs none.
   * @param before the stored document when the attempts were read
   * @returns false when the day has changed since: nothing was stored
   */
  keep(day: BuyerDay, before: AttemptDayDoc | null, counted: CountedDay): Promise<boolean>;
  /** Invalidates the stored sums of these days; they are counted again at that time. */
  drop(days: readonly BuyerDay[], stale_at: Date): Promise<void>;
  /** The stored sums of a buyer's days, by day, both included; for one campaign, or all. */
  read(wanted: WantedDays): Promise<Map<string, KeptDay>>;
}

export interface WantedDays {
  buyer_id: string;
  time_zone: string;
  from: string;
  to: string;
  campaign_id?: string | undefined;
}

export function createAttemptDayStore({
  attemptDays,
}: Pick<ReportCollections, 'attemptDays'>): AttemptDayStore {
  return {
    find: (day) => attemptDays.findOne({ _id: idOf(day) }),
    async keep({ org_id, buyer_id, day }, before, { time_zone, campaigns, recount_at }) {
      const _id = idOf({ buyer_id, day });
      const sums = totalAttempts(campaigns);
      if (!before) {
        if (campaigns.length === 0) return true;
        const doc = { _id, org_id, buyer_id, day, version: 0, time_zone, sums, campaigns };
        return inserted(attemptDays.insertOne({ ...doc, ...(recount_at && { recount_at }) }));
      }
      const { matchedCount } = await attemptDays.updateOne(
        { _id, version: before.version },
        {
          $set: { time_zone, sums, campaigns, ...(recount_at && { recount_at }) },
          $unset: { stale_at: true, ...(recount_at ? {} : { recount_at: true }) },
        },
      );
      return matchedCount > 0;
    },
    async drop(days, stale_at) {
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
    },
    async read({ buyer_id, time_zone, from, to, campaign_id }) {
      const found = await attemptDays
        .find<Pick<AttemptDayDoc, 'day' | 'time_zone' | 'sums' | 'campaigns'>>(
          { _id: { $gte: idOf({ buyer_id, day: from }), $lte: idOf({ buyer_id, day: to }) } },
          { projection: { day: 1, time_zone: 1, sums: 1, ...ofCampaign(campaign_id) } },
        )
        .toArray();
      const keptOf = (doc: (typeof found)[number]): KeptDay => {
        if (!doc.sums || doc.time_zone !== time_zone) return null;
        return campaign_id === undefined ? doc.sums : totalAttempts(doc.campaigns ?? []);
      };
      return new Map(found.map((doc) => [doc.day, keptOf(doc)]));
    },
  };
}

const idOf = ({ buyer_id, day }: Pick<BuyerDay, 'buyer_id' | 'day'>): string =>
  `${buyer_id}:${day}`;

const ofCampaign = (campaign_id: string | undefined) =>
  campaign_id === undefined ? {} : { campaigns: { $elemMatch: { campaign_id } } };

/** False when another process was faster, or an attempt of the day changed. */
const inserted = (insert: Promise<unknown>): Promise<boolean> =>
  insert.then(
    () => true,
    (error: unknown) => {
      if (isDuplicateKey(error)) return false;
      throw error;
    },
  );
