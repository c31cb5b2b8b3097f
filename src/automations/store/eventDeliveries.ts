/** Events on their way to automations: acquires them for sending, and records their results. */
import type { Collection, UpdateFilter } from 'mongodb';
import { PASSING } from '../../deliveries/rules/delivery.js';
import type { AutomationDoc } from '../../account/store/automationDocs.js';
import type { EventDeliveryDoc } from './automationDocs.js';
import { insertNew } from '../../platform/mongo/insertNew.js';

const DAY_MS = 86_400_000;
/** How long a failing delivery is retried (contract 8.3), in milliseconds. */
const TRIED_FOR_MS = 3 * DAY_MS;

/** A failure after that parks a delivery that is first due, or resent, now. */
export const giveUpAt = (now: Date): Date => new Date(Number(now) + TRIED_FOR_MS);

/** The same of a delivery that may have waited while its automation was paused: that time is no time of trying. */
export const givesUpAt = (
  { give_up_at }: Pick<EventDeliveryDoc, 'give_up_at'>,
  { resumed_at }: Pick<AutomationDoc, 'resumed_at'>,
): Date => {
  const resumed = resumed_at ? giveUpAt(resumed_at) : give_up_at;
  return resumed > give_up_at ? resumed : give_up_at;
};

/** The result of one attempt. `again` makes it due later; `unsent` as if it had not been acquired. */
export type EventResult = Pick<EventDeliveryDoc, '_id' | 'http_status' | 'reason'> &
  (
    | { kind: 'delivered'; at: Date }
    | { kind: 'again' | 'unsent'; due_at: Date }
    | { kind: 'parked' }
  );

export type EventPlace = Pick<EventDeliveryDoc, '_id' | 'lead_id' | 'ord' | 'due_at' | 'run'>;

const WAITING = { state: 'waiting' } as const;

/** The receiver refused this one event at its last attempt (`isAnswered`). */
const REFUSED = { http_status: { $gte: 400, $lt: 500, $nin: [...PASSING] } };

export type EventDeliveryStore = ReturnType<typeof createEventDeliveryStore>;

/** Dead-lettered ones of the whole installation, counted up to `limit`. */
export const countDeadLettered = (
  rows: Collection<EventDeliveryDoc>,
  limit: number,
): Promise<number> => rows.countDocuments({ state: 'parked' }, { limit });

export function createEventDeliveryStore(rows: Collection<EventDeliveryDoc>) {
  return {
    /** Existing ones stay as they are. */
    add: (docs: readonly EventDeliveryDoc[]): Promise<void> => insertNew(rows, docs),
    /** The longest due first. */
    due: async (automation_id: string, now: Date, limit: number) =>
      rows
        .find({ ...WAITING, automation_id, due_at: { $lte: now } })
        .sort({ due_at: 1 })
        .limit(limit)
        .toArray(),
    /** All waiting ones of these leads, in the order in which the events happened. */
    ofLeads: async (automation_id: string, leadIds: readonly string[]) =>
      rows
        .find({ ...WAITING, automation_id, lead_id: { $in: [...leadIds] } })
        .sort({ lead_id: 1, ord: 1 })
        .project<EventPlace>({ lead_id: 1, ord: 1, due_at: 1, run: 1 })
        .toArray(),
    /** Acquires due ones for a run, exclusively until then. Returns the ids that it has acquired. */
    async acquire(
      ids: readonly string[],
      run: string,
      until: Date,
      now: Date,
    ): Promise<ReadonlySet<string>> {
      if (ids.length === 0) return new Set();
      const { modifiedCount } = await rows.updateMany(
        { _id: { $in: [...ids] }, ...WAITING, due_at: { $lte: now } },
        { $set: { run, due_at: until, sent_at: now }, $inc: { attempts: 1 } },
      );
      if (modifiedCount === ids.length) return new Set(ids);
      const mine = await rows
        .find({ _id: { $in: [...ids] }, run }, { projection: { _id: 1 } })
        .toArray();
      return new Set(mine.map(({ _id }) => _id));
    },
    /** Those among the deliveries of a run for which an earlier attempt was begun. */
    async repeats(ids: readonly string[], run: string): Promise<ReadonlySet<string>> {
      const found = await rows
        .find({ _id: { $in: [...ids] }, run, attempts: { $gt: 1 } }, { projection: { _id: 1 } })
        .toArray();
      return new Set(found.map(({ _id }) => _id));
    },
    /** Only for deliveries that the run still holds. */
    async settle(run: string, results: readonly EventResult[]): Promise<void> {
      if (results.length === 0) return;
      const updates = results.map((result) => ({
        updateOne: { filter: { _id: result._id, run, ...WAITING }, update: recording(result) },
      }));
      await rows.bulkWrite(updates, { ordered: false });
    },
    /**
     * Waiting retries become due; the oldest go first. Events that the receiver refused keep their
     * back-off: the recovery of the receiver does not concern them.
     */
    async makeDue(automation_id: string, now: Date): Promise<void> {
      const resting = { due_at: { $gt: now }, run: { $exists: false }, $nor: [REFUSED] };
      await rows.updateMany({ ...WAITING, automation_id, ...resting }, [
        { $set: { due_at: '$created_at' } },
      ]);
    },
    /** None of these is sent before its new time; those acquired meanwhile stay as they are. */
    async putOff(later: readonly Pick<EventDeliveryDoc, '_id' | 'due_at'>[]): Promise<void> {
      if (later.length === 0) return;
      const free = { ...WAITING, run: { $exists: false } };
      const updates = later.map(({ _id, due_at }) => ({
        updateOne: { filter: { _id, ...free }, update: { $max: { due_at } } },
      }));
      await rows.bulkWrite(updates, { ordered: false });
    },
    /** Deliveries that were put off for an event of these leads, and never tried, become due. */
    async releasePutOff(
      automation_id: string,
      leadIds: readonly string[],
      now: Date,
    ): Promise<void> {
      if (leadIds.length === 0) return;
      await rows.updateMany(
        { ...WAITING, automation_id, lead_id: { $in: [...leadIds] }, attempts: 0 },
        { $min: { due_at: now } },
      );
    },
    /** Nothing is sent to it any longer. Returns the number of dead-lettered deliveries. */
    async deadLetterAll(automation_id: string, reason: string): Promise<number> {
      const { modifiedCount } = await rows.updateMany(
        { ...WAITING, automation_id },
        { $set: { state: 'parked', reason }, $unset: { run: 1 } },
      );
      return modifiedCount;
    },
    /** When the next is due; null where none waits. */
    async nextDue(automation_id: string): Promise<Date | null> {
      const options = { projection: { due_at: 1 }, sort: { due_at: 1 } } as const;
      const first = await rows.findOne({ ...WAITING, automation_id }, options);
      return first?.due_at ?? null;
    },
    /** Number of waiting ones, counted up to a limit. */
    countWaiting: async (automation_id: string, limit: number) =>
      rows.countDocuments({ ...WAITING, automation_id }, { limit }),
    /** Automations with deliveries that should have been sent before then, and their organizations. */
    async overdue(before: Date): Promise<Map<string, string>> {
      const first = await rows
        .aggregate<{ _id: string; org_id: string; at: Date }>([
          { $match: WAITING },
          { $sort: { automation_id: 1, due_at: 1 } },
          {
            $group: {
              _id: '$automation_id',
              org_id: { $first: '$org_id' },
              at: { $first: '$due_at' },
            },
          },
        ])
        .toArray();
      const late = first.filter(({ at }) => at < before);
      return new Map(late.map(({ _id, org_id }) => [_id, org_id]));
    },
  };
}

function recording(result: EventResult): UpdateFilter<EventDeliveryDoc> {
  const { http_status, reason } = result;
  switch (result.kind) {
    case 'delivered':
      return {
        $set: { state: 'delivered', delivered_at: result.at, http_status },
        $unset: { run: 1, reason: 1 },
      };
    case 'again':
      return {
        $set: { due_at: result.due_at, http_status, reason },
        // The answer to an earlier attempt does not apply to this one.
        $unset: { run: 1, ...(http_status === undefined ? { http_status: 1 } : {}) },
      };
    case 'unsent':
      return { $set: { due_at: result.due_at }, $unset: { run: 1 }, $inc: { attempts: -1 } };
    case 'parked':
      return { $set: { state: 'parked', http_status, reason }, $unset: { run: 1 } };
  }
}
