/** How many pings a link has had per day: exact across processes, one update for all pings of a group. */
import type { Collection } from 'mongodb';
import { retryUpsert } from '../../platform/mongo/databaseErrors.js';
import type { PingCountDoc } from './pingDocs.js';

/** Some pings of one link that are to be counted. */
export interface PingCountRequest {
  kind: 'supplier' | 'buyer';
  campaign_id: string;
  /** Id of the supplier or the buyer. */
  id: string;
  /** `2026-11-21`, in the account's time zone. */
  day: string;
  /** The `daily_ping_cap`. */
  cap: number;
  wanted: number;
}

/** A day is over in every time zone two days after it has begun in the first. */
const KEPT_MS = 3 * 86_400_000;

const countId = (one: Omit<PingCountRequest, 'cap' | 'wanted'>): string =>
  [one.kind, one.campaign_id, one.id, one.day].join(':');

export type PingCountStore = ReturnType<typeof createPingCountStore>;

export function createPingCountStore(counts: Collection<PingCountDoc>) {
  return {
    /** Counts as many as there is room for, and returns that number. */
    async grant(
      { kind, campaign_id, id, day, cap, wanted }: PingCountRequest,
      now: Date,
    ): Promise<number> {
      const count = { $ifNull: ['$count', 0] };
      const room = { $max: [0, { $min: [wanted, { $subtract: [cap, count] }] }] };
      const forget_at = { $ifNull: ['$forget_at', new Date(Number(now) + KEPT_MS)] };
      const before = await retryUpsert(() =>
        counts.findOneAndUpdate(
          { _id: countId({ kind, campaign_id, id, day }) },
          [{ $set: { count: { $add: [count, room] }, forget_at } }],
          { upsert: true, returnDocument: 'before', projection: { count: 1 } },
        ),
      );
      return Math.max(0, Math.min(wanted, cap - (before?.count ?? 0)));
    },
    /** The counts of a day, by campaign; links without any are left out. */
    async read(
      link: Pick<PingCountRequest, 'kind' | 'id' | 'day'>,
      campaignIds: readonly string[],
    ): Promise<Map<string, number>> {
      const ids = new Map(campaignIds.map((one) => [countId({ ...link, campaign_id: one }), one]));
      const found = await counts.find({ _id: { $in: [...ids.keys()] } }).toArray();
      return new Map(
        found.flatMap(({ _id, count }) => {
          const campaignId = ids.get(_id);
          return campaignId === undefined ? [] : [[campaignId, count] as const];
        }),
      );
    },
  };
}
