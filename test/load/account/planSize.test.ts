/** A plan that MongoDB would not store as it is. */
import { accountOf } from '../../support/org.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BSON } from 'mongodb';
import { updateCampaign } from '../../../src/account/campaigns/campaigns.js';
import { bigAccount, hasAllZips, versionOf, zipsOf } from '../../account/plans/bigAccount.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';

describe('a campaign of 177 buyers with 6,000 zip codes each', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  it('is published and paused, uses a quarter of the limit, and reads back unchanged', async () => {
    const { collections: db } = database;
    const { org, campaign } = await bigAccount(db, 177, (n) => ({ zips: zipsOf(6_000, n) }));
    await updateCampaign(accountOf({ collections: db }, org), campaign, { status: 'PAUSED' });
    const { plan, bytes } = await versionOf(db, campaign);
    expect(plan).toMatchObject({ status: 'PAUSED' });
    expect(BSON.calculateObjectSize(plan)).toBeGreaterThan(16 * 1_048_576);
    expect(bytes).toBeLessThan(4 * 1_048_576);
    expect(await hasAllZips(db, plan)).toBe(true);
  });
});
