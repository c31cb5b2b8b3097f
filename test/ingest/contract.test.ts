import { signingSecretPlace } from '../../src/account/rules/sealedPlaces.js';
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NO, YES } from '../support/fakeBuyer.js';
import { INHERITED } from '../support/inherited.js';
import { startTestbed, type Testbed } from '../support/testbed.js';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('a lead that finds its buyer', () => {
  let testbed: Testbed;
  beforeAll(async () => {
    testbed = await startTestbed();
  });
  afterAll(() => testbed.stop());

  it('is answered 201 with the buyer that accepted it', async () => {
    const { account, post, sentTo } = await testbed.market();
    const answer = await post();
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      data: {
        id: expect.stringMatching(UUID),
        status: 'ACCEPTED',
        buyer_id: account.buyers.only,
        campaign_id: account.campaignId,
        delivery: 'delivered',
      },
    });
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.headers['idempotent-replayed']).toBeUndefined();
    expect(sentTo('only')).toHaveLength(1);
    expect(await testbed.lead(answer.data?.id)).toMatchObject({
      status: 'ACCEPTED',
      supplier_id: account.suppliers[0]?.id,
      buyer_id: account.buyers.only,
      sales: [{ buyer_id: account.buyers.only, attempt: 1, price: 10_000_000 }],
      decided_at: expect.any(Date),
    });
  });

  it('may name its campaign and its supplier in capitals', async () => {
    const { account, post } = await testbed.market();
    const answer = await post({
      flo_campaign_id: account.campaignId.toUpperCase(),
      flo_supplier_id: account.suppliers[0]?.id.toUpperCase(),
    });
    expect(answer).toMatchObject({ status: 201, data: { campaign_id: account.campaignId } });
    expect(await testbed.lead(answer.data?.id)).toMatchObject({
      supplier_id: account.suppliers[0]?.id,
    });
  });

  it('reaches the buyer normalized, signed and with its keys', async () => {
    const { account, post, sentTo } = await testbed.market({ buyers: { only: { price: 12.5 } } });
    const answer = await post({
      first_name: ' Jane ',
      last_name: 'Doe',
      phone: '(555) 867-5309',
      email: 'Jane.Doe@Example.COM',
      state: 'ca',
      favourite_colour: 'green',
    });
    const [request] = sentTo('only');
    const lead = await testbed.lead(answer.data?.id);
    expect(request?.body).toEqual({
      lead_id: lead._id,
      campaign_id: account.campaignId,
      buyer_id: account.buyers.only,
      is_test: false,
      price: 12.5,
      first_name: 'Jane',
      last_name: 'Doe',
      phone: '+15558675309',
      email: 'jane.doe@example.com',
      state: 'CA',
      extra: { favourite_colour: 'green' },
      created_at: lead.created_at.toISOString(),
    });
    const buyer = await testbed.collections.buyers.findOne({ _id: account.buyers.only ?? '' });
    if (!buyer || !request) throw new Error('The buyer was not asked');
    const secret = testbed.keyring.open(buyer.signing_secret, signingSecretPlace(buyer._id));
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'x-lead-id': lead._id,
      'idempotency-key': `${lead._id}:${buyer._id}`,
      'x-leaddistro-signature': createHmac('sha256', secret).update(request.rawBody).digest('hex'),
      'webhook-id': `${lead._id}:${buyer._id}`,
    });
    const sentAt = Number(request.headers['webhook-timestamp']);
    expect(Math.abs(sentAt - Date.now() / 1_000)).toBeLessThan(60);
    const signed = `${lead._id}:${buyer._id}.${sentAt}.${request.rawBody}`;
    const signature = createHmac('sha256', secret).update(signed).digest('base64');
    expect(request.headers['webhook-signature']).toBe(`v1,${signature}`);
  });

  it('keeps and delivers unmapped fields, whatever their names', async () => {
    const { post, sentTo } = await testbed.market();
    const names = ['a.b', '.', '$where', '$set', 'a.$.b', 'größe', ...INHERITED];
    const extra = Object.fromEntries(names.map((name) => [name, `of ${name}`]));
    const body = JSON.parse(JSON.stringify(extra)) as Record<string, unknown>;
    const answer = await post(body);
    expect(answer.status).toBe(201);
    const lead = await testbed.lead(answer.data?.id);
    expect(Object.entries(lead.extra)).toEqual(Object.entries(extra));
    const { extra: delivered } = sentTo('only')[0]?.body as { extra: object };
    expect(Object.entries(delivered)).toEqual(Object.entries(extra));
  });

  it.each([
    ['FIXED', { cost_per_lead: 4 }, 4_000_000],
    ['REVENUE_SHARE', { revenue_share: 60 }, 7_500_000],
    ['NONE', {}, 0],
  ] as const)(
    'records price, cost and profit with cost mode %s',
    async (cost_mode, terms, cost) => {
      const { post } = await testbed.market({
        buyers: { only: { price: 12.5 } },
        supplier: { cost_mode, ...terms },
      });
      const { data } = await post();
      expect(await testbed.lead(data?.id)).toMatchObject({
        price: 12_500_000,
        cost,
        profit: 12_500_000 - cost,
      });
    },
  );

  it('leaves a trail with the result for each buyer', async () => {
    const { account, post } = await testbed.market({
      buyers: {
        paused: { status: 'paused' },
        elsewhere: { states: ['TX'] },
        picky: { filters: { all: [{ id: 'zip', field: 'zip_code', operator: 'IS NOT EMPTY' }] } },
        full: { caps: { daily_cap: 0 } },
        refusing: { answer: () => NO },
        taker: {},
      },
    });
    const { data } = await post();
    const { trail } = await testbed.lead(data?.id);
    const said = (buyer: string) =>
      trail
        .filter(({ buyer_id }) => buyer_id === account.buyers[buyer])
        .map(({ step, result, reason }) => [step, result, reason]);
    expect(said('paused')).toEqual([['routing', 'skipped', 'paused']]);
    expect(said('elsewhere')).toEqual([['routing', 'skipped', 'state_not_served']]);
    expect(said('picky')).toEqual([['routing', 'skipped', 'filtered']]);
    expect(said('full')).toEqual([['caps', 'full', expect.any(String)]]);
    expect(said('refusing')).toEqual([['delivery', 'rejected', 'The buyer answered 422']]);
    expect(said('taker')).toEqual([
      ['delivery', 'accepted', 'The buyer answered 200'],
      ['closing', 'ACCEPTED', undefined],
    ]);
    expect(trail.map(({ step }) => step).slice(0, 2)).toEqual(['received', 'filters']);
    const times = trail.map(({ at }) => Number(at));
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  it('goes to the next buyer when the first says 503, and is parked nowhere', async () => {
    const { account, post, sentTo } = await testbed.market({
      buyers: { down: { answer: () => ({ status: 503 }) }, well: {} },
    });
    const answer = await post();
    expect(answer).toMatchObject({
      status: 201,
      data: { buyer_id: account.buyers.well, delivery: 'delivered' },
    });
    expect(sentTo('down')).toHaveLength(1);
    const rows = await testbed.rows(answer.data?.id);
    expect(rows.map(({ state }) => state)).toEqual(['failed', 'accepted']);
  });

  it('waits for the best-ranked of the buyers when none can be reached', async () => {
    let isWell = false;
    const answer = () => (isWell ? YES : { status: 503 });
    const { account, post, sentTo } = await testbed.market({
      buyers: { second: { priority: 2, answer }, first: { priority: 1, answer } },
    });
    const { data } = await post();
    expect(data).toMatchObject({ status: 'ACCEPTED', buyer_id: null, delivery: 'pending' });
    expect([sentTo('first').length, sentTo('second').length]).toEqual([1, 1]);
    expect(await testbed.rows(data?.id)).toMatchObject([
      { buyer_id: account.buyers.first, state: 'parked' },
      { buyer_id: account.buyers.second, state: 'failed' },
    ]);
    isWell = true;
    const lead = await testbed.becomes(data?.id, 'ACCEPTED');
    expect(lead.buyer_id).toBe(account.buyers.first);
    expect(sentTo('second')).toHaveLength(1);
  });

  it('waits for a buyer with when_unavailable WAIT instead of asking the next', async () => {
    const { account, post, sentTo } = await testbed.market({
      buyers: {
        first: {
          when_unavailable: 'WAIT',
          answer: ({ time }) => (time === 1 ? { status: 503 } : YES),
        },
        second: {},
      },
    });
    const answer = await post();
    expect(answer).toMatchObject({ status: 201, data: { buyer_id: null, delivery: 'pending' } });
    const lead = await testbed.becomes(answer.data?.id, 'ACCEPTED');
    expect(lead.buyer_id).toBe(account.buyers.first);
    expect(sentTo('first')).toHaveLength(2);
    expect(sentTo('second')).toEqual([]);
  });

  it('goes to another buyer when the one that it waits for refuses it', async () => {
    const { account, post, sentTo } = await testbed.market({
      campaign: { answer_within_ms: 200 },
      buyers: { slow: { answer: () => ({ ...NO, delayMs: 600 }) }, next: {} },
    });
    const { data } = await post();
    expect(data).toMatchObject({ status: 'ACCEPTED', buyer_id: null, delivery: 'pending' });
    const lead = await testbed.becomes(data?.id, 'ACCEPTED');
    expect(lead).toMatchObject({ buyer_id: account.buyers.next, price: 10_000_000 });
    expect([sentTo('slow').length, sentTo('next').length]).toEqual([1, 1]);
  });
});
