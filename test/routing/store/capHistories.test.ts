import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { emptyCapState, type CapState } from '../../../src/routing/rules/caps.js';
import { buyerCap, createCapStore, type CapStore } from '../../../src/routing/store/caps.js';
import {
  anyLimits,
  anyMostHeld,
  History,
  inOrder,
  modelCounting,
  steps,
  type Counting,
} from '../rules/capHistories.js';
import { windowKeys, type WindowKeys } from '../../../src/fields/windowKeys.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';

describe('the counters of a link', () => {
  let database: TestDatabase;
  let caps: CapStore;
  let links = 0;
  const aLink = () => buyerCap('campaign', `buyer-${++links}`);
  const stateOf = async (id: string): Promise<CapState> => {
    const doc = await database.collections.caps.findOne({ _id: id });
    const { day, week, month, total, held } = doc ?? emptyCapState();
    const holds = held.map(({ hold_id, fence, amount, leads, keys, of_row, takers }) => ({
      hold_id,
      fence,
      amount,
      leads,
      keys,
      of_row,
      takers,
    }));
    return { day, week, month, total, held: holds };
  };

  beforeAll(async () => {
    database = await openDatabase();
    caps = createCapStore(database.collections.caps);
  });
  afterAll(() => database.drop());

  it('counts through the histories of leads as the model does, across midnight, Monday and the 1st', async () => {
    await fc.assert(
      fc.asyncProperty(anyLimits, steps, anyMostHeld, async (limited, history, maxHeld) => {
        const id = aLink();
        const model = modelCounting(maxHeld);
        const bounded = createCapStore(database.collections.caps, maxHeld);
        const both: Counting = {
          async reserve(limit, keys, candidates) {
            const expected = await model.reserve(limit, keys, candidates);
            const { held } = await bounded.reserve({ id, limits: limit, keys, candidates });
            expect(held).toEqual(expected);
            return held;
          },
          async commit(outcomes) {
            await model.commit(outcomes);
            await caps.commit(id, outcomes);
          },
          async release(named) {
            await model.release(named);
            await caps.release(id, named);
          },
          async adopt(holds) {
            await model.adopt(holds);
            await caps.adopt(id, holds);
          },
          state: () => stateOf(id),
        };
        const leads = new History(limited);
        for (const one of history) {
          await leads.play(one, both);
          expect(inOrder(await stateOf(id))).toEqual(inOrder(await model.state()));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('moves a parked lead into the window in which it is sent, and counts it once', async () => {
    const id = aLink();
    const [sunday, monday] = ['2026-11-22', '2026-11-23'].map((day) =>
      windowKeys(new Date(day), 'UTC'),
    ) as [WindowKeys, WindowKeys];
    const slot = { hold_id: 'parked', fence: 1, amount: 10 };
    const limits = { daily_cap: 1, total_cap: 1 };
    await caps.reserve({ id, limits, keys: sunday, candidates: [slot] });
    await caps.commit(id, [slot]);
    const again = [{ ...slot, fence: 2, counted: sunday }];
    const { held } = await caps.reserve({ id, limits, keys: monday, candidates: again });
    expect(held).toEqual(new Map([['parked', monday]]));
    expect(await stateOf(id)).toMatchObject({
      day: { key: monday.day, count: 1 },
      week: { key: monday.week, count: 1 },
      total: { count: 1 },
    });
  });
});
