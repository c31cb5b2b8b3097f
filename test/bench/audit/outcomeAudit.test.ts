import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { applyAll, aSoldLead, nthChange } from '../../outcomes/changes.js';
import { createOrg } from '../../../src/account/orgs.js';
import { createOutcomeStore } from '../../../src/outcomes/store/outcomes.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';
import { auditLine, auditOutcomes } from './outcomeAudit.js';

describe('the audit of the benchmark', () => {
  let database: TestDatabase;
  let orgId: string;
  let acknowledged: Map<string, string>;
  beforeEach(async () => {
    database = await openDatabase();
    const { collections } = database;
    orgId = (await createOrg(collections, { name: 'Bench' }))._id;
    const lead = aSoldLead({ org_id: orgId, uncounted: true });
    const changes = [1, 2, 3].map((n) => ({ ...nthChange(lead._id, n), org_id: orgId }));
    await collections.leads.insertOne(lead);
    await createOutcomeStore(collections.outcomes).insert(changes);
    await applyAll(changes, collections);
    acknowledged = new Map(changes.map(({ _id }) => [_id, lead._id]));
  });
  afterEach(() => database.drop());

  const audit = () => auditOutcomes(database, { account: { orgId }, acknowledged });

  it('passes where each outcome is on its lead once, and reports agree', async () => {
    const found = await audit();
    expect(found).toMatchObject({ acknowledged: 3, passed: true });
    expect(auditLine(found)).toContain('audit: passed');
  });

  it('fails where one was acknowledged and is not applied', async () => {
    acknowledged.set('another', 'lead');
    const found = await audit();
    expect(found).toMatchObject({ missing: 1, passed: false });
    expect(auditLine(found)).toContain('FAILED');
  });

  it('fails where one is still open', async () => {
    await database.collections.outcomes.updateOne({ seq: 3 }, { $set: { state: 'open' } });
    expect(await audit()).toMatchObject({ open: 1, passed: false });
  });

  it('fails where one is twice in the trail', async () => {
    const { leads } = database.collections;
    const lead = await leads.findOne({ org_id: orgId });
    await leads.updateOne({ org_id: orgId }, { $push: { trail: { $each: lead?.trail ?? [] } } });
    expect(await audit()).toMatchObject({ wrongLeads: 1, passed: false });
  });

  it('fails where another than the last one is stored', async () => {
    const other = { 'sales.0.outcome': 'converted' as const };
    await database.collections.leads.updateOne({ org_id: orgId }, { $set: other });
    expect(await audit()).toMatchObject({ wrongLeads: 1, passed: false });
  });

  it('fails where reports have another sum than the leads', async () => {
    await audit();
    await database.collections.rollups.updateMany(
      { org_id: orgId, facet: 'all' },
      { $inc: { 'by_status.pending.revenue': 1_000_000 } },
    );
    const found = await audit();
    expect(found).toMatchObject({ wrongLeads: 0, passed: false });
    expect(found.wrongSums).toEqual(['pending: reports say 1 of 11, leads 1 of 10']);
  });
});
