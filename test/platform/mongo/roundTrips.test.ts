import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectStore, type Store } from '../../../src/app/database.js';
import { testStack, type TestStack } from '../../support/stack.js';

describe('the commands that a store reports', () => {
  const told: string[] = [];
  let stack: TestStack;
  let store: Store;

  beforeAll(async () => {
    stack = testStack();
    store = await connectStore({
      uri: stack.mongodbUri,
      database: stack.database,
      onCommand: (command, collection) => told.push(`${command} ${collection}`),
    });
  });
  afterAll(async () => {
    await store.close();
    await stack.drop();
  });

  /** The commands that a call sends. */
  const sentBy = async (call: () => Promise<unknown>): Promise<string[]> => {
    const before = told.length;
    await call();
    // A new connection sends `hello` first.
    return told.slice(before).filter((one) => one !== 'hello ');
  };
  const rows = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ _id: `rate-${n}`, sustained: n, granted: 0 }));

  it('are one for a write of many documents', async () => {
    const { rates } = store.collections;
    const docs = rows(300).map((row) => ({ ...row, burst: 1, at: new Date() }));
    expect(await sentBy(() => rates.insertMany(docs))).toEqual(['insert rates']);
    const updates = docs.map(({ _id }) => ({
      updateOne: { filter: { _id }, update: { $set: { burst: 2 } } },
    }));
    expect(await sentBy(() => rates.bulkWrite(updates))).toEqual(['update rates']);
  });

  it('are one for each batch of a read', async () => {
    const { rates } = store.collections;
    const read = () => rates.find({}, { batchSize: 200 }).toArray();
    expect(await sentBy(read)).toEqual(['find rates', 'getMore rates']);
  });

  it('name no collection where there is none', async () => {
    expect(await sentBy(() => store.db.command({ ping: 1 }))).toEqual(['ping ']);
  });
});
