/** Plans by id. They never change, so a copy in memory is as good as the stored one. */
import type { Collection } from 'mongodb';
import type { Plan } from '../domain/plan.js';
import { boundedMap } from './boundedMap.js';

export interface PlanStore {
  /**
   * The plans of these ids, each read at most once per process while it is remembered.
   * @throws {Error} when one does not exist: a stored lead always names a stored plan
   */
  get(ids: readonly string[]): Promise<Map<string, Plan>>;
}

const REMEMBERED_PLANS = 2_000;

export function planStore(plans: Collection<Plan>): PlanStore {
  const remembered = boundedMap<string, Plan>(REMEMBERED_PLANS);
  return {
    async get(ids) {
      const wanted = [...new Set(ids)];
      const missing = wanted.filter((id) => !remembered.get(id));
      if (missing.length > 0) {
        const found = await plans.find({ _id: { $in: missing } }).toArray();
        found.forEach((plan) => remembered.set(plan._id, plan));
      }
      return new Map(
        wanted.map((id) => {
          const plan = remembered.get(id);
          if (!plan) throw new Error(`Plan ${id} is not stored`);
          return [id, plan];
        }),
      );
    },
  };
}
