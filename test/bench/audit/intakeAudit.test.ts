import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { aSale, aSoldLead } from '../../outcomes/changes.js';
import { aLead } from '../../support/storedRows.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';
import type { Answers, NotedCap } from './answers.js';
import { auditIntake, intakeAuditLine } from './intakeAudit.js';
import { startHelper, type Helper } from '../processes.js';

describe('the audit of intake', () => {
  let buyers: Helper;
  let database: TestDatabase;
  let answers: Answers;
  let caps: NotedCap[];
  let buyerId: string;
  let made = 0;
  beforeAll(async () => {
    buyers = await startHelper('buyerProcess.js');
  });
  afterAll(() => buyers.stop());
  beforeEach(async () => {
    database = await openDatabase();
    answers = new Map();
    caps = [];
    buyerId = `buyer-${++made}`;
  });
  afterEach(() => database.drop());

  const audit = () => auditIntake({ ...database, buyers, answers, caps });
  const deliver = (leadId: string, to: string, path = '/fast/1') =>
    fetch(`${buyers.url}${path}`, {
      method: 'POST',
      headers: { 'x-lead-id': leadId, 'idempotency-key': `${leadId}:${to}` },
      body: '{}',
    });
  /** Sold to the buyer, and answered so to the supplier; delivered this many times. */
  const sell = async (deliveries = 1): Promise<string> => {
    const sales = [aSale({ buyer_id: buyerId })];
    const { insertedId } = await database.collections.leads.insertOne(
      aSoldLead({ buyer_id: buyerId, sales }),
    );
    for (let n = 0; n < deliveries; n++) await deliver(insertedId, buyerId);
    answers.set(insertedId, 'delivered');
    return insertedId;
  };

  it('passes where each lead is stored, and with its buyer once', async () => {
    await sell();
    await sell();
    const found = await audit();
    const nothing = { lost: 0, doubled: 0, over_cap: 0, false_answers: 0 };
    expect(found).toMatchObject({ passed: true, leads: 2, ...nothing });
    expect(intakeAuditLine(found)).toContain('audit of intake: passed: 2 acknowledged');
  });

  it('fails where a lead was acknowledged and is not stored', async () => {
    await sell();
    answers.set('nowhere', 'pending');
    const found = await audit();
    expect(found).toMatchObject({ passed: false, leads: 2, lost: 1 });
    expect(intakeAuditLine(found)).toContain('FAILED');
    expect(intakeAuditLine(found)).toContain('lost nowhere (told pending)');
  });

  it('fails where a lead is recorded as sold and its buyer does not have it', async () => {
    await sell(0);
    expect(await audit()).toMatchObject({ passed: false, lost: 1, doubled: 0 });
  });

  it('does not count a refused request as a delivery', async () => {
    const leadId = await sell(0);
    await deliver(leadId, buyerId, '/status/503');
    expect(await audit()).toMatchObject({ passed: false, lost: 1 });
  });

  it('fails where a buyer got a lead twice', async () => {
    await sell(2);
    expect(await audit()).toMatchObject({ passed: false, lost: 0, doubled: 1 });
  });

  it('fails where two buyers got a lead that was sold once', async () => {
    await deliver(await sell(), 'another');
    expect(await audit()).toMatchObject({ passed: false, doubled: 1 });
  });

  it("fails where the status of a lead differs from the supplier's answer", async () => {
    const lead = aLead({ status: 'UNMATCHED' });
    await database.collections.leads.insertOne(lead);
    answers.set(lead._id, 'delivered');
    expect(await audit()).toMatchObject({ passed: false, lost: 0, false_answers: 1 });
    answers.set(lead._id, 'UNMATCHED');
    expect(await audit()).toMatchObject({ passed: true, leads: 1 });
  });

  it('fails where a buyer got more leads than its cap allows, whatever the answers', async () => {
    await sell();
    await sell();
    caps.push({ buyerId, leads: 2 });
    expect(await audit()).toMatchObject({ passed: true, over_cap: 0 });
    await deliver('nobody was told of this one', buyerId);
    expect(await audit()).toMatchObject({ passed: false, over_cap: 1, lost: 0, doubled: 0 });
  });

  it('searches for more leads than one query holds', async () => {
    const leads = Array.from({ length: 1_500 }, () => aLead({ status: 'UNMATCHED' }));
    await database.collections.leads.insertMany(leads);
    for (const { _id } of leads) answers.set(_id, 'UNMATCHED');
    await sell();
    await sell(0);
    expect(await audit()).toMatchObject({ passed: false, leads: 1_502, lost: 1, doubled: 0 });
  });
});
