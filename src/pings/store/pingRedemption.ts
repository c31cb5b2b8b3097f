/** Redeems pings: each by one lead, however many ask at the same time (contract 5.5). Nothing is ever released. */
import type { AnyBulkWriteOperation } from 'mongodb';
import { findByIds } from '../../platform/mongo/findByIds.js';
import type { RedeemablePing } from '../rules/redeeming.js';
import type { LeadCollections } from '../../leads/store/collections.js';
import type { PingCollections } from './collections.js';
import { readHolders, type Holder } from '../../leads/store/holders.js';
import type { PingDoc } from './pingDocs.js';

/** A stored lead, and the ping that it wants. */
export interface Redemption {
  ping_id: string;
  lead_id: string;
  /** The lead that had it, and that no run acquired; null: no lead had it. */
  from: string | null;
  /** Whether reports count the ping, so that it must be marked for them. */
  counts: boolean;
}

const PING_FIELDS = {
  state: 1,
  is_test: 1,
  bids: 1,
  digests: 1,
  reveal_buyers: 1,
  expires_at: 1,
  lead_id: 1,
} as const;

export type PingRedemption = ReturnType<typeof createPingRedemption>;

export const createPingRedemption = ({
  pings,
  leads,
  answered,
}: Pick<LeadCollections & PingCollections, 'leads' | 'answered' | 'pings'>) => ({
  /** The stored pings of these ids. */
  read: (ids: readonly string[]): Promise<Map<string, RedeemablePing>> =>
    findByIds<PingDoc, RedeemablePing>(pings, ids, { projection: PING_FIELDS }),
  /** The stored leads that have a ping. */
  holders: (leadIds: readonly string[]): Promise<Map<string, Holder>> =>
    readHolders({ leads, answered }, leadIds),
  /**
   * Redeems each ping that has not changed since it was read and has not expired, by compare-and-set. Repeating it
   * changes nothing.
   * @returns the leads that have their ping now
   */
  async redeem(wanted: readonly Redemption[], now: Date): Promise<Set<string>> {
    if (wanted.length === 0) return new Set();
    await pings.bulkWrite(
      wanted.map((one) => redeeming(one, now)),
      { ordered: false },
    );
    const ids = wanted.map(({ ping_id }) => ping_id);
    const held = await pings.find({ _id: { $in: ids } }, { projection: { lead_id: 1 } }).toArray();
    const holders = new Set(held.map(({ lead_id }) => lead_id));
    return new Set(wanted.map(({ lead_id }) => lead_id).filter((id) => holders.has(id)));
  },
});

function redeeming(
  { ping_id, lead_id, from, counts }: Redemption,
  now: Date,
): AnyBulkWriteOperation<PingDoc> {
  const set = { state: 'redeemed', lead_id, redeemed_at: now } as const;
  const inTime = { _id: ping_id, expires_at: { $gt: now } };
  if (from !== null) {
    const filter = { ...inTime, state: 'redeemed' as const, lead_id: from };
    return { updateOne: { filter, update: { $set: set } } };
  }
  const update = counts
    ? { $set: { ...set, uncounted: true as const }, $inc: { changes: 1 } }
    : { $set: set };
  return { updateOne: { filter: { ...inTime, state: 'open' }, update } };
}
