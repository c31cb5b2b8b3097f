/** Plans by id. They never change, so a copy in memory is as good as the stored one. */
import type { Collection } from 'mongodb';
import type { Plan } from '../rules/plan.js';
import { lruMap } from '../../lib/lruMap.js';
import { unpackedBytes, unpackPlan } from './planPacking.js';

export interface PlanStore {
  /**
   * The plans of these ids, each read at most once per process while it is remembered.
   * @throws {Error} when one does not exist: a stored lead always names a stored plan
   */
  get(ids: readonly string[]): Promise<Map<string, Plan>>;
}

/** In bytes of documents; memory use is several times as much. */
const BYTES_MAX = 32 * 1_048_576;
/** Even the smallest plan counts as this much, so at most 2,048 are cached. */
const BYTES_MIN = 16_384;

interface Remembered {
  plan: Plan;
  bytes: number;
}

export function createPlanStore(plans: Collection<Plan>): PlanStore {
  const remembered = lruMap<string, Remembered>(BYTES_MAX, ({ bytes }) => bytes);
  return {
    async get(ids) {
      const wanted = [...new Set(ids)];
      // All plans of one call are returned, even where they are more than the cache holds.
      const known = new Map(wanted.map((id) => [id, remembered.get(id)?.plan]));
      const missing = wanted.filter((id) => !known.get(id));
      if (missing.length > 0) {
        for (const stored of await plans.find({ _id: { $in: missing } }).toArray()) {
          const plan = unpackPlan(stored);
          const bytes = Math.max(unpackedBytes(stored, plan), BYTES_MIN);
          remembered.set(plan._id, { plan, bytes });
          known.set(plan._id, plan);
        }
      }
      return new Map(
        [...known].map(([id, plan]) => {
          if (!plan) throw new Error(`Plan ${id} is not stored`);
          return [id, plan];
        }),
      );
    },
  };
}
