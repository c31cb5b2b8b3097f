import { describe, expect, it } from '@jest/globals';
import { createMetrics } from '../../../src/platform/metrics.js';
import { createRepairWatch } from '../../../src/platform/temporal/repairWatch.js';

const MINUTE = 60_000;

describe('the watch over reconcile', () => {
  let now = 0;
  let last: Date | null = null;
  const start = () => {
    now = 100 * MINUTE;
    last = null;
    return createRepairWatch({
      repairs: { lastCompleted: () => Promise.resolve(last) },
      clock: { now: () => new Date(now) },
      schedule: 'x-reconcile',
    });
  };

  it('counts from the latest run that was completed', async () => {
    const watch = start();
    last = new Date(now - 3 * MINUTE);
    await watch.look();
    now += MINUTE;
    expect(watch.ageMs()).toBe(4 * MINUTE);
    expect(watch.warning()).toBeNull();
  });

  it('counts from its own start when none ever completed', async () => {
    const watch = start();
    await watch.look();
    now += 2 * MINUTE;
    expect(watch.ageMs()).toBe(2 * MINUTE);
  });

  it('warns after five minutes, and says what to check', async () => {
    const watch = start();
    last = new Date(now - 7 * MINUTE);
    await watch.look();
    expect(watch.warning()).toMatch(/^reconcile was last completed 7 minutes ago: leftovers/);
    expect(watch.warning()).toContain('the schedule "x-reconcile" is not paused');
    last = new Date(now);
    await watch.look();
    expect(watch.warning()).toBeNull();
  });

  it('reports the age in seconds in the metrics', async () => {
    const watch = start();
    const metrics = createMetrics();
    metrics.showReconcileAge(() => watch.ageMs() / 1_000);
    now += 90_000;
    expect(await metrics.registry.metrics()).toMatch(/^leadwire_reconcile_age_seconds 90$/m);
  });
});
