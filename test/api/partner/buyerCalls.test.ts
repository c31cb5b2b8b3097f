import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { windowsNow } from '../../support/org.js';
import { openPortal, portalClient, setPortal, signInMember } from '../../support/portal.js';
import { SHOWN, startPartnerBed, type PartnerBed } from './partnerBed.js';

describe('the calls of a buyer', () => {
  let bed: PartnerBed;
  beforeAll(async () => {
    bed = await startPartnerBed();
  });
  afterAll(() => bed.stop());

  const done = async <T = Record<string, unknown>>(name: string, input: object = {}) => {
    const reply = await bed.clients.buyer.call(name, input);
    expect(reply.status === 200 ? '' : reply.text).toBe('');
    return reply.json?.data as T;
  };
  const refused = async (name: string, input: object) =>
    (await bed.clients.buyer.call(name, input)).json;

  it('show a lead by its sale to this buyer, although another buyer bought it too', async () => {
    const [row, ...more] = await done<unknown[]>('list_sales');
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      lead_id: bed.leadId,
      price: 55.5511,
      status: 'sold',
      outcome: null,
    });
    const other = await bed.clients.rival.call('list_sales');
    expect(other.json?.data).toHaveLength(2);
  });

  it('show one sale with its shown fields and its own deliveries', async () => {
    const sale = await done('get_sale', { lead_id: bed.leadId });
    const fields = (sale.fields as { name: string }[]).map(({ name }) => name);
    expect(fields.toSorted()).toEqual(['email', 'first_name', 'last_name', 'state']);
    expect(sale.attempts).toMatchObject([{ state: 'accepted', http_status: 200 }]);
  });

  it.each([
    ['its id', (id: string) => id, 1],
    ['how its id begins', (id: string) => id.slice(0, 13), 1],
    ['its email', () => 'SHOWN@example.com', 1],
    ['a name in small letters', () => 'jane', 1],
    ['what no lead has', () => 'nobody@example.com', 0],
  ])('find a sale by %s', async (_what, search, count) => {
    expect(await done('list_sales', { search: search(bed.leadId) })).toHaveLength(count);
  });

  it('list by day, status and outcome', async () => {
    const today = windowsNow().day;
    expect(await done('list_sales', { from: today, to: today, outcome: 'none' })).toHaveLength(1);
    expect(await done('list_sales', { status: 'returned' })).toEqual([]);
    expect(await done('list_sales', { outcome: 'converted' })).toEqual([]);
    expect(await refused('list_sales', { from: '2026-02-02', to: '2026-02-01' })).toMatchObject({
      error: 'invalid_input',
      details: [{ path: 'from', code: 'out_of_range' }],
    });
  });

  it("record an outcome of the buyer's own sale, and leave the other sale unchanged", async () => {
    const input = { lead_id: bed.leadId, outcome: 'converted', conversion_revenue: 120.5 };
    expect(await done('record_outcome', input)).toMatchObject({
      outcome: 'converted',
      conversion_revenue: 120.5,
    });
    expect(await done('list_sales', { outcome: 'converted' })).toMatchObject([{ charged: 120.5 }]);
    const { audit } = bed.testbed.collections;
    expect(
      await audit.findOne({ action: 'buyer_portal.record_outcome', 'party.id': bed.ids.mine }),
    ).toMatchObject({
      person: { id: bed.members.buyer.person_id },
      party: { kind: 'buyer' },
      outcome: 'done',
    });
  });

  it('name every fault of an import by its line, and import the other rows', async () => {
    const csv = [
      'lead_id,outcome,conversion_revenue',
      `${bed.leadId},pending,`,
      `${bed.leadId},sold,`,
      `${bed.leadId},converted,12.34567`,
      ',converted,',
      `${bed.leadId},,12`,
    ].join('\n');
    expect(await done('import_outcomes', { csv })).toMatchObject({
      rows: 5,
      done: 2,
      refused: 3,
      report: [
        { line: 2, result: 'done', lead_id: bed.leadId },
        { line: 3, result: 'refused', path: 'outcome', code: 'not_allowed' },
        { line: 4, result: 'refused', path: 'conversion_revenue' },
        { line: 5, result: 'refused', path: 'lead_id', code: 'required' },
        { line: 6, result: 'done', lead_id: bed.leadId },
      ],
    });
    expect(await done('list_sales', { outcome: 'pending' })).toHaveLength(1);
    expect(await refused('import_outcomes', { csv: 'lead_id,state\n1,CA\n' })).toMatchObject({
      details: [{ path: 'csv', code: 'not_allowed' }],
    });
  });

  it('import the rows of one lead in the order of the file', async () => {
    const notes = Array.from({ length: 12 }, (_, n) => `row ${n}`);
    // A row that must be searched for takes longer than one that names the lead.
    const byEmail = `,${bed.ids.campaign},shown@example.com`;
    const rows = notes.map((note, n) => `${n % 2 === 0 ? byEmail : `${bed.leadId},,`},${note}`);
    const { outcomes, leads } = bed.testbed.collections;
    await done('import_outcomes', { csv: ['lead_id,campaign_id,email,note', ...rows].join('\n') });
    const mine = { lead_id: bed.leadId, buyer_id: bed.ids.mine, 'ask.note': /^row/ };
    const made = await outcomes.find(mine).sort({ seq: 1 }).toArray();
    expect(made.map(({ ask }) => (ask.kind === 'outcome' ? ask.note : ''))).toEqual(notes);
    const lead = await leads.findOne({ _id: bed.leadId });
    const sale = lead?.sales.find(({ buyer_id }) => buyer_id === bed.ids.mine);
    expect(sale?.note).toBe('row 11');
  });

  it('import a file of at most 1 MiB, counted in bytes', async () => {
    const csv = `lead_id,outcome\n${'ü'.repeat(600_000)},pending\n`;
    expect(await refused('import_outcomes', { csv })).toMatchObject({
      error: 'invalid_input',
      details: [{ path: 'csv', code: 'too_long', message: 'csv must have at most 1048576 bytes.' }],
    });
  });

  it('count usage of each cap and budget, with the start of the next window', async () => {
    const usage = await done('get_usage');
    expect(usage).toMatchObject({ status: 'active' });
    const [campaign] = usage.campaigns as { limits: unknown[] }[];
    expect(campaign?.limits).toMatchObject([
      { window: 'day', of: 'leads', limit: 100, used: 1, left: 99 },
      { window: 'day', of: 'budget', limit: 50_000, used: 55.5511 },
    ]);
  });

  it('return rates by day', async () => {
    const rates = await done('get_daily_rates');
    expect(rates.days).toHaveLength(30);
    expect(rates.totals).toMatchObject({
      sent: 2,
      accepted: 1,
      rejected: 1,
      acceptance_rate: 0.5,
      sold: 1,
    });
  });

  it('return rates of at most 92 days, the first and the last included', async () => {
    const of = (from: string) => ({ from, to: '2026-04-02' });
    const { days } = await done<{ days: unknown[] }>('get_daily_rates', of('2026-01-01'));
    expect(days).toHaveLength(92);
    expect(await refused('get_daily_rates', of('2025-12-31'))).toMatchObject({
      details: [{ path: 'from', message: 'from and to must span at most 92 days.' }],
    });
  });

  it('send a test lead only to this buyer, and store none', async () => {
    const before = bed.market.sentTo('mine').length;
    const leads = await bed.market.leads();
    const sent = await done('send_test_lead', {
      campaign_id: bed.ids.campaign,
      fields: { first_name: 'Ada' },
    });
    expect(sent).toMatchObject({ result: 'accepted', http_status: 200 });
    expect(bed.market.sentTo('mine')).toHaveLength(before + 1);
    expect(bed.market.sentTo('mine').at(-1)?.body).toMatchObject({
      first_name: 'Ada',
      is_test: true,
    });
    expect(await bed.market.leads()).toHaveLength(leads.length);
    expect(
      await refused('send_test_lead', {
        campaign_id: bed.ids.campaign,
        fields: { phone: '5550001111' },
      }),
    ).toMatchObject({ details: [{ path: 'fields.phone', code: 'not_allowed' }] });
  });

  it('change the endpoint, and show no secret of it', async () => {
    const input = { url: 'https://buyer.example/leads?key=s3cret', headers: { 'x-key': 's3cret' } };
    const view = await bed.clients.buyer.call('update_endpoint', input);
    expect(view.status).toBe(200);
    expect(view.text).not.toContain('s3cret');
    expect(view.json?.data).toMatchObject({
      url: 'https://buyer.example/leads?[hidden]',
      headers: ['x-key'],
    });
    const shown = { url: 'https://buyer.example/leads?[hidden]', headers: { 'x-new': 'another' } };
    await done('update_endpoint', shown);
    const { buyers } = bed.testbed.collections;
    expect((await buyers.findOne({ _id: bed.ids.mine }))?.delivery).toMatchObject({
      url: input.url,
      headers: { 'x-new': expect.anything() },
    });
    expect(
      await refused('update_endpoint', { url: 'https://buyer.example/other?[hidden]' }),
    ).toMatchObject({ details: [{ path: 'url', message: expect.stringContaining('[hidden]') }] });
    expect(await refused('update_endpoint', { url: 'not an address', headers: {} })).toMatchObject({
      error: 'invalid_input',
      details: [{ path: 'url' }],
    });
  });

  it('rotate a secret: the new one is valid at once, the old one until the overlap ends', async () => {
    const made = await done('rotate_secret', { secret: 'webhook', overlap_hours: 1 });
    const { url } = await done<{ url: string }>('get_postback_guide');
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-buyer-secret': String(made.value) },
      body: JSON.stringify({ lead_id: bed.leadId, outcome: 'converted' }),
    });
    expect(answer.status).toBe(200);
    expect(await done('get_endpoint')).toMatchObject({
      secrets: { webhook_previous_until: made.previous_until },
    });
  });

  it('pause and resume, but not what the operator has paused', async () => {
    const { buyers } = bed.testbed.collections;
    expect(await done('pause')).toEqual({ status: 'paused', change_id: null });
    expect(await done('resume')).toEqual({ status: 'active', change_id: null });
    await buyers.updateOne({ _id: bed.ids.mine }, { $set: { status: 'paused', paused_by: null } });
    expect(await refused('resume', {})).toMatchObject({ error: 'conflict' });
    await buyers.updateOne({ _id: bed.ids.mine }, { $set: { status: 'active' } });
  });

  it('request a change, shown as before and after, and withdraw it', async () => {
    const asked = await done('request_change', {
      campaign_id: bed.ids.campaign,
      price: 60,
      caps: { daily_cap: 50 },
    });
    expect(asked.changes).toEqual([
      { name: 'price', before: 55.5511, after: 60 },
      { name: 'daily_cap', before: 100, after: 50 },
    ]);
    expect(await done('list_changes')).toMatchObject([{ id: asked.id, state: 'pending' }]);
    expect(await done('withdraw_change', { change_id: asked.id })).toMatchObject({
      state: 'withdrawn',
    });
  });

  it('refuse a viewer what admins do, and an admin whose sign-in is not fresh', async () => {
    const { collections, url } = bed.testbed;
    const scope = { kind: 'buyer', buyer_id: bed.ids.mine } as const;
    const viewer = await signInMember(collections, { org_id: bed.ids.org, scope, role: 'viewer' });
    const stale = await signInMember(collections, { org_id: bed.ids.org, scope, isStale: true });
    const rotate = (member: typeof viewer) =>
      portalClient(url, member).call('rotate_secret', { secret: 'signing' });
    expect((await rotate(viewer)).json).toMatchObject({ error: 'forbidden', required: 'admin' });
    expect((await rotate(stale)).json).toMatchObject({
      error: 'forbidden',
      required: 'fresh_sign_in',
    });
  });

  it('refuse what the operator does not allow', async () => {
    const party = { org_id: bed.ids.org, side: 'buyer', party_id: bed.ids.rival } as const;
    const off = { ...SHOWN, returns: false, exports: false, resend: false, change_requests: false };
    const member = await openPortal(bed.testbed.collections, party, { ...off, pause: 'off' });
    const rival = portalClient(bed.testbed.url, member);
    const codes = await Promise.all([
      rival.call('request_return', { lead_id: bed.leadId, reason: 'other' }),
      rival.call('resend_delivery', { lead_id: bed.leadId }),
      rival.call('request_change', { campaign_id: bed.ids.campaign, price: 1 }),
      rival.call('pause'),
      rival.file('leads.csv'),
    ]);
    expect(codes.map(({ json }) => [json?.error, json?.required])).toEqual(
      ['returns', 'resend', 'change_requests', 'pause', 'exports'].map((flag) => [
        'forbidden',
        flag,
      ]),
    );
    await setPortal(bed.testbed.collections, party, SHOWN);
  });

  it('return the list as CSV, with only the shown fields', async () => {
    const { status, text } = await bed.clients.buyer.file('leads.csv');
    expect(status).toBe(200);
    const [head, ...rows] = text.replace('\uFEFF', '').trimEnd().split('\r\n');
    expect(head).toMatch(/^lead_id,campaign,received_at,.*first_name/);
    expect(head).not.toContain('phone');
    expect(rows).toHaveLength(1);
  });
});

describe('returns', () => {
  let bed: PartnerBed;
  beforeAll(async () => {
    bed = await startPartnerBed();
  });
  afterAll(() => bed.stop());

  it('never exceed the monthly limit, even when requested concurrently', async () => {
    const { collections } = bed.testbed;
    const ids = [bed.leadId];
    for (let n = 0; n < 5; n += 1) ids.push((await bed.market.post()).id);
    await Promise.all(ids.map((id) => bed.testbed.becomes(id, 'ACCEPTED')));
    const limits = { allowed: true, max_age_days: null, max_share_pct: null, max_per_month: 3 };
    const rest = { auto_accept_hours: null, reverse_cost: false, resell: false };
    await collections.buyers.updateOne(
      { _id: bed.ids.mine },
      { $set: { returns: { ...limits, ...rest } } },
    );
    const replies = await Promise.all(
      ids.map((lead_id) => bed.clients.buyer.call('request_return', { lead_id, reason: 'other' })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(replies.find(({ status }) => status !== 200)?.json).toMatchObject({
      error: 'invalid_input',
      details: [{ path: 'lead_id', code: 'not_allowed' }],
    });
    const allowance = await bed.clients.buyer.call('get_return_allowance');
    expect(allowance.json?.data).toMatchObject({
      months: [{ bought: 6, returned: 3, most: 3, left: 0, limited_by: 'max_per_month' }, {}],
    });
    const listed = await bed.clients.buyer.call('list_sales', { status: 'return_requested' });
    expect(listed.json?.data).toHaveLength(3);
  });
});
