/** Plans by id. They never change, so a copy in memory is as good as the stored one. */
import type { Collection } from 'mongodb';
import type { Plan } from '../rules/plan.js';
import { lruMap } from '../../lib/lruMap.js';
import { unpackedBytes, unpackPlan } from './planPacking.js';

export type PlanStore = ReturnType<typeof createPlanStore>;

/** Some of the requested plans cannot be read. The others can: they belong to leads that must not wait for these. */
export class UnreadablePlans extends Error {
  /** @param faults why each of the unreadable plans is not among `plans`, by its id */
  constructor(
    readonly plans: ReadonlyMap<string, Plan>,
    readonly faults: ReadonlyMap<string, Error>,
  ) {
    super([...faults.values()].map(({ message }) => message).join('; '));
  }
}

/** In bytes of documents; memory use is several times as much. */
const BYTES_MAX = 32 * 1_048_576;
/** Even the smallest plan counts as this much, so at most 2,048 are cached. */
const BYTES_MIN = 16_384;

interface Remembered {
  plan: Plan;
  bytes: number;
}

/** @param bytesMax of all plans that it remembers */
export function createPlanStore(plans: Collection<Plan>, bytesMax = BYTES_MAX) {
  const remembered = lruMap<string, Remembered>(bytesMax, ({ bytes }) => bytes);
  return {
    /**
     * The plans of these ids, each read at most once per process while it is remembered.
     * @throws {UnreadablePlans} when one does not exist, although a stored lead always names a stored plan, or has a form
     * that this release does not know
     */
    async get(ids: readonly string[]): Promise<Map<string, Plan>> {
      const wanted = [...new Set(ids)];
      // All plans of one call are returned, even where they are more than the cache holds.
      const known = new Map<string, Plan>();
      for (const id of wanted) {
        const plan = remembered.get(id)?.plan;
        if (plan) known.set(id, plan);
      }
      const missing = wanted.filter((id) => !known.has(id));
      if (missing.length === 0) return known;
      const faults = new Map(
        missing.map((id): [string, Error] => [id, new Error(`Plan ${id} is not stored`)]),
      );
      for (const stored of await plans.find({ _id: { $in: missing } }).toArray()) {
        const read = tryToRead(stored);
        if (read instanceof Error) {
          faults.set(stored._id, read);
          continue;
        }
        faults.delete(stored._id);
        remembered.set(stored._id, read);
        known.set(stored._id, read.plan);
      }
      if (faults.size > 0) throw new UnreadablePlans(known, faults);
      return known;
    },
  };
}

function tryToRead(stored: Plan): Remembered | Error {
  try {
    const plan = unpackPlan(stored);
    return { plan, bytes: Math.max(unpackedBytes(stored, plan), BYTES_MIN) };
  } catch (cause) {
    return new Error(`Plan ${stored._id} has a form that this release does not know`, { cause });
  }
}
