import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { markUnflagged } from '../../../src/leads/repair/testFlags.js';
import { createRepairStore } from '../../../src/platform/mongo/repairs.js';
import { OVERLAP_MS } from '../../../src/platform/mongo/stagedRepair.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';
import { aLead, after, NOW } from '../../support/storedRows.js';

describe('leads without their test flag', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openDatabase();
    await database.collections.orgs.insertOne({ _id: aLead().org_id } as never);
  });
  afterAll(() => database.drop());

  const store = async (): Promise<void> => {
    const lead = aLead();
    await database.collections.leads.insertOne(lead);
    await database.collections.leads.updateOne({ _id: lead._id }, { $unset: { is_test: 1 } });
  };
  const repairAt = (at: Date): Promise<number> =>
    markUnflagged({
      collections: database.collections,
      repairs: createRepairStore(database.db),
      clock: { now: () => at },
    });

  it('are looked for until a run a day later finds none, and then no more', async () => {
    await store();
    expect(await repairAt(NOW)).toBe(1);
    expect(await repairAt(NOW)).toBe(0);
    await store();
    expect(await repairAt(after(OVERLAP_MS))).toBe(1);
    expect(await repairAt(after(OVERLAP_MS))).toBe(0);
    await store();
    expect(await repairAt(after(2 * OVERLAP_MS))).toBe(0);
  });
});
