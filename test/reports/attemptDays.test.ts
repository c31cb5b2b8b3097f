import { describe, expect, it } from '@jest/globals';
import { dayAfter } from '../../src/fields/days.js';
import { dropChangedDays } from '../../src/reports/keepAttemptDays.js';
import { keepReports } from '../../src/reports/keepReports.js';
import { createLog } from '../../src/lib/log.js';
import { waitFor } from '../support/waitFor.js';
import type { Collections } from '../../src/app/database.js';
import { NOON, openAttempts, ZONE } from './attempts.js';

describe('attempts by day', () => {
  const { database, deps, read, send, settle, keep, expectRight, setNow } = openAttempts();
  const stored = (day: string) =>
    database().collections.attemptDays.findOne({ _id: `buyer:${day}` });
  const through = async () =>
    (await database().collections.attemptSpans.findOne({ _id: 'buyer' }))?.days?.through;

  it('counts by the day of the time zone, each end by its meaning', async () => {
    await send('2024-06-02T03:59:00Z');
    await send('2024-06-02T04:01:00Z', { state: 'rejected' });
    await send('2024-06-02T06:00:00Z', { state: 'abandoned' });
    await send('2024-06-02T06:00:00Z', { state: 'parked' });
    for (let turn = 0; turn < 2; turn++) {
      const days = await read();
      expect(days.get('2024-06-01')).toEqual({ accepted: 1, rejected: 0, unanswered: 0 });
      expect(days.get('2024-06-02')).toEqual({ accepted: 0, rejected: 1, unanswered: 1 });
      expect(days.get('2024-06-20')).toEqual({ accepted: 0, rejected: 0, unanswered: 0 });
      await keep();
    }
  });

  it.each([
    ['of 23 hours', '2024-03-10', '2024-03-10T05:00:00Z', '2024-03-11T04:00:00Z'],
    ['of 25 hours', '2023-11-05', '2023-11-05T04:00:00Z', '2023-11-06T05:00:00Z'],
  ])(
    'counts a day %s from its first instant to its last, kept or not',
    async (_day, day, from, end) => {
      const justBefore = (time: string) => new Date(Date.parse(time) - 1);
      for (const at of [justBefore(from), new Date(from), justBefore(end), new Date(end)])
        await send(at);
      const span = { from: dayAfter(day, -1), to: dayAfter(day) };
      for (let turn = 0; turn < 2; turn++) {
        const days = await read(span);
        expect([...days].map(([of, { accepted }]) => [of, accepted])).toEqual([
          [span.from, 1],
          [day, 2],
          [span.to, 1],
        ]);
        await keep();
      }
      expect(await stored(day)).toMatchObject({ sums: { accepted: 2 } });
    },
  );

  it('counts no test leads, kept or not, for all campaigns or one', async () => {
    await send('2024-06-02T05:00:00Z');
    for (const state of ['accepted', 'accepted', 'rejected', 'unknown'] as const)
      await send('2024-06-02T06:00:00Z', { state, reserved: null });
    await send('2024-06-03T06:00:00Z', { reserved: null });
    for (let turn = 0; turn < 2; turn++) {
      for (const days of [await read(), await read({ campaign_id: 'campaign' })]) {
        expect(days.get('2024-06-02')).toEqual({ accepted: 1, rejected: 0, unanswered: 0 });
        expect(days.get('2024-06-03')).toEqual({ accepted: 0, rejected: 0, unanswered: 0 });
      }
      await keep();
    }
  });

  it('keeps a day an hour after it is over in the time zone', async () => {
    await send('2024-06-20T03:00:00Z');
    setNow(new Date('2024-06-20T04:59:00Z'));
    await keep();
    expect([await through(), await stored('2024-06-19')]).toEqual(['2024-06-18', null]);
    await send('2024-06-20T03:30:00Z', { state: 'rejected' });
    await expectRight();
    setNow(new Date('2024-06-20T05:01:00Z'));
    await keep();
    expect(await through()).toBe('2024-06-19');
    expect(await stored('2024-06-19')).toMatchObject({ sums: { accepted: 1, rejected: 1 } });
    await send('2024-06-20T04:30:00Z');
    expect((await read()).get('2024-06-20')?.accepted).toBe(1);
  });

  it('counts a day again a minute after a late answer, and gives the answer at once', async () => {
    const id = await send('2024-06-11T02:00:00Z', { state: 'unknown' });
    await keep();
    expect(await stored('2024-06-10')).toMatchObject({ sums: { unanswered: 1 } });
    await settle(id, 'accepted');
    expect((await read()).get('2024-06-10')).toMatchObject({ accepted: 1, unanswered: 0 });
    await keep();
    expect(await stored('2024-06-10')).not.toHaveProperty('sums');
    expect((await read()).get('2024-06-10')).toMatchObject({ accepted: 1, unanswered: 0 });
    setNow(new Date(Number(NOON) + 61_000));
    await keep();
    expect(await stored('2024-06-10')).toMatchObject({ sums: { accepted: 1, unanswered: 0 } });
    await expectRight();
  });

  it('counts a day that had no attempts when the first is settled', async () => {
    const id = await send('2024-06-11T02:00:00Z', { state: 'parked' });
    await keep();
    expect(await stored('2024-06-10')).toBeNull();
    await settle(id, 'accepted');
    await expectRight();
    await keep();
    await expectRight();
    setNow(new Date(Number(NOON) + 61_000));
    await keep();
    await expectRight();
    expect(await stored('2024-06-10')).toMatchObject({ sums: { accepted: 1 } });
  });

  it.each([
    ['the first time', 0],
    ['again', 1],
  ])('does not store what was counted before an attempt changed, %s', async (_when, times) => {
    const ids = [
      await send('2024-06-10T12:00:00Z', { state: 'unknown' }),
      await send('2024-06-10T12:00:00Z', { state: 'unknown' }),
    ];
    for (let n = 0; n < times; n++) {
      await keep();
      await settle(ids[n] ?? '', 'accepted');
      await keep();
      setNow(new Date(Number(NOON) + 61_000));
    }
    let isChanged = false;
    const change = async () => {
      if (isChanged) return;
      isChanged = true;
      await settle(ids[1] ?? '', 'rejected');
      await dropChangedDays(deps());
    };
    const { collections } = database();
    await keep({ ...deps(), collections: beforeStoring(collections, change) });
    expect(isChanged).toBe(true);
    expect(await stored('2024-06-10')).not.toHaveProperty('sums');
    await expectRight();
  });

  it('keeps the mark of an attempt that changes again while its day is dropped', async () => {
    const id = await send('2024-06-10T12:00:00Z', { state: 'sending' });
    await settle(id, 'unknown');
    const { collections } = database();
    const again = async () => {
      await settle(id, 'accepted');
    };
    await dropChangedDays({ ...deps(), collections: beforeDropping(collections, again) });
    expect(await collections.deliveries.findOne({ _id: id })).toMatchObject({
      state: 'accepted',
      uncounted: true,
      changes: 2,
    });
    await dropChangedDays(deps());
    expect(await collections.deliveries.findOne({ _id: id })).not.toHaveProperty('uncounted');
  });

  it('goes on with the buyer of a process that died', async () => {
    await send('2024-06-10T12:00:00Z');
    const { collections } = database();
    const dying = {
      ...deps(),
      collections: beforeStoring(collections, () => Promise.reject(new Error('died'))),
    };
    await expect(keep(dying)).rejects.toThrow('died');
    await keep();
    expect(await stored('2024-06-10')).toBeNull();
    setNow(new Date(Number(NOON) + 61_000));
    await keep();
    expect(await stored('2024-06-10')).toMatchObject({ sums: { accepted: 1 } });
  });

  it('counts by another time zone where the organization has one, and keeps its days', async () => {
    await send('2024-06-10T03:00:00Z');
    await keep();
    const { orgs, attemptSpans } = database().collections;
    await orgs.updateOne({ _id: 'org' }, { $set: { time_zone: 'UTC' } });
    await expectRight({ time_zone: 'UTC' });
    await attemptSpans.updateMany({}, { $set: { due_at: NOON } });
    await keep();
    await expectRight({ time_zone: 'UTC' });
    expect(await stored('2024-06-10')).toMatchObject({ time_zone: 'UTC', sums: { accepted: 1 } });
    await expectRight({ time_zone: ZONE });
  });

  it('are kept in the background until the process ends', async () => {
    await send('2024-06-10T12:00:00Z');
    const { collections } = database();
    const end = keepReports({ ...deps(), collections, log: createLog('silent', 'test') });
    await waitFor(async () => (await stored('2024-06-10'))?.sums?.accepted === 1);
    await waitFor(async () => (await through()) === '2024-06-19');
    await end();
    await expectRight();
  });
});

/** Collections in which `act` runs just before a day is stored. */
function beforeStoring(collections: Collections, act: () => Promise<unknown>): Collections {
  return before(collections, ['insertMany', 'updateOne'], act);
}

/** Collections in which `act` runs just before days are dropped. */
function beforeDropping(collections: Collections, act: () => Promise<unknown>): Collections {
  return before(collections, ['bulkWrite'], act);
}

function before(
  collections: Collections,
  calls: readonly string[],
  act: () => Promise<unknown>,
): Collections {
  const { attemptDays } = collections;
  const acting = new Proxy(attemptDays, {
    get(of, key): unknown {
      const found: unknown = Reflect.get(of, key);
      if (typeof found !== 'function') return found;
      if (!calls.includes(String(key))) return found.bind(of) as unknown;
      return async (...given: unknown[]): Promise<unknown> => {
        await act();
        return Reflect.apply(found, of, given) as unknown;
      };
    },
  });
  return { ...collections, attemptDays: acting };
}
