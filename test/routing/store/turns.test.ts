import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { afterTurn, type Turns } from '../../../src/routing/rules/turns.js';
import { createTurnStore, type TurnStore } from '../../../src/routing/store/turns.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';

describe('the store of turns', () => {
  let database: TestDatabase;
  let turns: TurnStore;

  beforeAll(async () => {
    database = await openDatabase();
    turns = createTurnStore(database.collections.turns);
  });
  afterAll(() => database.drop());

  const stored = (id: string) => database.collections.turns.findOne({ _id: id });
  /** Gives the turn to the one of three buyers that has waited longest. */
  const next = ({ seq, last }: Turns) => {
    const [buyer = ''] = ['a', 'b', 'c'].sort((x, y) => (last[x] ?? 0) - (last[y] ?? 0));
    return { turns: afterTurn({ seq, last }, buyer), result: buyer };
  };

  it('gives each of 18 concurrent callers its own turn, evenly', async () => {
    const taken = await Promise.all(Array.from({ length: 18 }, () => turns.take('race', next)));
    for (const buyer of ['a', 'b', 'c']) {
      expect(taken.filter((to) => to === buyer)).toHaveLength(6);
    }
    expect(await stored('race')).toMatchObject({ seq: 18 });
  });

  it('writes nothing for a step without a turn', async () => {
    await turns.take('look', (now) => ({ turns: now, result: now.seq }));
    expect(await stored('look')).toBeNull();
  });

  it('separates campaigns', async () => {
    await turns.take('one', next);
    expect(await turns.take('two', next)).toBe('a');
  });
});
