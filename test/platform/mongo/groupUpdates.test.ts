/** Many documents changed by one statement, each by values of its own. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Collection } from 'mongodb';
import { groupUpdates } from '../../../src/platform/mongo/groupUpdates.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';

interface Doc {
  _id: string;
  open: boolean;
  said?: unknown;
  own?: unknown;
}
interface Change {
  id: string;
  said: unknown;
  kind?: string;
}

let database: TestDatabase;
let docs: Collection<Doc>;
beforeAll(async () => {
  database = await openDatabase();
  docs = database.client.db(database.name).collection<Doc>('own_values');
});
afterAll(async () => {
  await docs.drop();
  await database.drop();
});

const updates = (changes: readonly Change[]) =>
  groupUpdates<Doc, Change>(
    changes,
    ({ id, said }) => ({ id, values: { said } }),
    ({ kind = '' }) => kind,
    () => ({ filter: { open: true }, stages: [{ $set: { said: '$own.said' } }] }),
  );

const said = async (prefix: string) =>
  (await docs.find({ _id: { $regex: `^${prefix}` } }).toArray()).map((doc) => doc.said);

describe('groupUpdates', () => {
  it('gives each of 300 documents its own value, in three statements', async () => {
    const all = Array.from({ length: 300 }, (_, n) => ({ _id: `many-${1_000 + n}`, open: true }));
    await docs.insertMany(all);
    const statements = updates(all.map(({ _id }, n) => ({ id: _id, said: n })));
    expect(statements).toHaveLength(3);
    const { modifiedCount } = await docs.bulkWrite(statements);
    expect(modifiedCount).toBe(300);
    expect(await said('many-')).toEqual(all.map((_, n) => n));
    expect(await docs.countDocuments({ own: { $exists: true } })).toBe(0);
  });

  it('skips documents that do not match the filter, and counts the matches', async () => {
    await docs.insertMany([
      { _id: 'fit-1', open: true },
      { _id: 'fit-2', open: false },
    ]);
    const result = await docs.bulkWrite(
      updates(['fit-1', 'fit-2', 'fit-3'].map((id) => ({ id, said: id }))),
    );
    expect(result.matchedCount).toBe(1);
    expect(await said('fit-')).toEqual(['fit-1', undefined]);
  });

  it('writes values that look like expressions unchanged', async () => {
    const values = ['$open', { $add: [1, 2] }, ['$$ROOT'], null, { 'a.b': '$c' }];
    await docs.insertMany(values.map((_, n) => ({ _id: `literal-${n}`, open: true })));
    await docs.bulkWrite(updates(values.map((value, n) => ({ id: `literal-${n}`, said: value }))));
    expect(await said('literal-')).toEqual(values);
  });

  it('makes different changes by statements one after the other', async () => {
    await docs.insertOne({ _id: 'twice', open: true });
    const statements = updates([
      { id: 'twice', said: 'first', kind: 'a' },
      { id: 'twice', said: 'second', kind: 'b' },
    ]);
    expect(statements).toHaveLength(2);
    await docs.bulkWrite(statements, { ordered: true });
    expect(await said('twice')).toEqual(['second']);
  });

  it('has no statement for no change', () => {
    expect(updates([])).toEqual([]);
  });
});
