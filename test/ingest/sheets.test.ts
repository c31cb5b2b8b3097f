/** Leads for a sheet whose answers do not say whether a row was written. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DeliveryInput } from '../../src/account/buyers/delivery.js';
import { startGoogle, type GoogleServer } from '../platform/outbound/googleServer.js';
import { createAccount } from '../support/account.js';
import { startServiceBed, type ServiceBed } from '../support/service.js';
import { supplierOf } from '../support/supplier.js';
import { waitFor } from '../support/waitFor.js';

let bed: ServiceBed;
let url: string;
let google: GoogleServer;
/** First cells of the sheet, without its last, empty rows. */
let column: string[] = [];
/** The results of the next appends; later ones are written and confirmed. */
let appends: { writes: boolean; status: number }[] = [];
/** Number of reads that fail before reads succeed. */
let looksFail = 0;

beforeAll(async () => {
  bed = await startServiceBed();
  google = await startGoogle(({ path, body }, res) => {
    const say = (status: number, value: unknown) =>
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (path.includes(':append?')) {
      const { writes, status } = appends.shift() ?? { writes: true, status: 200 };
      const [[id = ''] = []] = (JSON.parse(body) as { values: string[][] }).values;
      if (writes) column.push(id);
      return say(status, status === 200 ? { updates: { updatedRange: 'A1' } } : { error: {} });
    }
    if (looksFail > 0) {
      looksFail -= 1;
      return say(503, {});
    }
    if (path.includes('?fields=')) {
      const gridProperties = { rowCount: column.length + 1_000 };
      return say(200, { sheets: [{ properties: { title: 'Leads', gridProperties } }] });
    }
    const [, first = '1', last = '1'] = /A(\d+):A(\d+)/.exec(decodeURIComponent(path)) ?? [];
    const values = column.slice(Number(first) - 1, Number(last));
    return say(200, values.length > 0 ? { values: [values] } : {});
  });
  ({ url } = await bed.start('all', {
    GOOGLE_SERVICE_ACCOUNT_JSON: google.keyJson,
    GOOGLE_SHEETS_ENDPOINT: google.url,
  }));
  // Google's library, and the token for all requests, take longer than a lead's send window on a busy machine.
  await post();
  await waitFor(() => google.tokens().length === 1, {
    timeoutMs: 30_000,
    message: 'Google has issued the token',
  });
});
afterAll(async () => {
  await bed.stop();
  google.stop();
});
beforeEach(() => {
  column = Array.from({ length: 7_000 }, (_, n) => `another lead ${n}`);
  [appends, looksFail] = [[], 0];
});

/** Posts a lead to a campaign whose first buyer has a sheet. */
async function post(more: Partial<DeliveryInput> = {}, before = async () => {}) {
  const delivery: DeliveryInput = {
    method: 'GOOGLE_SHEET',
    spreadsheet_id: `sheet-${randomUUID()}`,
    ...more,
  };
  const account = await createAccount(bed, {
    buyers: { sheet: { delivery }, next: { delivery: { method: 'STORE' } } },
  });
  await before();
  const supplier = supplierOf(url, account);
  const { data } = await supplier.post({ state: 'CA' });
  await supplier.close();
  const id = data?.id ?? '';
  const sold = () =>
    waitFor(
      async () => {
        const lead = await bed.collections.leads.findOne({ _id: id });
        expect(lead?.sales.map(({ buyer_id }) => buyer_id)).toEqual([account.buyers.sheet]);
        return true;
      },
      { message: `lead ${id} is sold to the sheet` },
    );
  const row = () => bed.collections.deliveries.findOne({ lead_id: id });
  const rows = () => column.filter((cell) => cell === id).length;
  return { delivery: data?.delivery, sold, row, rows };
}

describe('a lead for a sheet that answers 503', () => {
  it('is sold when its row exists anyway, and is offered to no other buyer', async () => {
    appends = [{ writes: true, status: 503 }];
    const { delivery, row, sold, rows } = await post();
    expect(delivery).toBe('delivered');
    await sold();
    expect(await row()).toMatchObject({
      state: 'accepted',
      reason: 'The row is in the sheet',
      reference: 'A7001',
    });
    expect(rows()).toBe(1);
  });

  it('waits when its row does not exist, and is written later, once', async () => {
    appends = [{ writes: false, status: 503 }];
    const { delivery, sold, row, rows } = await post();
    expect(delivery).toBe('pending');
    await sold();
    expect(await row()).toMatchObject({ state: 'accepted', tries: 2 });
    expect(rows()).toBe(1);
  });

  it('is not written twice when its row could not be searched for at first', async () => {
    appends = [{ writes: true, status: 503 }];
    looksFail = 2;
    const { delivery, sold, row, rows } = await post({ sheet: 'Leads' });
    expect(delivery).toBe('pending');
    await sold();
    expect(await row()).toMatchObject({ state: 'accepted', reference: "'Leads'!A7001" });
    expect(rows()).toBe(1);
  });

  it('is held as unknown where the buyer does not want it sent again', async () => {
    appends = [{ writes: false, status: 500 }];
    const { delivery, row } = await post({ honours_idempotency_key: false });
    expect(delivery).toBe('pending');
    const isHeld = async () => (await row())?.state === 'unknown';
    await waitFor(isHeld, { timeoutMs: 5_000, message: 'the delivery is held' });
    expect((await row())?.reason).toBe('Google Sheets answered 500');
  });
});

describe('a lead for a sheet of another organization', () => {
  it('is not written there, and goes to the next buyer', async () => {
    const spreadsheet_id = `sheet-${randomUUID()}`;
    const { delivery, row, rows } = await post({ spreadsheet_id }, async () => {
      // As a release without owners may have stored it.
      const theirs = { _id: spreadsheet_id, org_id: 'another', claimed_at: new Date() };
      await bed.collections.spreadsheets.replaceOne({ _id: spreadsheet_id }, theirs);
    });
    expect(delivery).toBe('delivered');
    expect((await row())?.reason).toMatch(/^The spreadsheet is in use by another organization/);
    expect(rows()).toBe(0);
  });
});
