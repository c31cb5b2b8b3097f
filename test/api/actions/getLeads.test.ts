/** The list of leads: its filters, and that its pages contain every lead once. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Lead } from '../../../src/leads/rules/lead.js';
import { aLead } from '../../support/storedRows.js';
import { setUp, startActionsApi, type ActionsApi, type Org } from '../../support/api.js';

interface Row {
  id: string;
  [key: string]: unknown;
}
interface Page {
  leads: Row[];
  next_cursor: string | null;
}

let api: ActionsApi;
beforeAll(async () => {
  api = await startActionsApi();
});
afterAll(() => api.stop());

const put = async (org: Org, ...leads: Partial<Lead>[]): Promise<string[]> => {
  const made = leads.map((lead) => aLead({ org_id: org.id, takes: 1, ...lead }));
  await api.collections.leads.insertMany(made);
  return made.map(({ _id }) => _id);
};
const list = async (org: Org, input: object = {}): Promise<Page> => {
  const { status, json, text } = await api.call(await org.sharedKey(), 'get_leads', input);
  if (status !== 200) throw new Error(`${status} ${text}`);
  expect(json?.next_cursor).toBe((json?.data as Page).next_cursor);
  return json?.data as Page;
};
const idsOf = async (org: Org, input?: object) =>
  (await list(org, input)).leads.map(({ id }) => id);
const at = (text: string) => new Date(text);

describe('get_leads', () => {
  it('begins at an instant, in any zone, or at a day, whichever is later', async () => {
    const org = await api.org();
    const [before, first, last] = await put(
      org,
      { created_at: at('2026-11-21T11:59:59.999Z') },
      { created_at: at('2026-11-21T12:00:00.000Z') },
      { created_at: at('2026-11-22T05:00:00.000Z') },
    );
    const created_from = '2026-11-21T13:00:00+01:00';
    expect(await idsOf(org, { created_from })).toEqual([last, first]);
    expect(await idsOf(org, { created_from, date_from: '2026-11-21' })).toEqual([last, first]);
    expect(await idsOf(org, { created_from, date_from: '2026-11-22' })).toEqual([last]);
    const day = { date_to: '2026-11-21' };
    expect(await idsOf(org, { created_from, ...day })).toEqual([first]);
    expect(await idsOf(org, day)).toEqual([first, before]);
    const wrong = await api.call(await org.sharedKey(), 'get_leads', { created_from: 'yesterday' });
    expect(wrong).toMatchObject({ status: 422, json: { details: [{ path: 'created_from' }] } });
  });

  it('returns rows as live clients read them, with the first keys of get_lead', async () => {
    const org = await api.org();
    const { campaign, buyer } = await setUp(api, org);
    const created_at = at('2026-11-21T12:00:00.000Z');
    const [id] = await put(org, {
      status: 'SELLING',
      campaign_id: campaign.id,
      buyer_id: buyer.id,
      price: 25_500_000,
      cost: 12e6,
      profit: 13_500_000,
      sales: [{ buyer_id: buyer.id, attempt: 1, price: 25_500_000, cost: 12e6, at: created_at }],
      fields: {
        first_name: 'Jane',
        last_name: 'Doe',
        state: 'TX',
        zip_code: '73301',
        phone: '+14155550134',
        email: 'jane@example.com',
      },
      trail: [
        { at: created_at, step: 'closing', result: 'ACCEPTED', reason: 'no_more_buyers' },
        { at: created_at, step: 'outcome', result: 'converted' },
      ],
      created_at,
    });
    const { leads, next_cursor } = await list(org);
    expect(leads).toEqual([
      {
        id,
        campaign_id: campaign.id,
        supplier_id: 'supplier',
        buyer_id: buyer.id,
        status: 'ACCEPTED',
        outcome: null,
        state: 'TX',
        zip_code: '73301',
        cost: 12,
        revenue: 25.5,
        price: 25.5,
        quality_score: null,
        tags: [],
        created_at: created_at.toISOString(),
        accepted_at: created_at.toISOString(),
        converted_at: null,
        name: 'Jane Doe',
        phone: '+14155550134',
        email: 'jane@example.com',
        reason: 'no_more_buyers',
        unsold_reason: null,
        campaign_name: 'Auto',
        supplier_name: null,
        buyer_name: 'Acme',
      },
    ]);
    expect(next_cursor).toBeNull();
    const whole = await api.done<Row>(org, 'get_lead', { lead_id: id });
    expect(whole).toMatchObject(leads[0] ?? {});
  });

  it('names the person by what was sent, and no record of another organization', async () => {
    const [org, other] = [await api.org(), await api.org()];
    const { campaign } = await setUp(api, other);
    await put(
      org,
      { created_at: at('2026-11-21T12:00:00.000Z'), fields: { last_name: 'Doe' } },
      { created_at: at('2026-11-20T12:00:00.000Z'), fields: {}, campaign_id: campaign.id },
    );
    const rows = (await list(org)).leads.map(({ name, campaign_name }) => [name, campaign_name]);
    expect(rows).toEqual([
      ['Doe', null],
      [null, null],
    ]);
  });

  it('shows leads that match all filters, and test leads only on request', async () => {
    const org = await api.org();
    const { campaign, buyer, supplier } = await setUp(api, org);
    const mine = { campaign_id: campaign.id, supplier_id: supplier.id };
    const [sold, unsold, test, other] = await put(
      org,
      {
        ...mine,
        status: 'ACCEPTED',
        buyer_id: buyer.id,
        keys: ['phone:+15551234567', 'click_id:A'],
      },
      { ...mine, status: 'UNMATCHED', keys: ['email:jane@example.com', 'click_id:A'] },
      { ...mine, is_test: true, keys: ['click_id:A'] },
      { status: 'ACCEPTED', keys: ['phone:+15551234567'] },
    );
    const found = async (input: object) => (await idsOf(org, input)).sort();
    const sorted = (...ids: (string | undefined)[]) => ids.sort();
    expect(await found({})).toEqual(sorted(sold, unsold, other));
    expect(await found({ is_test: true })).toEqual([test]);
    expect(await found({ campaign_id: campaign.id })).toEqual(sorted(sold, unsold));
    expect(await found({ buyerId: buyer.id })).toEqual([sold]);
    expect(await found({ supplier_id: supplier.id, status: 'unmatched' })).toEqual([unsold]);
    expect(await found({ status: 'accepted' })).toEqual(sorted(sold, other));
    expect(await found({ phone: '(555) 123-4567' })).toEqual(sorted(sold, other));
    expect(await found({ phone: '5551234567', campaign_id: campaign.id })).toEqual([sold]);
    expect(await found({ email: ' Jane@Example.com ' })).toEqual([unsold]);
    expect(await found({ click_id: 'A' })).toEqual(sorted(sold, unsold));
    expect(await found({ click_id: 'A', phone: '5551234567' })).toEqual([sold]);
    expect(await found({ click_id: 'B' })).toEqual([]);
  });

  it('counts days by the clock of the account, both ends included', async () => {
    const org = await api.org();
    // The day of the change has 25 hours: 04:00 to 05:00 the next day, UTC.
    const [before, first, last, after] = await put(
      org,
      { created_at: at('2026-11-01T03:59:59.999Z') },
      { created_at: at('2026-11-01T04:00:00.000Z') },
      { created_at: at('2026-11-02T04:59:59.999Z') },
      { created_at: at('2026-11-02T05:00:00.000Z') },
    );
    const day = '2026-11-01';
    expect(await idsOf(org, { date_from: day, date_to: day })).toEqual([last, first]);
    expect(await idsOf(org, { date_from: day })).toEqual([after, last, first]);
    expect(await idsOf(org, { date_to: '2026-10-31' })).toEqual([before]);
  });

  it('returns each lead once, newest first, also those of one instant, whatever arrives meanwhile', async () => {
    const org = await api.org();
    const created_at = at('2026-11-20T10:00:00.000Z');
    const same = await put(org, ...Array.from({ length: 7 }, () => ({ created_at })));
    const older = await put(org, { created_at: at('2026-11-20T09:00:00.000Z') });
    const newer = await put(org, { created_at: at('2026-11-20T11:00:00.000Z') });
    const seen: string[] = [];
    let cursor: string | null | undefined;
    for (let pages = 0; pages < 10 && cursor !== null; pages += 1) {
      const page: Page = await list(org, { limit: 2, ...(cursor ? { cursor } : {}) });
      seen.push(...page.leads.map(({ id }) => id));
      cursor = page.next_cursor;
      await put(org, { created_at: at('2026-11-20T12:00:00.000Z') });
    }
    expect(seen).toEqual([...newer, ...same.sort().reverse(), ...older]);
  });

  it('reports what is wrong with an input', async () => {
    const org = await api.org();
    const key = await org.sharedKey();
    const details = async (input: object) => {
      const { status, json } = await api.call(key, 'get_leads', input);
      return [status, (json?.details ?? []) as { path: string; code: string }[]] as const;
    };
    expect(await details({ phone: '12', email: 'x' })).toMatchObject([
      422,
      [
        { path: 'phone', code: 'invalid_format' },
        { path: 'email', code: 'invalid_format' },
      ],
    ]);
    expect(await details({ click_id: '  ' })).toMatchObject([422, [{ path: 'click_id' }]]);
    expect(await details({ date_from: '2026-02-30' })).toMatchObject([
      422,
      [{ path: 'date_from', message: 'date_from must be a date such as 2026-01-31.' }],
    ]);
    expect(await details({ date_from: '2026-02-02', date_to: '2026-02-01' })).toMatchObject([
      422,
      [{ path: 'date_from', code: 'out_of_range' }],
    ]);
    expect(await details({ limit: 501 })).toMatchObject([422, [{ path: 'limit' }]]);
    expect(await details({ cursor: 'bm9uZQ' })).toMatchObject([422, [{ path: 'cursor' }]]);
    expect(await details({ campaign_ids: 'x' })).toMatchObject([
      422,
      [{ path: 'campaign_ids', message: expect.stringContaining('mean campaign_id?') }],
    ]);
  });

  it('reports a campaign, buyer or supplier that does not exist, and lists leads of a deleted one', async () => {
    const org = await api.org();
    const { supplier } = await setUp(api, org);
    for (const named of [{ campaign_id: 'none' }, { buyer_id: 'none' }, { supplier_id: 'none' }]) {
      const { status, json } = await api.call(await org.sharedKey(), 'get_leads', named);
      expect([status, json?.error]).toEqual([400, 'record_not_found']);
    }
    expect(await idsOf(org, { supplier_id: supplier.id })).toEqual([]);
    const left = await put(org, { supplier_id: supplier.id });
    await api.done(org, 'delete_supplier', { supplier_id: supplier.id });
    expect(await idsOf(org, { supplier_id: supplier.id })).toEqual(left);
  });

  it('filters by outcome, and by every status that a lead shows', async () => {
    const org = await api.org();
    const sale = { buyer_id: 'b1', attempt: 1, price: 1, cost: 0, at: at('2026-11-21T12:00:00Z') };
    const sold = { status: 'ACCEPTED' as const, buyer_id: 'b1', sales: [sale] };
    const returned = { at: sale.at, return_id: 'r', cost_reversed: false };
    const [silent, selling, converted, said, back, gaveBack, unsold, expired, waits] = await put(
      org,
      sold,
      { ...sold, status: 'SELLING' },
      { ...sold, outcome: 'converted' },
      { ...sold, outcome: 'pending' },
      { ...sold, sales: [{ ...sale, returned }] },
      { ...sold, sales: [{ ...sale, returned }], outcome: 'converted' },
      { status: 'EXPIRED' },
      { ...sold, outcome: 'expired' },
      { status: 'PENDING' },
    );
    const found = async (input: object) => (await idsOf(org, input)).sort();
    const sorted = (...ids: (string | undefined)[]) => ids.sort();
    const all = [silent, selling, converted, said, back, gaveBack, expired];
    expect(await found({ status: 'accepted' })).toEqual(sorted(...all));
    expect(await found({ status: 'converted' })).toEqual([converted]);
    expect(await found({ outcome: 'Converted' })).toEqual(sorted(converted, gaveBack));
    expect(await found({ status: 'RETURNED' })).toEqual(sorted(back, gaveBack));
    expect(await found({ status: 'returned', outcome: 'converted' })).toEqual([gaveBack]);
    // Two words that differ only in case.
    expect(await found({ status: 'pending' })).toEqual([said]);
    expect(await found({ status: 'PENDING' })).toEqual([waits]);
    expect(await found({ status: 'expired' })).toEqual([expired]);
    expect(await found({ status: 'EXPIRED' })).toEqual([unsold]);
    expect(await found({ status: 'accepted', outcome: 'pending' })).toEqual([said]);
    for (const none of [
      { status: 'converted', outcome: 'pending' },
      { status: 'UNMATCHED', outcome: 'pending' },
      { status: 'not_qualified' },
    ])
      expect(await found(none)).toEqual([]);
    const rows = (await list(org, { status: 'RETURNED' })).leads;
    expect(rows.map(({ status }) => status)).toEqual(['RETURNED', 'RETURNED']);
    const wrong = await api.call(await org.sharedKey(), 'get_leads', { outcome: 'sold' });
    expect(wrong).toMatchObject({ status: 422, json: { details: [{ path: 'outcome' }] } });
  });

  it('fills every page except the last, also of rare kinds, and misses none', async () => {
    const org = await api.org();
    const minute = (n: number) => new Date(Date.UTC(2026, 10, 20, 0, n));
    const leads = Array.from({ length: 600 }, (_, n) => ({
      created_at: minute(Math.floor(n / 2)),
      status: n % 20 === 7 ? ('EXPIRED' as const) : ('UNMATCHED' as const),
      keys: ['phone:+15550001111'],
    }));
    const ids = await put(org, ...leads);
    const rare = ids.filter((_, n) => n % 20 === 7).reverse();
    for (const named of [{}, { phone: '5550001111' }]) {
      const pages: string[][] = [];
      let cursor: string | null = null;
      do {
        const place = cursor === null ? {} : { cursor };
        const page = await list(org, { status: 'EXPIRED', limit: 7, ...named, ...place });
        pages.push(page.leads.map(({ id }) => id));
        cursor = page.next_cursor;
        await put(org, { status: 'EXPIRED', created_at: minute(1_000) });
      } while (cursor !== null);
      expect(pages.map((page) => page.length)).toEqual([7, 7, 7, 7, 2]);
      expect(pages.flat()).toEqual(rare);
    }
  });
});
