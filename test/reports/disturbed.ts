/** Collections in which `act` runs at a given moment of a comparison. */
import type { Pace } from '../../src/lib/pace.js';
import type { Collections } from '../../src/app/database.js';

type Act = () => Promise<unknown>;

/** Runs `act` when `count` leads (or pings) have been read, one after the other; default: when all have been. */
export function whenRead(
  collections: Collections,
  name: 'leads' | 'pings',
  act: Act,
  count = Infinity,
): Collections {
  async function* readThenAct(cursor: AsyncIterable<unknown>) {
    let left = count;
    for await (const one of cursor) {
      yield one;
      left -= 1;
      if (left === 0) await act();
    }
    if (left > 0) await act();
  }
  const collection = collections[name];
  const find = (filter: object) => ({
    project: (fields: object) =>
      readThenAct(collection.find(filter, { batchSize: 1, hint: { _id: 1 } }).project(fields)),
  });
  const reading = new Proxy(collection, {
    get: (of, key): unknown => (key === 'find' ? find : Reflect.get(of, key)),
  });
  return { ...collections, [name]: reading };
}

/** Runs `act` as soon as the number of the latest batch has been read for the first time. */
export function whenNumbered(collections: Collections, act: Act): Collections {
  let acted = false;
  const { rollupState } = collections;
  const findOne = async (filter: object) => {
    const found = await rollupState.findOne(filter);
    if (acted) return found;
    acted = true;
    await act();
    return found;
  };
  const numbering = new Proxy(rollupState, {
    get(of, key): unknown {
      if (key === 'findOne') return findOne;
      const value: unknown = Reflect.get(of, key);
      return typeof value === 'function' ? (value.bind(of) as unknown) : value;
    },
  });
  return { ...collections, rollupState: numbering };
}

/** Never pauses, and counts how often it could have. */
export function restless(): Pace & { steps(): number } {
  let steps = 0;
  return {
    step() {
      steps += 1;
      return Promise.resolve();
    },
    workedMs: () => 0,
    steps: () => steps,
  };
}
