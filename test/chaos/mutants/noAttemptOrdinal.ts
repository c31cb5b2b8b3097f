import { randomUUID } from 'node:crypto';
import type { Deps } from '../../../src/app/deps.js';
import type { DeliveryStore } from '../../../src/deliveries/store/deliveries.js';
import { decider, every, flakyBuyers, kill, type Mutant } from './mutant.js';

/** Rows have random ids: a run that resumes a lead does not find what the previous run sent. */
function alter(deps: Deps): Deps {
  const { deliveries } = deps;
  const names = new Map<string, { run: string; id: string }>();
  const stored = (id: string): string => names.get(id)?.id ?? id;
  const all = (ids: readonly string[]): string[] => ids.map(stored);
  /** Translates a store function's result from stored ids into the ids that its caller uses. */
  const asked = (ids: readonly string[], said: ReadonlySet<string>): Set<string> =>
    new Set(ids.filter((id) => said.has(stored(id))));
  const altered: DeliveryStore = {
    ...deliveries,
    async insertAttempts(rows) {
      for (const { _id, run } of rows) {
        // A repeated call of the same run is the same attempt.
        if (names.get(_id)?.run !== run) names.set(_id, { run, id: `row-${randomUUID()}` });
      }
      const named = rows.map((row) => ({ ...row, _id: stored(row._id) }));
      const standing = await deliveries.insertAttempts(named);
      return new Map(
        rows.flatMap(({ _id }) => {
          const row = standing.get(stored(_id));
          return row ? [[_id, row] as const] : [];
        }),
      );
    },
    async settle(run, results, now) {
      const named = results.map((result) => ({ ...result, id: stored(result.id) }));
      return asked(
        results.map(({ id }) => id),
        await deliveries.settle(run, named, now),
      );
    },
    endUnanswered: (ids, run, now) => deliveries.endUnanswered(all(ids), run, now),
    putOff: (ids, due_at) => deliveries.putOff(all(ids), due_at),
  };
  return { ...deps, deliveries: altered };
}

export const noAttemptOrdinal: Mutant = {
  alter,
  caughtBy: ['taken_twice', 'resent_blindly', 'taken_by_too_many'],
  needs: {
    campaigns: ['holding'],
    rate: 40,
    // Slow answers, so that requests are open when a worker dies.
    faults: (scene) => [
      ...flakyBuyers(scene),
      ...every(9_000, scene, (at, n) => kill(at, decider(scene, n))),
    ],
  },
};
