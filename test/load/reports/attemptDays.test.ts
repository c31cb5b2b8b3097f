import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { DeliveryState } from '../../../src/deliveries/store/deliveryDoc.js';
import { createDeliveryStore } from '../../../src/deliveries/store/deliveries.js';
import { advanceAttemptDays, enrollBuyers } from '../../../src/reports/keepAttemptDays.js';
import { explain, record } from '../../app/queries/explain.js';
import { createRandom, type Random } from '../../chaos/prng.js';
import { NOON, openAttempts } from '../../reports/attempts.js';

const HOUR = 3_600_000;
const STATES: DeliveryState[] = [
  ...(['accepted', 'rejected', 'unknown', 'parked', 'sending', 'failed', 'abandoned'] as const),
  'expired',
];
const AFTER_SENDING: DeliveryState[] = ['accepted', 'rejected', 'unknown', 'parked', 'abandoned'];

/** Passes draws to a test. A failure says how to have the same draws again. */
const drawn = (body: (random: Random) => Promise<void>) => async (): Promise<void> => {
  const seed = process.env.ATTEMPTS_SEED ?? randomUUID();
  await body(createRandom(seed)).catch((error: unknown) => {
    const what = error instanceof Error ? error.stack : String(error);
    throw new Error(`With ATTEMPTS_SEED=${seed}: ${what}`, { cause: error });
  });
};

describe('attempts by day, of many', () => {
  const { database, deps, read, send, settle, keep, expectRight, setNow, addBuyer } =
    openAttempts();
  const stored = (day: string) =>
    database().collections.attemptDays.findOne({ _id: `buyer:${day}` });
  const through = async () =>
    (await database().collections.attemptSpans.findOne({ _id: 'buyer' }))?.days?.through;
  const sendAnywhere = (n: number, random: Random) =>
    send(new Date(Number(NOON) - random.next() * 12 * 24 * HOUR), {
      state: random.pick(STATES),
      campaign_id: `campaign-${n % 3}`,
      buyer_id: n % 5 === 0 ? 'another' : 'buyer',
      ...(n % 7 === 0 ? { reserved: null } : {}),
    });

  it(
    'agrees with the rows, kept or not, while attempts are settled late and the keeper works',
    drawn(async (random) => {
      await addBuyer('another');
      const ids = await Promise.all(Array.from({ length: 90 }, (_, n) => sendAnywhere(n, random)));
      await expectRight();
      await enrollBuyers(deps());
      const deliveries = createDeliveryStore(database().collections.deliveries);
      for (let turn = 0; turn < 10; turn++) {
        const some = Array.from({ length: 5 }, () => random.pick(ids));
        await Promise.all(some.map((id) => settle(id, random.pick(AFTER_SENDING))));
        await deliveries.endUnanswered([random.pick(ids), random.pick(ids)], 'run-1', NOON);
        await deliveries.expire([random.pick(ids), random.pick(ids)], 'run-1', NOON);
        await expectRight();
        await advanceAttemptDays(deps(), { withinMs: 20 });
        await expectRight({ campaign_id: `campaign-${turn % 3}` });
      }
      setNow(new Date(Number(NOON) + HOUR));
      await keep();
      for (const campaign_id of [undefined, 'campaign-0', 'campaign-1', 'none'])
        await expectRight({ campaign_id });
      await expectRight({ buyer_id: 'another' });
      expect(
        await database().collections.attemptDays.countDocuments({ sums: { $exists: false } }),
      ).toBe(0);
    }),
  );

  it(
    'reads no attempt of a day that is kept',
    drawn(async (random) => {
      await Promise.all(Array.from({ length: 100 }, (_, n) => sendAnywhere(n, random)));
      await send(NOON);
      await keep();
      const { client, name } = database();
      const recorder = record(client);
      await recorder.during('read', () => read());
      await recorder.during('read', () => read({ campaign_id: 'campaign-1' }));
      const sent = recorder.sent.filter(({ collection }) => collection === 'deliveries');
      const explained = await Promise.all(sent.map((one) => explain(client, name, one)));
      const ofToday = await database().collections.deliveries.countDocuments({
        created_at: { $gte: new Date('2024-06-20T04:00:00Z') },
      });
      const keys = explained.reduce((sum, one) => sum + one.keys, 0);
      // In addition, one seek for each state and bound.
      expect(keys).toBeLessThan(2 * (ofToday + 20));
      expect(keys).toBeGreaterThan(0);
    }),
  );

  it(
    'is the same when several processes keep the same days',
    drawn(async (random) => {
      const ids = await Promise.all(Array.from({ length: 100 }, (_, n) => sendAnywhere(n, random)));
      await addBuyer('another');
      await Promise.all([enrollBuyers(deps()), enrollBuyers(deps())]);
      const settling = (async () => {
        for (let n = 0; n < 50; n++) await settle(random.pick(ids), random.pick(AFTER_SENDING));
      })();
      await Promise.all([settling, keep(), keep(), keep()]);
      await expectRight();
      setNow(new Date(Number(NOON) + 2 * 61_000));
      await Promise.all([keep(), keep()]);
      await expectRight();
      await expectRight({ buyer_id: 'another' });
      expect(await through()).toBe('2024-06-19');
    }),
  );

  it('counts a day of many attempts in parts', async () => {
    const { deliveries } = database().collections;
    const id = await send('2024-06-10T12:00:00Z');
    const row = await deliveries.findOne({ _id: id });
    if (!row) throw new Error('It was just stored');
    const copies = Array.from({ length: 4_000 }, (_, n) => ({
      ...row,
      _id: `copy-${n}:1`,
      campaign_id: `campaign-${n % 2}`,
      // One of them comes exactly where the second part begins.
      created_at: new Date(Date.parse('2024-06-10T04:00:00Z') + n * 21_600),
    }));
    await deliveries.insertMany(copies);
    await keep();
    expect(await stored('2024-06-10')).toMatchObject({ sums: { accepted: 4_001 } });
    await expectRight({ campaign_id: 'campaign-1' });
  });
});
