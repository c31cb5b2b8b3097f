/** Many readers of reports at once: each sees what was changed before it asked, and they share the work. */
import { describe, expect, it } from '@jest/globals';
import { bringUpToDate } from '../../src/reports/reading.js';
import { readReport } from '../../src/reports/report.js';
import { rollDeps } from './rolled.js';
import { openTrade } from './trading.js';
import type { Collections } from '../../src/app/database.js';

const READERS = 20;

describe('readers of reports at the same time', () => {
  const { database, store, owned, refuse } = openTrade();
  const day = { from: '2026-11-21', to: '2026-11-21' };

  /** The collections, and how often changed leads were looked for in them. */
  function watched(): { collections: Collections; looks: () => number } {
    let looks = 0;
    const leads = new Proxy(database.collections.leads, {
      get(target, name) {
        if (name === 'find') looks += 1;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    return { collections: { ...database.collections, leads }, looks: () => looks };
  }

  it('count each change before them, together', async () => {
    const { collections, looks } = watched();
    const deps = rollDeps(collections);
    const read = async (): Promise<number> => {
      const { rows } = await readReport(deps, { orgId: 'org', ...day }, 'status');
      return rows.reduce((sum, { leads }) => sum + leads, 0);
    };
    const counts: Promise<number>[] = [];
    for (let n = 0; n < READERS; n += 1) {
      await store().insert([owned(`lead-${n}`)]);
      await refuse(`lead-${n}`);
      counts.push(read(), read(), read());
    }
    const found = await Promise.all(counts);
    for (const [nth, leads] of found.entries())
      expect(leads).toBeGreaterThanOrEqual(Math.floor(nth / 3) + 1);
    expect(found.at(-1)).toBe(READERS);
    // A turn of its own for each reader looks at least once more than it finds anything.
    expect(looks()).toBeLessThan(3 * READERS);
  });

  it('share one turn after the one that runs', async () => {
    const { collections, looks } = watched();
    const deps = rollDeps(collections);
    const first = bringUpToDate(deps, 'leads', 'org');
    const later = Array.from({ length: READERS }, () => bringUpToDate(deps, 'leads', 'org'));
    const other = bringUpToDate(deps, 'leads', 'other');
    expect((await first).isDone).toBe(true);
    await other;
    expect(new Set(await Promise.all(later)).size).toBe(1);
    expect(looks()).toBe(3);
  });
});
