import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAnsweredStore, type AnsweredStore } from '../../../src/leads/store/answered.js';
import { NOW } from '../../support/storedRows.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';

describe('the log of answers', () => {
  let database: TestDatabase;
  let answered: AnsweredStore;

  beforeAll(async () => {
    database = await openDatabase();
    answered = createAnsweredStore(database.collections.answered);
  });
  afterAll(() => database.drop());

  it('distinguishes answered leads from unanswered ones', async () => {
    await answered.add(['a', 'b', 'c'], NOW);
    await answered.add(['d', 'e'], NOW);
    expect(await answered.among(['b', 'e', 'x'])).toEqual(new Set(['b', 'e']));
    expect(await answered.among(['x'])).toEqual(new Set());
    expect(await answered.among([])).toEqual(new Set());
  });

  it('accepts a lead that was answered again', async () => {
    await answered.add(['again'], NOW);
    await answered.add(['again'], NOW);
    expect(await answered.among(['again', 'again'])).toEqual(new Set(['again']));
  });

  it('is kept as long as a request can be recognized by its body, and then deleted', async () => {
    const indexes = await database.collections.answered.indexes();
    expect(indexes.map(({ expireAfterSeconds }) => expireAfterSeconds)).toContain(600);
  });
});
