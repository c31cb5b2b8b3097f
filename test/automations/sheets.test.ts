/** Events written as rows of a sheet. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { EventType } from '../../src/events/rules/events.js';
import { readServiceAccount } from '../../src/platform/outbound/sheets/credentials.js';
import { createSheets } from '../../src/platform/outbound/sheets/sheets.js';
import type { AutomationDoc } from '../../src/account/store/automationDocs.js';
import { startSheet, type FakeSheet } from '../platform/outbound/fakeSheet.js';
import { startTestbed, type Testbed } from '../support/testbed.js';
import { anAutomation } from './anAutomation.js';
import { createEventFlow, ids, type EventFlow } from './eventFlow.js';

const COLUMNS = ['event_type', 'lead_id', 'is_test', 'price', 'email', 'extra.utm', 'outcome'];

describe('an automation with a sheet', () => {
  let bed: Testbed;
  let flow: EventFlow;
  let sheet: FakeSheet;
  let withSheets: EventFlow['deps'];
  beforeAll(async () => {
    bed = await startTestbed({ role: null });
    flow = createEventFlow(bed);
    sheet = await startSheet();
  });
  afterAll(async () => {
    sheet.stop();
    await bed.stop();
  });
  beforeEach(async () => {
    await flow.reset();
    sheet.reset();
    const account = readServiceAccount(sheet.keyJson);
    if (!account) throw new Error('no account');
    const { outbound } = flow.deps;
    // Like a process that has not read the sheet.
    withSheets = { ...flow.deps, sheets: createSheets({ account, outbound, endpoint: sheet.url }) };
  });

  const add = (more: Partial<AutomationDoc> = {}) =>
    bed.collections.automations.insertOne(
      anAutomation({
        _id: 'a',
        action: 'GOOGLE_SHEET',
        ...more,
        target: { spreadsheet_id: 'sheet-of-org', sheet: 'Events', columns: COLUMNS },
      } as Partial<AutomationDoc>),
    );
  const happen = async (leads: string[], type: EventType = 'lead.accepted') => {
    const fields = { email: '=IMPORTXML("x")' };
    await flow.insertLeads(leads, type, 1, { fields, extra: { utm: 'spring' } });
    await flow.relay(leads);
  };
  const drain = async () => {
    await flow.endWaits();
    return flow.drain('a', withSheets);
  };
  const delivery = () => bed.collections.eventDeliveries.findOne();
  const cellsOf = (lead: string) => [
    `evt_${lead}_1`,
    'lead.accepted',
    lead,
    false,
    0,
    '=IMPORTXML("x")',
    'spring',
    '',
  ];

  it('writes a row for each event, under a header, with formulas as text', async () => {
    await add();
    await happen(ids(20));
    await drain();
    expect(sheet.rows[0]).toEqual(['event_id', ...COLUMNS]);
    expect(sheet.rows.slice(1).toSorted()).toEqual(ids(20).map(cellsOf).toSorted());
    expect(sheet.seen.every(({ path }) => !path.includes(':append') || path.includes('=RAW'))).toBe(
      true,
    );
    expect(await bed.collections.eventDeliveries.distinct('state')).toEqual(['delivered']);
  });

  it('writes no header when a first row exists', async () => {
    sheet.rows.push(['Mine', 'Too']);
    await add();
    await happen(['lead-0']);
    await drain();
    expect(sheet.rows).toEqual([['Mine', 'Too'], cellsOf('lead-0')]);
  });

  it('writes a row once although Google answered 503', async () => {
    await add();
    await happen(['lead-0']);
    sheet.next({ writes: true, status: 503 });
    await drain();
    expect(await delivery()).toMatchObject({ state: 'delivered' });
    expect(sheet.rows).toHaveLength(2);
  });

  it('writes a row once although the answer and every search for it failed', async () => {
    await add();
    await happen(['lead-0']);
    sheet.next({ writes: true, status: 503 });
    sheet.failReads(1, 1);
    await drain();
    expect(await delivery()).toMatchObject({
      state: 'waiting',
      reason: 'Google Sheets answered 503',
    });
    sheet.failReads(1);
    await drain();
    expect((await delivery())?.reason).toMatch(/^the row could not be looked for/);
    await drain();
    expect(await delivery()).toMatchObject({ state: 'delivered' });
    expect(sheet.rows).toHaveLength(2);
  });

  it('writes a row once although the writing process died', async () => {
    await add();
    await happen(['lead-0']);
    sheet.rows.push(['event_id'], ['evt_lead-0_1']);
    // The state of a delivery whose run began to send it and then lost its lease.
    await bed.collections.eventDeliveries.updateOne({}, { $set: { run: 'dead', attempts: 1 } });
    await drain();
    expect(await delivery()).toMatchObject({ state: 'delivered', attempts: 2 });
    expect(sheet.rows).toHaveLength(2);
  });

  it('waits, and is not disabled at once, where the sheet is not shared with it', async () => {
    await add();
    await happen(['lead-0']);
    sheet.next({ writes: false, status: 403, message: 'The caller does not have permission' });
    await drain();
    expect(await delivery()).toMatchObject({
      state: 'waiting',
      reason: 'Google Sheets answered 403: The caller does not have permission',
    });
    await drain();
    expect(await delivery()).toMatchObject({ state: 'delivered' });
  });

  it('gets nothing without a service account', async () => {
    await add();
    await happen(['lead-0']);
    await flow.endWaits();
    await flow.drain('a');
    expect(await delivery()).toMatchObject({
      state: 'waiting',
      reason: 'GOOGLE_SERVICE_ACCOUNT_FILE is not set in this installation',
    });
  });
});
