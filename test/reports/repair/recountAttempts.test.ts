/** Stored days of attempts, compared with the attempts. */
import { describe, expect, it } from '@jest/globals';
import { dayAfter } from '../../../src/fields/days.js';
import { recountAttemptDays } from '../../../src/reports/repair/recount.js';
import { quietLog } from '../../support/quietLog.js';
import { NOON, openAttempts } from '../attempts.js';

const HOUR = 3_600_000;

describe('attempts by day, compared', () => {
  const { database, deps, send, keep, expectRight, setNow } = openAttempts();
  const stored = (day: string) =>
    database().collections.attemptDays.findOne({ _id: `buyer:${day}` });

  it('mends a day that is not what its attempts say', async () => {
    await send('2024-06-10T12:00:00Z');
    await keep();
    const { attemptDays } = database().collections;
    await attemptDays.updateOne(
      { _id: 'buyer:2024-06-10' },
      { $set: { 'sums.accepted': 7, 'campaigns.0.accepted': 7 } },
    );
    const pace = { step: () => Promise.resolve(), workedMs: () => 0 };
    expect(await recountAttemptDays({ ...deps(), log: quietLog }, pace)).toBe(0);
    setNow(new Date(Number(NOON) + 11 * 24 * HOUR));
    expect(await recountAttemptDays({ ...deps(), log: quietLog }, pace)).toBe(1);
    await expectRight();
    expect(await recountAttemptDays({ ...deps(), log: quietLog }, pace)).toBe(0);
  });

  it('finds a day that is kept as empty, and has an attempt that was settled unmarked', async () => {
    await Promise.all([send('2024-06-08T12:00:00Z'), send('2024-06-12T12:00:00Z')]);
    await keep();
    await send('2024-06-11T02:00:00Z');
    setNow(new Date(Number(NOON) + 24 * HOUR));
    await keep();
    await expectRight();
    expect(await stored('2024-06-10')).toMatchObject({ sums: { accepted: 1 } });
  });

  it('leaves a day alone once nothing of it changes any more', async () => {
    await send(`${dayAfter('2024-06-20', -70)}T12:00:00Z`);
    await keep();
    const [day] = await database().collections.attemptDays.find().toArray();
    expect(day).toMatchObject({ sums: { accepted: 1 } });
    expect(day).not.toHaveProperty('recount_at');
  });
});
