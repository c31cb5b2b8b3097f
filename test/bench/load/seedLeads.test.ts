import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createKeyring } from '../../../src/platform/security/seal.js';
import { systemClock } from '../../../src/lib/clock.js';
import { claimIdOf } from '../../../src/leads/rules/dedupe.js';
import { totalLine } from '../../../src/reports/rules/rollups.js';
import { windowKeys } from '../../../src/fields/windowKeys.js';
import { readReport } from '../../../src/reports/report.js';
import { rollUp } from '../../../src/reports/rollUp.js';
import { createAccount, type TestAccount } from '../../support/account.js';
import { aPerson } from '../../support/supplier.js';
import { aLead, aRow } from '../../support/storedRows.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';
import { TEST_ZONE } from '../../support/org.js';
import { seedLeads } from './seedLeads.js';

const COUNT = 60;
const DAY_MS = 86_400_000;

describe('seeded leads', () => {
  const keyring = createKeyring('a secret of 32 characters or more, for a test');
  let database: TestDatabase;
  let account: TestAccount;
  beforeEach(async () => {
    database = await openDatabase();
    const { collections } = database;
    account = await createAccount(
      { collections, keyring },
      {
        buyers: { one: { price: 10, delivery: { method: 'STORE' } } },
      },
    );
    const { orgId, campaignId, suppliers, buyers } = account;
    const [supplier_id, buyer_id] = [suppliers[0]?.id ?? '', buyers.one ?? ''];
    const ids = { org_id: orgId, campaign_id: campaignId, supplier_id };
    const now = new Date();
    const sale = { buyer_id, attempt: 1, price: 10_000_000, cost: 4_000_000, at: now };
    await collections.leads.insertOne(
      aLead({
        ...ids,
        _id: 'model',
        status: 'ACCEPTED',
        buyer_id,
        sales: [sale],
        fields: aPerson(),
        created_at: now,
        decided_at: now,
        changes: 1,
        uncounted: true,
      }),
    );
    await collections.deliveries.insertOne(
      aRow({
        ...ids,
        buyer_id,
        lead_id: 'model',
        state: 'accepted',
        created_at: now,
        reserved: windowKeys(now, TEST_ZONE),
      }),
    );
    await seedLeads({ collections, keyring }, ['model'], COUNT);
  });
  afterEach(() => database.drop());

  const seeded = () => database.collections.leads.find({ _id: { $ne: 'model' } }).toArray();

  it('are separate persons, each found by its keys, received over the last month', async () => {
    const leads = await seeded();
    expect(leads).toHaveLength(COUNT);
    expect(new Set(leads.map(({ fields }) => fields.phone)).size).toBe(COUNT);
    for (const { keys, fields } of leads) expect(keys).toContain(`phone:${fields.phone}`);
    const ages = leads.map(({ created_at }) => (Date.now() - Number(created_at)) / DAY_MS);
    expect(Math.max(...ages)).toBeGreaterThan(25);
    expect(Math.max(...ages)).toBeLessThan(29);
    expect(Math.min(...ages)).toBeGreaterThanOrEqual(1);
    expect(Math.min(...ages)).toBeLessThan(2);
  });

  it('have their delivery rows, and hold their claims', async () => {
    const { deliveries, claims } = database.collections;
    for (const { _id, campaign_id, fields, created_at } of await seeded()) {
      const row = await deliveries.findOne({ _id: `${_id}:1` });
      expect(row).toMatchObject({ lead_id: _id, reserved: windowKeys(created_at, TEST_ZONE) });
      const key = { field: 'phone', value: String(fields.phone) };
      const claimId = claimIdOf(campaign_id, key, (text) => keyring.claimHash(text));
      expect(await claims.findOne({ _id: claimId })).toMatchObject({ lead_id: _id });
    }
  });

  it('are in the reports, once', async () => {
    const deps = { collections: database.collections, clock: systemClock };
    // The model itself was not yet counted, and no other lead is left to count.
    expect(await rollUp(deps, { withinMs: 10_000 })).toBe(1);
    const scope = { orgId: account.orgId, from: '2000-01-01', to: '2999-12-31' };
    const { rows } = await readReport(deps, scope, 'status');
    expect(totalLine(rows)).toMatchObject({ leads: COUNT + 1, revenue: (COUNT + 1) * 10_000_000 });
  });
});
