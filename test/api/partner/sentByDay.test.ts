import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createSentByDay, type SentSpan } from '../../../src/api/partner/buyer/sentByDay.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';
import { aRow } from '../../support/storedRows.js';

describe('what a buyer was sent by day', () => {
  let database: TestDatabase;
  let now = new Date('2026-11-21T12:00:00Z');
  let monotonic = 0;
  const clock = { now: () => now, monotonic: () => monotonic };
  const sentByDay = () => createSentByDay(database.collections, clock);
  const span: SentSpan = {
    buyer_id: 'buyer',
    org_id: 'org',
    time_zone: 'America/New_York',
    from: '2026-11-01',
    to: '2026-11-21',
    campaign_id: undefined,
  };
  const sendAt = (at: string, more: Parameters<typeof aRow>[0] = {}) =>
    database.collections.deliveries.insertOne(
      aRow({ state: 'accepted', created_at: new Date(at), ...more }),
    );

  beforeAll(async () => {
    database = await openDatabase();
  });
  beforeEach(async () => {
    now = new Date('2026-11-21T12:00:00Z');
    await database.collections.deliveries.deleteMany({});
  });
  afterAll(() => database.drop());

  it('counts by the day of the time zone, each end by its meaning', async () => {
    await sendAt('2026-11-02T04:59:00Z');
    await sendAt('2026-11-02T05:01:00Z', { state: 'rejected' });
    await sendAt('2026-11-02T06:00:00Z', { state: 'abandoned' });
    await sendAt('2026-11-02T06:00:00Z', { buyer_id: 'another' });
    await sendAt('2026-11-20T12:00:00Z', { campaign_id: 'second' });
    const all = await sentByDay().read(span);
    expect(all.get('2026-11-01')).toEqual({ accepted: 1, rejected: 0, unanswered: 0 });
    expect(all.get('2026-11-02')).toEqual({ accepted: 0, rejected: 1, unanswered: 1 });
    expect(all.get('2026-11-20')).toEqual({ accepted: 1, rejected: 0, unanswered: 0 });
    const one = await sentByDay().read({ ...span, campaign_id: 'second' });
    expect([...one.values()].reduce((sum, { accepted }) => sum + accepted, 0)).toBe(1);
  });

  it('counts today anew each time, and a day that is over again after five minutes', async () => {
    const sent = sentByDay();
    await sent.read(span);
    await sendAt('2026-11-20T12:00:00Z');
    await sendAt('2026-11-21T11:00:00Z');
    monotonic += 299_000;
    const soon = await sent.read(span);
    expect([soon.get('2026-11-20')?.accepted, soon.get('2026-11-21')?.accepted]).toEqual([0, 1]);
    monotonic += 2_000;
    const later = await sent.read(span);
    expect([later.get('2026-11-20')?.accepted, later.get('2026-11-21')?.accepted]).toEqual([1, 1]);
  });

  it('counts a day as over only once it is over in the time zone', async () => {
    now = new Date('2026-11-22T04:30:00Z');
    const sent = sentByDay();
    await sent.read(span);
    await sendAt('2026-11-22T04:20:00Z');
    expect((await sent.read(span)).get('2026-11-21')?.accepted).toBe(1);
  });
});
