/** Delivery rows: the only permission to send, and the queues of the durable lane. */
import type { Collection, UpdateOneModel } from 'mongodb';
import type { RowWindows } from '../rules/rowWindows.js';
import { failedInserts } from '../../platform/mongo/failedInserts.js';
import type { DeliveryDoc, DeliveryState } from './deliveryDoc.js';
import { rowIdsOf } from './deliveryIndexes.js';
import { changing, settling, type RowResult } from './rowResults.js';
import { readBacklog, WAITING, type Backlog } from './waiting.js';

/** A waiting row and the windows in which it counts from now on. */
interface Waiting extends RowWindows {
  id: string;
}

/** The same, with its new address. */
export interface Resend extends Waiting {
  sent_to: string;
}

/**
 * A row whose buyer definitely did not accept the lead, the windows in which it counts, and when it may be sent. The
 * lead may have been sold since the row was opened: it then counts, and costs, as a further sale. `fence` is current.
 */
export interface Parking extends Waiting, Pick<DeliveryDoc, 'cost' | 'further' | 'fence'> {
  due_at: Date;
}

type SendTimes = Pick<DeliveryDoc, 'send_by' | 'answer_by'>;

/** A row that existed before. */
export type StandingRow = Pick<DeliveryDoc, 'buyer_id' | 'fence'>;

/** The reason of a row whose run died before it recorded an answer. */
export const NO_ANSWER_RECORDED = 'no_answer_recorded';

/** With the buyer, or waiting for it: such a row counts in the caps. Rows in other states have released their count. */
export const COUNTED_STATES: readonly DeliveryState[] = [
  'accepted',
  'parked',
  'unknown',
  'sending',
];

export type DeliveryStore = ReturnType<typeof createDeliveryStore>;

export const createDeliveryStore = (deliveries: Collection<DeliveryDoc>) => ({
  ...createAttemptStore(deliveries),
  ...createWaitingStore(deliveries),
});

/** The rows of leads that a run has acquired: opened, settled, and taken over from earlier runs. */
function createAttemptStore(deliveries: Collection<DeliveryDoc>) {
  const ofLeads = async (leadIds: readonly string[]): Promise<Map<string, DeliveryDoc[]>> => {
    if (leadIds.length === 0) return new Map();
    const ranges = leadIds.map((id) => ({ _id: rowIdsOf(id) }));
    const rows = await deliveries.find({ $or: ranges }).toArray();
    return Map.groupBy(
      rows.sort((a, b) => a.n - b.n),
      (row) => row.lead_id,
    );
  };
  return {
    /** All rows of each lead, by attempt. */
    ofLeads,
    /**
     * The same for leads that the run has acquired. It takes over failed rows first, so that a run it has overtaken can no
     * longer park one while the lead goes on to another buyer.
     */
    async acquireRows(
      leadIds: readonly string[],
      run: string,
    ): Promise<Map<string, DeliveryDoc[]>> {
      const rows = await ofLeads(leadIds);
      const others = [...rows.values()]
        .flat()
        .filter((row) => row.state === 'failed' && row.run !== run);
      if (others.length === 0) return rows;
      const failed = { _id: { $in: others.map((row) => row._id) }, state: 'failed' as const };
      await deliveries.updateMany(failed, { $set: { run } });
      return ofLeads(leadIds);
    },
    /**
     * Inserts rows and returns the rows that another run had inserted before under the same ids: for those this run has
     * no permission to send. Existing rows of the same run (a repeated call) count as inserted.
     */
    async insertAttempts(rows: readonly DeliveryDoc[]): Promise<Map<string, StandingRow>> {
      if (rows.length === 0) return new Map();
      try {
        await deliveries.insertMany([...rows], { ordered: false });
        return new Map();
      } catch (error) {
        const met = failedInserts(error, rows);
        const standing = await deliveries
          .find(
            { _id: { $in: met.map((row) => row._id) } },
            { projection: { run: 1, buyer_id: 1, fence: 1 } },
          )
          .toArray();
        const others = standing.filter(({ run }) => run !== met[0]?.run);
        return new Map(others.map(({ _id, buyer_id, fence }) => [_id, { buyer_id, fence }]));
      }
    },
    /**
     * Writes the results of rows and returns the ids for which they hold. A run may write only to rows that
     * it still holds, except for a buyer's acceptance, which is a fact whichever run receives it: on another run's row it
     * is marked, so that the sale is recorded even if this run dies before it has done so.
     */
    async settle(run: string, results: readonly RowResult[], now: Date): Promise<Set<string>> {
      if (results.length === 0) return new Set();
      const ids = idsOf(results);
      const written = await deliveries.bulkWrite(settling(results, { run }, now), {
        ordered: false,
      });
      if (written.matchedCount === ids.length) return new Set(ids);
      const accepted = results.filter(({ state }) => state === 'accepted');
      if (accepted.length > 0) {
        const late: RowResult[] = accepted.map((one) => ({
          ...one,
          set: { ...one.set, unbooked: true },
        }));
        await deliveries.bulkWrite(settling(late, { run: { $ne: run } }, now), { ordered: false });
      }
      const stored = await deliveries
        .find({ _id: { $in: ids } }, { projection: { state: 1, run: 1 } })
        .toArray();
      const rows = new Map(stored.map((row) => [row._id, row]));
      const holds = results.filter(({ id, state }) => {
        const row = rows.get(id);
        return row?.state === state && (state === 'accepted' || row.run === run);
      });
      return new Set(holds.map(({ id }) => id));
    },
    /**
     * Rows `sending` past `answer_by` become unknown, as do unanswered ones that wait to be sent again, and this run
     * takes over unknown rows, whichever run sent them: only for leads that it has acquired.
     */
    async endUnanswered(ids: readonly string[], run: string, now: Date): Promise<void> {
      if (ids.length === 0) return;
      const rows = { _id: { $in: [...ids] } };
      await deliveries.updateMany(
        { ...rows, state: 'sending', answer_by: { $lte: now } },
        changing({
          state: 'unknown',
          run,
          reason: NO_ANSWER_RECORDED,
          unanswered: true,
          settled_at: now,
        }),
      );
      const unanswered = [
        { state: 'unknown' as const },
        { state: 'parked' as const, unanswered: true as const },
      ];
      await deliveries.updateMany({ ...rows, $or: unanswered }, [
        ...changing({ state: 'unknown', run, unanswered: true }),
        { $unset: 'held' },
      ]);
    },
  };
}

/** The queues of the durable lane. */
function createWaitingStore(deliveries: Collection<DeliveryDoc>) {
  const findHeld = async (ids: readonly string[], run: string, ...states: DeliveryState[]) => {
    const rows = await deliveries
      .find({ _id: { $in: [...ids] }, run, state: { $in: states } }, { projection: { _id: 1 } })
      .toArray();
    return new Set(rows.map((row) => row._id));
  };
  /** Updates each row, and returns those that the run then holds in this state. */
  const moveEach = async <T extends { id: string }>(
    rows: readonly T[],
    run: string,
    to: DeliveryState,
    update: (row: T) => UpdateOneModel<DeliveryDoc>,
  ): Promise<Set<string>> => {
    if (rows.length === 0) return new Set();
    const updates = rows.map((row) => ({ updateOne: update(row) }));
    await deliveries.bulkWrite(updates, { ordered: false });
    return findHeld(idsOf(rows), run, to);
  };
  return {
    /** Parked rows wait until then; those that an operator holds stay as they are. */
    async putOff(ids: readonly string[], due_at: Date): Promise<void> {
      await deliveries.updateMany(
        { _id: { $in: [...ids] }, state: 'parked', held: { $ne: true } },
        { $set: { due_at } },
      );
    },
    /** Waiting rows of a buyer that may be sent now, newest first. */
    async due(buyerId: string, now: Date, limit: number): Promise<DeliveryDoc[]> {
      return deliveries
        .find({
          buyer_id: buyerId,
          state: 'parked',
          due_at: { $lte: now },
          expires_at: { $gt: now },
        })
        .sort({ created_at: -1 })
        .limit(limit)
        .toArray();
    },
    /** Waiting rows of a buyer past their age limit, oldest first. */
    async aged(buyerId: string, now: Date, limit: number): Promise<DeliveryDoc[]> {
      return deliveries
        .find({ buyer_id: buyerId, state: { $in: WAITING }, expires_at: { $lte: now } })
        .sort({ expires_at: 1 })
        .limit(limit)
        .toArray();
    },
    /** The run takes over waiting rows, whichever run had them: only the last to do so ends them. Returns them. */
    async claimWaiting(ids: readonly string[], run: string): Promise<Set<string>> {
      const waiting = { _id: { $in: [...ids] }, state: { $in: WAITING } };
      await deliveries.updateMany(waiting, { $set: { run } });
      return findHeld(ids, run, ...WAITING);
    },
    /** Ends waiting rows that the run holds, and returns those that this call ended. */
    async expire(
      ids: readonly string[],
      run: string,
      now: Date,
      reason?: string,
    ): Promise<Set<string>> {
      await deliveries.updateMany(
        { _id: { $in: [...ids] }, run, state: { $in: WAITING } },
        changing({ state: 'expired', settled_at: now, reason }),
      );
      return findHeld(ids, run, 'expired');
    },
    /** Parked rows that the run holds become failed ones: they wait no longer, and may be parked again. Returns them. */
    async unpark(ids: readonly string[], run: string, now: Date): Promise<Set<string>> {
      await deliveries.updateMany(
        { _id: { $in: [...ids] }, run, state: 'parked' },
        { $set: { state: 'failed', settled_at: now } },
      );
      return findHeld(ids, run, 'failed');
    },
    /** Failed rows that the run holds wait for their buyer again. Returns those that this run has parked. */
    park: (rows: readonly Parking[], run: string): Promise<Set<string>> =>
      moveEach(rows, run, 'parked', ({ id, reserved, reserved_apart, ...set }) => ({
        filter: { _id: id, state: 'failed', run },
        update: updating({ reserved, reserved_apart }, { ...set, state: 'parked', run }),
      })),
    /** Acquires rows for sending again; only those returned may be sent. */
    resend: (
      rows: readonly Resend[],
      run: string,
      { send_by, answer_by }: SendTimes,
    ): Promise<Set<string>> =>
      moveEach(rows, run, 'sending', ({ id, sent_to, ...windows }) => ({
        filter: { _id: id, state: 'parked' },
        update: {
          ...updating(windows, { state: 'sending', run, send_by, answer_by, sent_to }),
          $inc: { tries: 1 },
        },
      })),
    /** How many rows wait for the buyer, each kind counted up to `limit`, and when the next ones are due and end. */
    backlog: (buyerId: string, limit: number): Promise<Backlog> =>
      readBacklog(deliveries, buyerId, limit),
  };
}

/** The update of a row that counts in these windows from now on. */
const updating = ({ reserved, reserved_apart }: RowWindows, set: Partial<DeliveryDoc>) => ({
  $set: { ...set, reserved, reserved_apart },
  $unset: reserved_apart ? undefined : { reserved_apart: true as const },
});

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);
