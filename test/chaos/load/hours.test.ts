import { describe, expect, it } from '@jest/globals';
import { Schedule } from '../../../src/fields/scheduleSchema.js';
import { checkBy } from '../../../src/lib/schema/sentences.js';
import { isOpenAt } from '../../../src/fields/schedule.js';
import { inTurns } from './hours.js';

const MINUTE = 60_000;

describe('hours that change within minutes', () => {
  it.each(['2026-11-21T12:00:00Z', '2026-11-21T12:00:36Z', '2026-11-21T23:59:59.999Z'])(
    'are the same as a schedule and as instants, from %s on',
    (text) => {
      const now = Date.parse(text);
      const { schedule, spans } = inTurns(now, 2);
      const checked = checkBy(Schedule, schedule, 'schedule');
      if (!checked.ok) throw new Error(checked.problems.join());
      for (let at = now; at < now + 90 * MINUTE; at += MINUTE / 2) {
        const isOpen = spans.some(({ from, to }) => from <= at && at < to);
        expect(isOpenAt(checked.value, new Date(at), 'UTC')).toBe(isOpen);
      }
    },
  );

  it('begin closed, open within a minute and a half, and end open', () => {
    const now = Date.parse('2026-11-21T12:00:36Z');
    const { spans } = inTurns(now, 1);
    const [first, second] = spans;
    expect(first).toEqual({ from: now + 84_000, to: now + 144_000 });
    expect(second?.from).toBe((first?.to ?? 0) + MINUTE);
    expect(spans.at(-1)?.to).toBe((first?.from ?? 0) + 720 * MINUTE);
  });
});
