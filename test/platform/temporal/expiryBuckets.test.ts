import { describe, expect, it } from '@jest/globals';
import { createBackground } from '../../../src/lib/background.js';
import { bucketOf, createExpiryBuckets } from '../../../src/platform/temporal/expiryBuckets.js';
import { pingExpiryId, taskQueues } from '../../../src/platform/temporal/names.js';

const at = (time: string): Date => new Date(`2026-11-22T${time}Z`);

/** Buckets that record what they start, with a clock set by hand. */
function startBuckets() {
  const started: string[] = [];
  const warnings: string[] = [];
  const background = createBackground();
  const state = { now: 0, isAway: false };
  const buckets = createExpiryBuckets({
    starter: {
      expire(until) {
        started.push(until.toISOString());
        return state.isAway ? Promise.reject(new Error('away')) : Promise.resolve();
      },
    },
    clock: { monotonic: () => state.now },
    background,
    log: { warn: (_: unknown, message?: string) => void warnings.push(String(message)) },
  });
  const stored = async (time: string): Promise<void> => {
    buckets.stored(at(time));
    await background.idle(1_000);
  };
  return { stored, started, warnings, state };
}

describe('the minutes in which pings expire', () => {
  it('end at the full minute, and each ping expires less than a minute late', () => {
    expect(bucketOf(at('10:04:00.001'))).toEqual(at('10:05:00'));
    expect(bucketOf(at('10:04:59.999'))).toEqual(at('10:05:00'));
    expect(bucketOf(at('10:05:00'))).toEqual(at('10:05:00'));
    expect(bucketOf(at('10:05:00.001'))).toEqual(at('10:06:00'));
  });

  it('are named by their end', () => {
    expect(pingExpiryId(taskQueues(''), at('10:05:00'))).toBe('pingExpiry:2026-11-22T10:05Z');
    expect(pingExpiryId(taskQueues('two-'), at('10:05:00'))).toBe(
      'two-pingExpiry:2026-11-22T10:05Z',
    );
    expect(pingExpiryId(taskQueues(''), at('10:05:01.500'))).toBe(
      'pingExpiry:2026-11-22T10:05:01.500Z',
    );
  });

  it('are started once by a process, however many pings they have', async () => {
    const { stored, started } = startBuckets();
    for (const time of ['10:04:01', '10:04:30', '10:05:00', '10:05:01', '10:04:59'])
      await stored(time);
    expect(started).toEqual(['2026-11-22T10:05:00.000Z', '2026-11-22T10:06:00.000Z']);
  });

  it('are started by a later ping when the first start failed, but not once for each of very many', async () => {
    const { stored, started, warnings, state } = startBuckets();
    state.isAway = true;
    await stored('10:04:01');
    await stored('10:04:01');
    expect(started).toHaveLength(1);
    expect(warnings).toHaveLength(1);
    state.now = 1_001;
    state.isAway = false;
    await stored('10:04:02');
    await stored('10:04:03');
    expect(started).toHaveLength(2);
    expect(warnings).toHaveLength(1);
  });

  it('are not started again while a start is in progress', () => {
    const started: Date[] = [];
    const buckets = createExpiryBuckets({
      starter: {
        expire: (until) => {
          started.push(until);
          return new Promise(() => undefined);
        },
      },
      clock: { monotonic: () => 0 },
      background: { add: () => undefined, idle: () => Promise.resolve() },
      log: { warn: () => undefined },
    });
    for (let n = 0; n < 100; n++) buckets.stored(at('10:04:01'));
    expect(started).toHaveLength(1);
  });
});
