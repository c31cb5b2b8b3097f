import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { expireDue } from '../../src/pings/expire.js';
import { expireOverdue, publishAbandoned } from '../../src/pings/repair/pings.js';
import { systemClock, type Clock } from '../../src/lib/clock.js';
import type { Collections } from '../../src/app/database.js';
import type { PingEvent } from '../../src/events/store/eventDocs.js';
import { createPingExpiryStore } from '../../src/pings/store/pingExpiry.js';
import { openDatabase } from '../support/database.js';
import { dying } from '../reports/rolled.js';
import { after, before, NOW } from '../support/storedRows.js';
import { aPing } from '../support/pingBuilders.js';

describe('pings expire', () => {
  let database: Awaited<ReturnType<typeof openDatabase>>;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    const { pings, events } = database.collections;
    await Promise.all([pings.deleteMany({}), events.deleteMany({})]);
  });

  const clock: Clock = { ...systemClock, now: () => after(1_000) };
  const expire = async (
    collections: Collections = database.collections,
    inTime = () => true,
  ): Promise<{ expired: number; isOver: boolean }> => {
    const { pings, isOver } = await expireDue(NOW, { collections, clock }, inTime);
    return { expired: pings.length, isOver };
  };
  const stored = (...pings: Parameters<typeof aPing>[0][]) =>
    database.collections.pings.insertMany(pings.map((ping) => aPing(ping)));
  const events = async (): Promise<PingEvent[]> =>
    (await database.collections.events.find().toArray()).filter(
      (event) => event.type === 'ping.expired',
    );
  /** Every expired ping is in one event, and no ping is marked any more. */
  const expectTold = async (): Promise<void> => {
    const { pings } = database.collections;
    const expired = await pings.find({ state: 'expired' }).toArray();
    const told = await events();
    const ids = told.flatMap(({ data }) => data.ping_ids);
    expect(ids.toSorted()).toEqual(expired.map(({ _id }) => _id).toSorted());
    expect(told.every(({ data }) => data.count === data.ping_ids.length)).toBe(true);
    expect(await pings.countDocuments({ untold: { $exists: true } })).toBe(0);
    expect(await pings.countDocuments({ state: 'open', expires_at: { $lte: NOW } })).toBe(0);
  };

  it('that are open past their expiry, and no others', async () => {
    await stored(
      { _id: 'over', expires_at: before(1) },
      { _id: 'now', expires_at: NOW },
      { _id: 'later', expires_at: after(1) },
      { _id: 'redeemed', expires_at: before(1), state: 'redeemed', lead_id: 'lead' },
      { _id: 'refused', expires_at: before(1), state: 'refused' },
    );
    expect(await expire()).toEqual({ expired: 2, isOver: true });
    const { pings } = database.collections;
    const states = await pings.find().sort({ _id: 1 }).toArray();
    expect(states.map(({ _id, state }) => [_id, state])).toEqual([
      ['later', 'open'],
      ['now', 'expired'],
      ['over', 'expired'],
      ['redeemed', 'redeemed'],
      ['refused', 'refused'],
    ]);
    expect(await pings.findOne({ _id: 'now' })).toMatchObject({ expired_at: after(1_000) });
    await expectTold();
  });

  it('with one event for those of a campaign and supplier, without anything about people', async () => {
    await stored(
      { _id: 'a', expires_at: NOW },
      { _id: 'b', expires_at: NOW },
      { _id: 'c', expires_at: NOW, supplier_id: 'another' },
      { _id: 'd', expires_at: NOW, org_id: 'other', campaign_id: 'second' },
    );
    await expire();
    const told = await events();
    const of = { campaign_id: 'campaign', supplier_id: 'supplier' };
    expect(told.map(({ org_id, data }) => ({ org_id, ...data }))).toEqual(
      expect.arrayContaining([
        { org_id: 'org', ...of, ping_ids: ['a', 'b'], count: 2 },
        { org_id: 'org', ...of, supplier_id: 'another', ping_ids: ['c'], count: 1 },
        { org_id: 'other', ...of, campaign_id: 'second', ping_ids: ['d'], count: 1 },
      ]),
    );
    expect(told).toHaveLength(3);
    expect(told[0]).toMatchObject({ type: 'ping.expired', created_at: after(1_000) });
  });

  it('a thousand at a time, and all of them', async () => {
    await stored(...Array.from({ length: 1_100 }, (_, n) => ({ expires_at: before(n) })));
    expect(await expire()).toMatchObject({ expired: 1_100, isOver: true });
    expect((await events()).map(({ data }) => data.count)).toEqual(
      expect.arrayContaining([1_000, 100]),
    );
    await expectTold();
  });

  it('once when the call is repeated or concurrent', async () => {
    await stored(...Array.from({ length: 1_050 }, (_, n) => ({ expires_at: before(n) })));
    await Promise.all([expire(), expire(), expire()]);
    await expectTold();
    expect(await expire()).toMatchObject({ expired: 0, isOver: true });
  });

  it('not any more when the time of the call is over, and the workflow calls again', async () => {
    await stored({ expires_at: NOW });
    expect(await expire(database.collections, () => false)).toMatchObject({
      expired: 0,
      isOver: false,
    });
    expect(await expire()).toMatchObject({ expired: 1, isOver: true });
  });

  it.each(['before', 'midway', 'after'] as const)(
    'with their event once, wherever the process dies (%s a call)',
    async (how) => {
      let call = 1;
      for (let isOver = false; !isOver; call++) {
        await stored({ expires_at: NOW }, { expires_at: NOW, supplier_id: `another-${call}` });
        const process = dying(database.collections, call, how);
        await expire(process.collections).catch((error: unknown) => {
          if (!process.isDead()) throw error;
        });
        isOver = !process.isDead();
        await expire();
        await expectTold();
      }
      expect(call).toBeGreaterThan(7);
    },
  );

  describe('of a batch that was not fully marked when its event was published', () => {
    const mark = (_id: string) =>
      database.collections.pings.updateOne(
        { _id },
        { $set: { state: 'expired', untold: 'batch', expired_at: after(1) } },
      );
    /** Publishes like the real outbox: an event already published under an id is not published again. */
    const listener = () => {
      const heard = new Map<string, string[]>();
      const store = createPingExpiryStore(database.collections, (told) => {
        for (const { _id, data } of told) if (!heard.has(_id)) heard.set(_id, data.ping_ids);
        return Promise.resolve();
      });
      return { heard, store };
    };

    it('get a further event, and the first one does not change', async () => {
      await stored({ _id: 'early', expires_at: NOW }, { _id: 'late', expires_at: NOW });
      const { heard, store } = listener();
      await mark('early');
      expect(await store.publishMarked(after(2))).toHaveLength(1);
      await mark('late');
      expect(await store.publishMarked(after(2))).toHaveLength(1);
      expect([...heard.values()]).toEqual([['early'], ['late']]);
      expect((await events()).map(({ _id, data }) => [_id, data.ping_ids])).toEqual([...heard]);
      await expectTold();
    });

    it('get the same events when the publishing process died before it removed the marks', async () => {
      await stored({ _id: 'early', expires_at: NOW }, { _id: 'late', expires_at: NOW });
      const { heard, store } = listener();
      await mark('early');
      const dead = createPingExpiryStore(database.collections, () =>
        Promise.reject(new Error('killed')),
      );
      await expect(dead.publishMarked(after(2))).rejects.toThrow('killed');
      await mark('late');
      expect(await store.publishMarked(after(2))).toHaveLength(2);
      expect([...heard.values()]).toEqual([['early'], ['late']]);
      await mark('early');
      await mark('late');
      expect(await store.publishMarked(after(2))).toHaveLength(2);
      expect((await events()).map(({ _id, data }) => [_id, data.ping_ids])).toEqual([...heard]);
      await expectTold();
    });

    it('are each in one event, however many processes publish while they are marked', async () => {
      const ids = Array.from({ length: 40 }, (_, n) => `ping-${String(n).padStart(2, '0')}`);
      await stored(...ids.map((_id) => ({ _id, expires_at: NOW })));
      const { heard, store } = listener();
      const marking = ids.map((id) => mark(id));
      const telling = Array.from({ length: 8 }, () => store.publishMarked(after(2)));
      await Promise.all([...marking, ...telling]);
      await Promise.all([store.publishMarked(after(2)), store.publishMarked(after(2))]);
      expect([...heard.values()].flat().toSorted()).toEqual(ids);
      await expectTold();
    });
  });

  describe('by reconcile when no process has expired them', () => {
    const deps = () => ({ collections: database.collections, clock });

    it('a while after their minute, and not before', async () => {
      await stored(
        { _id: 'left', expires_at: before(90_000) },
        { _id: 'seen-to', expires_at: before(60_000) },
      );
      expect(await expireOverdue(deps())).toBe(1);
      expect(await expireOverdue(deps())).toBe(0);
      expect(await events()).toMatchObject([{ data: { ping_ids: ['left'] } }]);
    });

    it('publishing what was marked a minute ago and not published', async () => {
      const expired = { state: 'expired', untold: 'batch' } as const;
      await stored(
        { _id: 'left', ...expired, expired_at: before(60_000) },
        { _id: 'under-way', ...expired, expired_at: before(1_000) },
      );
      expect(await publishAbandoned(deps())).toBe(1);
      expect(await publishAbandoned(deps())).toBe(0);
      expect(await events()).toMatchObject([{ data: { ping_ids: ['left'] } }]);
    });
  });
});
