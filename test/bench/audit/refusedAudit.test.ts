import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { lookupKeys } from '../../../src/leads/rules/dedupe.js';
import type { Lead } from '../../../src/leads/rules/lead.js';
import { aSale } from '../../outcomes/changes.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';
import { aLead } from '../../support/storedRows.js';
import { startHelper, type Helper } from '../processes.js';
import type { Refusal } from './answers.js';
import { auditRefused } from './refusedAudit.js';

const PHONE = '+15552000001';

describe('the audit of refused leads', () => {
  let buyers: Helper;
  let database: TestDatabase;
  let refusals: Refusal[];
  beforeAll(async () => {
    buyers = await startHelper('buyerProcess.js');
  });
  afterAll(() => buyers.stop());
  beforeEach(async () => {
    database = await openDatabase();
    refusals = [{ status: 503, orgId: 'org', phone: PHONE }];
  });
  afterEach(() => database.drop());

  const audit = () => auditRefused({ ...database, buyers, refusals });
  const store = async (more: Partial<Lead>): Promise<string> => {
    const fields = { phone: PHONE };
    const lead = aLead({ org_id: 'org', fields, keys: lookupKeys(fields), ...more });
    await database.collections.leads.insertOne(lead);
    return lead._id;
  };
  const deliver = (leadId: string) =>
    fetch(`${buyers.url}/fast/1`, {
      method: 'POST',
      headers: { 'x-lead-id': leadId, 'idempotency-key': `${leadId}:buyer` },
      body: '{}',
    });

  it('passes where nothing is stored, and where the lead was withdrawn or kept as refused', async () => {
    expect(await audit()).toEqual({ refused: 1, sold: 0, examples: [] });
    await store({ status: 'WITHDRAWN' });
    await store({ status: 'REJECTED' });
    expect(await audit()).toMatchObject({ sold: 0 });
  });

  it('fails where the lead was sold', async () => {
    const id = await store({ status: 'ACCEPTED', sales: [aSale()] });
    expect(await audit()).toEqual({
      refused: 1,
      sold: 1,
      examples: [`${id} is ACCEPTED, refused with 503`],
    });
  });

  it('fails where a buyer has the lead, whatever is stored', async () => {
    await deliver(await store({ status: 'WITHDRAWN' }));
    expect(await audit()).toMatchObject({ sold: 1 });
  });

  it('does not take the lead of another organization, or of another person, for it', async () => {
    await store({ org_id: 'another', status: 'ACCEPTED', sales: [aSale()] });
    const fields = { phone: '+15552000002' };
    await store({ fields, keys: lookupKeys(fields), status: 'ACCEPTED', sales: [aSale()] });
    expect(await audit()).toMatchObject({ sold: 0 });
  });

  it('searches for more leads than one query holds', async () => {
    const many = Array.from({ length: 1_500 }, (_, n) => `+1555300${String(n).padStart(4, '0')}`);
    refusals.unshift(...many.map((phone) => ({ status: 429, orgId: 'org', phone })));
    await store({ status: 'ACCEPTED', sales: [aSale()] });
    expect(await audit()).toMatchObject({ refused: 1_501, sold: 1 });
  });
});
