import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ensureIndexes } from '../../src/app/ensureIndexes.js';
import { INDEXES } from '../../src/app/indexes.js';
import { LEAD_LIST_INDEXES, SUPERSEDED_LEAD_INDEX } from '../../src/leads/store/leadIndexes.js';
import { aLead } from '../support/storedRows.js';
import { openDatabase, type TestDatabase } from '../support/database.js';
import { nameOf } from './queries/explain.js';

describe('the indexes of an existing database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  const namesOf = async () => {
    const all = await database.collections.leads.indexes();
    return new Set(all.map(({ name }) => name));
  };
  const lists = LEAD_LIST_INDEXES.map(({ key }) => nameOf(key));
  const others = INDEXES.filter(
    (row) => row.collection === 'leads' && !LEAD_LIST_INDEXES.includes(row),
  ).map(({ key }) => nameOf(key));
  const superseded = nameOf(SUPERSEDED_LEAD_INDEX);

  it('are built in the background over many leads, while leads are stored', async () => {
    const { leads } = database.collections;
    await leads.dropIndexes();
    await leads.insertMany(Array.from({ length: 1_001 }, () => aLead()));
    await leads.createIndex(SUPERSEDED_LEAD_INDEX);
    const db = leads.db;
    const { inBackground } = await ensureIndexes(db, { madeAtOnceMax: 1_000 });
    const atOnce = await namesOf();
    for (const name of others) expect(atOnce).toContain(name);
    await leads.insertOne(aLead({ _id: 'meanwhile' }));
    await inBackground;
    const all = await namesOf();
    for (const name of [...others, ...lists]) expect(all).toContain(name);
    // A process of the earlier release may still read by it.
    expect(all).toContain(superseded);
    expect(await leads.countDocuments({ _id: 'meanwhile' })).toBe(1);
  });

  it('drop a replaced index at a later start, once the new ones are old enough', async () => {
    const { leads } = database.collections;
    await (
      await ensureIndexes(leads.db, { keptMs: 3_600_000 })
    ).inBackground;
    expect(await namesOf()).toContain(superseded);
    await (
      await ensureIndexes(leads.db, { keptMs: 0 })
    ).inBackground;
    const left = await namesOf();
    expect(left).not.toContain(superseded);
    for (const name of [...others, ...lists]) expect(left).toContain(name);
  });
});
