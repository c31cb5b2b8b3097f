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
    return told.slice(before);
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

  it('are one for each kind of operation in a bulk write', async () => {
    const { rates } = store.collections;
    const operations = [
      { updateOne: { filter: { _id: 'rate-0' }, update: { $set: { burst: 3 } } } },
      { deleteOne: { filter: { _id: 'rate-1' } } },
      { updateMany: { filter: { burst: 3 }, update: { $set: { burst: 4 } } } },
    ];
    const write = () => rates.bulkWrite(operations, { ordered: false });
    expect(await sentBy(write)).toEqual(['update rates', 'delete rates']);
    expect(await rates.findOne({ _id: 'rate-0' })).toMatchObject({ burst: 4 });
  });

  it('are one for a read, however many batches it takes', async () => {
    const { rates } = store.collections;
    const read = () => rates.find({}, { batchSize: 200 }).toArray();
    expect(await sentBy(read)).toEqual(['find rates']);
    expect(await read()).toHaveLength(299);
  });

  it('are reported by the name of the command', async () => {
    const { rates } = store.collections;
    const update = { $set: { burst: 5 } };
    expect(await sentBy(() => rates.findOneAndUpdate({ _id: 'rate-2' }, update))).toEqual([
      'findAndModify rates',
    ]);
    expect(await sentBy(() => rates.countDocuments({ burst: 5 }))).toEqual(['aggregate rates']);
  });
});
