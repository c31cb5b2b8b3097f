/** Attempts of buyers, kept by day and counted one by one. */
import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { createDeliveryStore } from '../../src/deliveries/store/deliveries.js';
import type { DeliveryDoc, DeliveryState } from '../../src/deliveries/store/deliveryDoc.js';
import { dayAfter, daysBetween } from '../../src/fields/days.js';
import { windowKeys } from '../../src/fields/windowKeys.js';
import { readAttemptDays } from '../../src/reports/attemptDays.js';
import {
  advanceAttemptDays,
  enrollBuyers,
  type KeepDeps,
} from '../../src/reports/keepAttemptDays.js';
import {
  NO_ATTEMPTS,
  withAttempts,
  type AttemptSpan,
  type AttemptSums,
} from '../../src/reports/rules/attemptSums.js';
import { openDatabase, type TestDatabase } from '../support/database.js';
import { aRow } from '../support/storedRows.js';

export const ZONE = 'America/New_York';
/** Noon in New York on the 20th, years ago, so that any change now is a late one. */
export const NOON = new Date('2024-06-20T16:00:00Z');
const OWN = {
  run: 'run-1',
  org_id: 'org',
  buyer_id: 'buyer',
  campaign_id: 'campaign',
  reserved: windowKeys(NOON, ZONE),
};

/** A database with one organization and its buyer, on a clock that stands still. */
export function openAttempts() {
  let database: TestDatabase;
  let now = NOON;
  const clock = { now: () => now, monotonic: () => performance.now() };

  beforeAll(async () => {
    database = await openDatabase({ monitorCommands: true });
  });
  beforeEach(async () => {
    now = NOON;
    const { orgs, buyers, deliveries, attemptDays, attemptSpans } = database.collections;
    for (const one of [orgs, buyers, deliveries, attemptDays, attemptSpans])
      await (one as typeof deliveries).deleteMany({});
    await orgs.insertOne({
      _id: 'org',
      name: 'Org',
      time_zone: ZONE,
      currency: 'USD',
      created_at: NOON,
    });
    await addBuyer('buyer');
  });
  afterAll(() => database.drop());

  const addBuyer = (_id: string) =>
    database.collections.buyers.insertOne({ _id, org_id: 'org', name: _id } as never);
  const deps = (): KeepDeps => ({
    collections: database.collections,
    clock,
    stopping: () => false,
    pause: () => Promise.resolve(),
  });
  const span = (more: Partial<AttemptSpan> = {}): AttemptSpan => ({
    buyer_id: 'buyer',
    org_id: 'org',
    time_zone: ZONE,
    from: '2024-05-22',
    to: '2024-06-20',
    ...more,
  });
  const read = (more: Partial<AttemptSpan> = {}) => readAttemptDays(deps(), span(more));
  return {
    deps,
    span,
    read,
    addBuyer,
    database: () => database,
    setNow: (at: Date) => {
      now = at;
    },
    /** Stores a row that was opened at that time. */
    send: async (at: string | Date, more: Partial<DeliveryDoc> = {}): Promise<string> => {
      const row = aRow({ ...OWN, state: 'accepted', created_at: new Date(at), ...more });
      await database.collections.deliveries.insertOne(row);
      return row._id;
    },
    settle: (id: string, state: DeliveryState) =>
      createDeliveryStore(database.collections.deliveries).settle('run-1', [{ id, state }], now),
    /** Runs the keeper until it has no work left. */
    keep: async (some: KeepDeps = deps()) => {
      await enrollBuyers(some);
      while ((await advanceAttemptDays(some, { withinMs: 5_000 })) > 0);
    },
    /** Compares the sums read with the rows, each counted by itself. */
    expectRight: async (more: Partial<AttemptSpan> = {}) => {
      const found = await read(more);
      const rows = await database.collections.deliveries.find().toArray();
      expect(found).toEqual(straight(rows, span(more)));
    },
  };
}

function straight(rows: readonly DeliveryDoc[], span: AttemptSpan): Map<string, AttemptSums> {
  const { from, to, buyer_id, campaign_id, time_zone } = span;
  const days = Array.from({ length: daysBetween(from, to) }, (_, n) => dayAfter(from, n));
  const sums = new Map(days.map((day) => [day, NO_ATTEMPTS]));
  for (const row of rows) {
    if (row.buyer_id !== buyer_id || row.campaign_id !== (campaign_id ?? row.campaign_id)) continue;
    // A test lead reserves nothing.
    if (row.reserved === null) continue;
    const { day } = windowKeys(row.created_at, time_zone);
    const before = sums.get(day);
    if (before) sums.set(day, withAttempts(before, row.state, 1));
  }
  return sums;
}
