/** Events on their way to automations: taking them to be sent, and writing down what came of it. */
import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import { PASSING } from '../../deliveries/rules/delivery.js';
import type { EventDeliveryDoc } from './automationDocs.js';
import { insertNew } from '../../platform/mongo/insertNew.js';

const DAY_MS = 86_400_000;
/** What does not arrive is tried for so long (contract 8.3), in milliseconds. */
const TRIED_FOR_MS = 3 * DAY_MS;

/** A failure after that parks a delivery that is first due, or resent, now. */
export const giveUpAt = (now: Date): Date => new Date(Number(now) + TRIED_FOR_MS);

/** What one attempt came to. `again` puts it back, to be due then; `unsent` as if it had not been taken. */
export type EventResult = Pick<EventDeliveryDoc, '_id' | 'http_status' | 'reason'> &
  (
    | { kind: 'delivered'; at: Date }
    | { kind: 'again' | 'unsent'; due_at: Date }
    | { kind: 'parked' }
  );

export type EventPlace = Pick<EventDeliveryDoc, '_id' | 'lead_id' | 'ord' | 'due_at' | 'run'>;

export interface EventDeliveryStore {
  /** Those that are there already stay as they are. */
  add(docs: readonly EventDeliveryDoc[]): Promise<void>;
  /** The longest due first. */
  due(automationId: string, now: Date, limit: number): Promise<EventDeliveryDoc[]>;
  /** All that wait of these leads, in the order in which they happened. */
  ofLeads(automationId: string, leadIds: readonly string[]): Promise<EventPlace[]>;
  /** Takes due ones for a run, until then nobody else may. Returns the ids of those that are the run's. */
  acquire(
    ids: readonly string[],
    run: string,
    until: Date,
    now: Date,
  ): Promise<ReadonlySet<string>>;
  /** Of those that are a run's own, the ids of those that were begun to be sent before. */
  repeats(ids: readonly string[], run: string): Promise<ReadonlySet<string>>;
  /** Only of what is still the run's own. */
  settle(run: string, results: readonly EventResult[]): Promise<void>;
  /**
   * What waits for its next try need not wait any longer; the oldest go first. What its receiver refused keeps its
   * back-off: that the receiver has recovered is no news for it.
   */
  makeDue(automationId: string, now: Date): Promise<void>;
  /** None of these goes before its time; what has been taken meanwhile stays as it is. */
  putOff(rows: readonly Pick<EventDeliveryDoc, '_id' | 'due_at'>[]): Promise<void>;
  /** What was put off for an event of these leads, and never tried, need not wait for it any longer. */
  releasePutOff(automationId: string, leadIds: readonly string[], now: Date): Promise<void>;
  /** Nothing is sent to it any more. Returns how many there were. */
  deadLetterAll(automationId: string, reason: string): Promise<number>;
  /** When the next is due; null where none waits. */
  nextDue(automationId: string): Promise<Date | null>;
  /** How many wait, counted up to a limit. */
  countWaiting(automationId: string, limit: number): Promise<number>;
  /** Automations with deliveries that should have been sent before then, and whose they are. */
  overdue(before: Date): Promise<Map<string, string>>;
}

const WAITING = { state: 'waiting' } as const;

/** Its last attempt was answered with a no to this one event (`isAnswered`). */
const REFUSED = { http_status: { $gte: 400, $lt: 500, $nin: [...PASSING] } };

export function createEventDeliveryStore(rows: Collection<EventDeliveryDoc>): EventDeliveryStore {
  return {
    add: (docs) => insertNew(rows, docs),
    async due(automation_id, now, limit) {
      return rows
        .find({ ...WAITING, automation_id, due_at: { $lte: now } })
        .sort({ due_at: 1 })
        .limit(limit)
        .toArray();
    },
    async ofLeads(automation_id, leadIds) {
      return rows
        .find({ ...WAITING, automation_id, lead_id: { $in: [...leadIds] } })
        .sort({ lead_id: 1, ord: 1 })
        .project<EventPlace>({ lead_id: 1, ord: 1, due_at: 1, run: 1 })
        .toArray();
    },
    async acquire(ids, run, until, now) {
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
    async repeats(ids, run) {
      const found = await rows
        .find({ _id: { $in: [...ids] }, run, attempts: { $gt: 1 } }, { projection: { _id: 1 } })
        .toArray();
      return new Set(found.map(({ _id }) => _id));
    },
    async settle(run, results) {
      if (results.length === 0) return;
      await rows.bulkWrite(
        results.map((result) => settling(run, result)),
        { ordered: false },
      );
    },
    async makeDue(automation_id, now) {
      await rows.updateMany(
        {
          ...WAITING,
          automation_id,
          due_at: { $gt: now },
          run: { $exists: false },
          $nor: [REFUSED],
        },
        [{ $set: { due_at: '$created_at' } }],
      );
    },
    async putOff(later) {
      if (later.length === 0) return;
      await rows.bulkWrite(
        later.map(({ _id, due_at }) => ({
          updateOne: {
            filter: { _id, ...WAITING, run: { $exists: false } },
            update: { $max: { due_at } },
          },
        })),
        { ordered: false },
      );
    },
    async releasePutOff(automation_id, leadIds, now) {
      if (leadIds.length === 0) return;
      await rows.updateMany(
        { ...WAITING, automation_id, lead_id: { $in: [...leadIds] }, attempts: 0 },
        { $min: { due_at: now } },
      );
    },
    async deadLetterAll(automation_id, reason) {
      const { modifiedCount } = await rows.updateMany(
        { ...WAITING, automation_id },
        { $set: { state: 'parked', reason }, $unset: { run: 1 } },
      );
      return modifiedCount;
    },
    async nextDue(automation_id) {
      const [first] = await rows
        .find({ ...WAITING, automation_id }, { projection: { due_at: 1 } })
        .sort({ due_at: 1 })
        .limit(1)
        .toArray();
      return first?.due_at ?? null;
    },
    async countWaiting(automation_id, limit) {
      return rows.countDocuments({ ...WAITING, automation_id }, { limit });
    },
    async overdue(before) {
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

function settling(run: string, result: EventResult): AnyBulkWriteOperation<EventDeliveryDoc> {
  const { _id, http_status, reason } = result;
  const said = { ...(http_status === undefined ? {} : { http_status }) };
  const filter = { _id, run, ...WAITING };
  const why = { ...said, ...(reason === undefined ? {} : { reason }) };
  switch (result.kind) {
    case 'delivered':
      return {
        updateOne: {
          filter,
          update: {
            $set: { state: 'delivered', delivered_at: result.at, ...said },
            $unset: { run: 1, reason: 1 },
          },
        },
      };
    case 'again':
      return {
        updateOne: {
          filter,
          update: {
            $set: { due_at: result.due_at, ...why },
            // What an earlier attempt was answered says nothing about this one.
            $unset: { run: 1, ...(http_status === undefined ? { http_status: 1 } : {}) },
          },
        },
      };
    case 'unsent':
      return {
        updateOne: {
          filter,
          update: { $set: { due_at: result.due_at }, $unset: { run: 1 }, $inc: { attempts: -1 } },
        },
      };
    case 'parked':
      return {
        updateOne: { filter, update: { $set: { state: 'parked', ...why }, $unset: { run: 1 } } },
      };
  }
}
