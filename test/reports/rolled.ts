/** Roll-ups, and the sums that they should have. */
import {
  add,
  contributionOf,
  nonZero,
  placeKey,
  type Rows,
} from '../../src/reports/rules/rollups.js';
import { hourOf } from '../../src/fields/days.js';
import { windowKeys } from '../../src/fields/windowKeys.js';
import { systemClock } from '../../src/lib/clock.js';
import type { RollDeps } from '../../src/reports/countBatches.js';
import type { Collections } from '../../src/app/database.js';

/** The stored sums, by campaign, day and place, without zeros. */
export async function storedSums({ rollups }: Collections): Promise<Record<string, unknown>> {
  const rows: [string, unknown][] = [];
  for (const doc of await rollups.find().toArray()) {
    const [kept] = nonZero(new Map([[doc._id, doc]]));
    if (kept) rows.push([doc._id, kept.by_status]);
  }
  return Object.fromEntries(rows.sort(([a], [b]) => a.localeCompare(b)));
}

/** The sums that the leads require. */
export async function dueSums(
  { leads }: Collections,
  timeZone = 'UTC',
): Promise<Record<string, unknown>> {
  const days = new Map<string, Rows>();
  for (const lead of await leads.find().toArray()) {
    const key = `${lead.campaign_id}:${windowKeys(lead.created_at, timeZone).day}`;
    const rows = days.get(key) ?? (new Map() as Rows);
    days.set(key, rows);
    add(rows, lead, contributionOf(lead, hourOf(lead.created_at, timeZone)), 1);
  }
  const sums = [...days].flatMap(([key, rows]) =>
    nonZero(rows).map((row) => [`${key}:${placeKey(row)}`, row.by_status] as const),
  );
  return Object.fromEntries(sums.sort(([a], [b]) => a.localeCompare(b)));
}

export const rollDeps = (collections: Collections): RollDeps => ({
  collections,
  clock: systemClock,
});

/**
 * Collections of a process that dies with its n-th call to the database: before the call, halfway through a bulk
 * of writes, or when it is done and its answer is in transit.
 */
export function dying(
  collections: Collections,
  call: number,
  how: 'before' | 'midway' | 'after',
): { collections: Collections; isDead(): boolean } {
  let calls = 0;
  let dead = false;
  const died = () => new Error('the process died here');
  const wrap = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(of, name) {
        const value: unknown = Reflect.get(of, name);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]): unknown => {
          if (dead) throw died();
          calls += 1;
          const run = (given: unknown[]): unknown => Reflect.apply(value, of, given);
          if (calls !== call) return run(args);
          dead = true;
          if (how === 'before') throw died();
          const [first, ...rest] = args;
          const isBulk = how === 'midway' && name === 'bulkWrite' && Array.isArray(first);
          const half = isBulk ? [first.slice(0, Math.ceil(first.length / 2)), ...rest] : args;
          const result = run(half);
          if (!(result instanceof Promise)) throw died();
          return result.then(() => Promise.reject(died()));
        };
      },
    });
  const { leads, orgs, rollups, rollupState, pings, pingRollups, events } = collections;
  const { automations, eventDeliveries, destinations, outcomes } = collections;
  return {
    collections: {
      ...collections,
      leads: wrap(leads),
      orgs: wrap(orgs),
      rollups: wrap(rollups),
      rollupState: wrap(rollupState),
      pings: wrap(pings),
      events: wrap(events),
      pingRollups: wrap(pingRollups),
      automations: wrap(automations),
      eventDeliveries: wrap(eventDeliveries),
      destinations: wrap(destinations),
      outcomes: wrap(outcomes),
    },
    isDead: () => dead,
  };
}
