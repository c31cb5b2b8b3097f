/** The state of each buyer as a destination, shared by all processes: awake or not, healthy or not. */
import type { Collection } from 'mongodb';
import { failingPipeline, recoveringPipeline, type Failing } from './breakerPipelines.js';
import type { TlsTrouble } from '../../platform/outbound/tlsTrouble.js';
import type { CommandDoc } from './commandDoc.js';
import type { DestinationDoc, FailureSource } from './destinationDoc.js';
import { sendingPipeline, type SendingWave } from './sendingPipeline.js';
import { findByIds } from '../../platform/mongo/findByIds.js';
import { isDuplicateKey, retryUpsert } from '../../platform/mongo/databaseErrors.js';

const NEVER = new Date(0);
const NO_COOLDOWN = { open_until: null, retry_at: null };
const HEALTHY = { failures: 0, pauses: 0, ...NO_COOLDOWN };

export type DestinationStore = ReturnType<typeof createDestinationStore>;

export function createDestinationStore(destinations: Collection<DestinationDoc>) {
  return {
    get: (buyerIds: readonly string[]): Promise<Map<string, DestinationDoc>> =>
      findByIds(destinations, buyerIds),
    /** Until when the breakers of buyers are open, for those that are in a cooldown now. */
    async findOpenUntil(buyerIds: readonly string[], now: Date): Promise<Map<string, Date>> {
      if (buyerIds.length === 0) return new Map();
      const found = await destinations
        .find(
          { _id: { $in: [...buyerIds] }, open_until: { $gt: now } },
          { projection: { open_until: 1 } },
        )
        .toArray();
      return new Map(
        found.flatMap(({ _id, open_until }) => (open_until ? [[_id, open_until] as const] : [])),
      );
    },
    /** True for the one caller that changed the destination from asleep to awake: it must start the drain. */
    async wake(buyerId: string, orgId: string, now: Date): Promise<boolean> {
      try {
        const result = await destinations.updateOne(
          { _id: buyerId, awake: { $ne: true } },
          {
            $set: { awake: true, awake_at: now },
            $setOnInsert: { org_id: orgId, ...HEALTHY },
          },
          { upsert: true },
        );
        return result.matchedCount + result.upsertedCount > 0;
      } catch (error) {
        // The filter missed an awake destination, so the upsert met its id: another process woke it.
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    /** Withdraws the promise that a drain checks the queue soon. */
    async sleep(buyerId: string): Promise<void> {
      await destinations.updateOne({ _id: buyerId }, { $set: { awake: false } });
    },
    /** A drain is running: producers need not wake it. */
    async begin(buyerId: string, now: Date): Promise<void> {
      await destinations.updateOne({ _id: buyerId }, { $set: { awake: true, last_drain_at: now } });
    },
    /** Its queue is not drained before then, to keep its pace. */
    async pace(buyerId: string, until: Date): Promise<void> {
      await destinations.updateOne({ _id: buyerId }, { $max: { retry_at: until } });
    },
    /** A drain is about to send a wave: returns how many it may send in addition to what other drains have open. */
    async enter(buyerId: string, wave: SendingWave): Promise<number> {
      const doc = await destinations.findOneAndUpdate({ _id: buyerId }, sendingPipeline(wave), {
        returnDocument: 'after',
        projection: { sending: 1 },
      });
      // It was never woken, so no other drain has anything open.
      if (!doc) return wave.want;
      return doc.sending?.find(({ run }) => run === wave.run)?.n ?? 0;
    },
    /** None of a run's requests is open any longer. */
    async leave(buyerId: string, run: string): Promise<void> {
      await destinations.updateOne({ _id: buyerId }, { $pull: { sending: { run } } });
    },
    /**
     * Requests have failed in a row. The one call that opens the breaker writes `buyer.paused` with it. True when the
     * destination has events that are not in the outbox.
     */
    async failed(buyerId: string, failing: Failing): Promise<boolean> {
      const doc = await retryUpsert(() =>
        destinations.findOneAndUpdate({ _id: buyerId }, failingPipeline(failing), {
          upsert: true,
          returnDocument: 'after',
          projection: { events: 1 },
        }),
      );
      return (doc?.events ?? []).length > 0;
    },
    /**
     * The buyer answers again. True when it was known to fail, for the one caller that changed that; if the breaker was
     * not closed, that call has written `buyer.resumed` with it.
     * @param source the kind of request it answered; a ping is no evidence if deliveries have failed. Absent: a delivery
     */
    async recovered(
      buyerId: string,
      now: Date,
      source: FailureSource = 'delivery',
    ): Promise<boolean> {
      const failure_source = source === 'ping' ? source : undefined;
      const result = await destinations.updateOne(
        { _id: buyerId, failures: { $gt: 0 }, failure_source },
        recoveringPipeline(now),
      );
      return result.modifiedCount > 0;
    },
    /** From now on nothing is sent from its queue. */
    async hold(buyerId: string, orgId: string): Promise<void> {
      await destinations.updateOne(
        { _id: buyerId },
        {
          $set: { held: true },
          $setOnInsert: { org_id: orgId, awake: false, awake_at: NEVER, ...HEALTHY },
        },
        { upsert: true },
      );
    },
    /** Its queue is sent again at once: a hold and a cooldown end. The breaker still sends a probe first. */
    async release(buyerId: string): Promise<void> {
      await destinations.updateOne({ _id: buyerId }, { $set: { held: false, ...NO_COOLDOWN } });
    },
    /** This row is sent before any other, even while the queue is held; a cooldown ends. */
    async ask(buyerId: string, rowId: string): Promise<void> {
      await destinations.updateOne(
        { _id: buyerId },
        { $set: NO_COOLDOWN, $addToSet: { asked: rowId } },
      );
    },
    /** The drain has handled these rows. */
    async clearAsked(buyerId: string, rowIds: readonly string[]): Promise<void> {
      await destinations.updateOne({ _id: buyerId }, { $pull: { asked: { $in: [...rowIds] } } });
    },
    /** Stores the latest command on the whole queue. */
    async recordCommand({ _id, buyer_id, action, by, note, at }: CommandDoc): Promise<void> {
      await destinations.updateOne(
        { _id: buyer_id },
        { $set: { last_command: { _id, action, by, note, at } } },
      );
    },
  };
}

/** Buyers whose latest failure was that the TLS of their servers is too weak or too old, and the fault. */
export async function tlsProblems(
  destinations: Collection<DestinationDoc>,
  buyerIds: readonly string[],
): Promise<Map<string, TlsTrouble>> {
  if (buyerIds.length === 0) return new Map();
  const found = await destinations
    .find({ _id: { $in: [...buyerIds] } }, { projection: { tls: 1 } })
    .toArray();
  return new Map(found.flatMap(({ _id, tls }) => (tls ? [[_id, tls] as const] : [])));
}
