import { signingSecretPlace, webhookSecretPlace } from '../../../src/account/rules/sealedPlaces.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CapInput } from '../../../src/account/capsSchema.js';
import { linkBuyer, updateBuyerLink } from '../../../src/account/links/buyerLinks.js';
import type { BuyerLinkInput } from '../../../src/account/links/buyerLinks.js';
import { createBuyer, updateBuyer } from '../../../src/account/buyers/buyers.js';
import { createCampaign } from '../../../src/account/campaigns/campaigns.js';
import { hashKey } from '../../../src/platform/security/keys.js';
import type { Collections } from '../../../src/app/database.js';
import { keyring, publicOnly, refusal } from '../values.js';
import { openDatabase } from '../../support/database.js';
import { accountOf, makeOrg } from '../../support/org.js';

let database: Awaited<ReturnType<typeof openDatabase>>;
let db: Collections;

beforeAll(async () => {
  database = await openDatabase();
  db = database.collections;
});
afterAll(() => database.drop());

const delivery = { url: 'https://buyer.example/leads' };
const newOrg = async () => (await makeOrg(db))._id;

async function newCampaign() {
  const org = await newOrg();
  const campaign = (await createCampaign(accountOf({ collections: db }, org), { name: 'Solar' }))
    ._id;
  return { org, campaign };
}

async function newLink() {
  const { org, campaign } = await newCampaign();
  const { buyer } = await createBuyer(accountOf({ collections: db, policy: publicOnly }, org), {
    name: 'B',
    delivery,
  });
  const key = { org_id: org, campaign_id: campaign, buyer_id: buyer._id };
  return {
    org,
    campaign,
    buyer: buyer._id,
    key,
    link: await linkBuyer(accountOf({ collections: db }, key.org_id), key, { price: 12.5 }),
  };
}

describe('buyers', () => {
  it('get two secrets that are stored sealed, and the defaults of a delivery', async () => {
    const org = await newOrg();
    const made = await createBuyer(accountOf({ collections: db, policy: publicOnly }, org), {
      name: 'B',
      delivery,
    });
    const stored = await db.buyers.findOne({ _id: made.buyer._id });
    expect(stored?.delivery).toEqual({
      method: 'WEBHOOK',
      url: delivery.url,
      headers: {},
      format: 'json',
      template: null,
      response: null,
      timeout_ms: 5_000,
      honours_idempotency_key: false,
      on_unknown: 'hold',
      hold_max_age_ms: 86_400_000,
      max_age_ms: 86_400_000,
      max_concurrent: 10,
      max_per_second: null,
    });
    expect(stored && keyring.open(stored.webhook_secret, webhookSecretPlace(stored._id))).toBe(
      made.webhook_secret,
    );
    expect(stored && keyring.open(stored.signing_secret, signingSecretPlace(stored._id))).toBe(
      made.signing_secret,
    );
    expect(stored?.webhook_secret_hash).toBe(hashKey(made.webhook_secret));
    expect(JSON.stringify(stored)).not.toContain(made.webhook_secret);
  });

  it('may have a private address only where that is allowed', async () => {
    const org = await newOrg();
    const input = { name: 'Local', delivery: { url: 'http://127.0.0.1:9/leads' } };
    await expect(
      createBuyer(accountOf({ collections: db, policy: publicOnly }, org), input),
    ).rejects.toMatchObject(refusal('delivery.url', ''));
    await expect(createBuyer(accountOf({ collections: db }, org), input)).resolves.toBeDefined();
  });

  it.each([
    ['delivery.timeout_ms', { timeout_ms: 50 }, '100 to 30000'],
    ['delivery.max_concurrent', { max_concurrent: 0 }, '1 to 1000'],
    ['delivery.headers', { headers: { 'Bad Name': 'x' } }, 'cannot be a header name'],
    ['delivery.headers', { headers: { Host: 'x' } }, 'leave it out'],
    ['delivery.headers', { headers: { 'X-A': 'a\r\nb' } }, 'one line'],
  ])('refuse a bad %s', async (field, change, message) => {
    const { org, buyer } = await newLink();
    await expect(
      updateBuyer(accountOf({ collections: db, policy: publicOnly }, org), buyer, {
        delivery: change,
      }),
    ).rejects.toMatchObject(refusal(field, message));
  });

  it('may name the fields of any campaign in a template', async () => {
    const org = await newOrg();
    const template = { budget: '{{monthly_budget}}', '$a.b': { 'c.d': 1 } };
    const input = { name: 'T', delivery: { ...delivery, template } };
    await expect(
      createBuyer(accountOf({ collections: db, policy: publicOnly }, org), input),
    ).rejects.toMatchObject(
      refusal('delivery.template', 'names "monthly_budget", which is not a field of a campaign'),
    );
    const fields = [
      { name: 'monthly_budget', type: 'Number' as const, required: false, ping_required: false },
    ];
    await createCampaign(accountOf({ collections: db }, org), { name: 'Solar', fields });
    const { buyer } = await createBuyer(
      accountOf({ collections: db, policy: publicOnly }, org),
      input,
    );
    expect((await db.buyers.findOne({ _id: buyer._id }))?.delivery).toMatchObject({ template });
  });

  it('publish their campaigns when they change', async () => {
    const { org, campaign, buyer } = await newLink();
    await updateBuyer(accountOf({ collections: db, policy: publicOnly }, org), buyer, {
      status: 'paused',
      delivery: { timeout_ms: 900 },
    });
    const now = await db.campaigns.findOne({ _id: campaign });
    const plan = await db.plans.findOne({ _id: `${campaign}:${now?.plan_version ?? 0}` });
    expect(plan?.buyers[0]).toMatchObject({
      status: 'paused',
      price: 12_500_000,
      delivery: { url: delivery.url, timeout_ms: 900 },
    });
  });
});

describe('links of buyers', () => {
  it('begin active, free, last and for every state', async () => {
    const { campaign, org } = await newCampaign();
    const { buyer } = await createBuyer(accountOf({ collections: db, policy: publicOnly }, org), {
      name: 'B',
      delivery,
    });
    const key = { org_id: org, campaign_id: campaign, buyer_id: buyer._id };
    expect(await linkBuyer(accountOf({ collections: db }, key.org_id), key, {})).toMatchObject({
      _id: `${campaign}:${buyer._id}`,
      status: 'active',
      price: 0,
      priority: null,
      states: [],
      zips: null,
      filters: null,
      schedule: null,
      when_closed: 'SKIP',
      when_unavailable: 'NEXT',
    });
  });

  it('keep prices in micro-units and states in upper case', async () => {
    const { key } = await newLink();
    const changes = { price: 42.1234, states: ['ca', ' TX ', 'CA'], caps: { daily_budget: 100 } };
    expect(
      await updateBuyerLink(accountOf({ collections: db }, key.org_id), key, changes),
    ).toMatchObject({
      price: 42_123_400,
      states: ['CA', 'TX'],
      caps: { daily_budget: 100_000_000 },
    });
  });

  it('keep filters, areas and schedules in their normal form, and publish them', async () => {
    const { key } = await newLink();
    const changes: BuyerLinkInput = {
      filters: [{ field: 'state', operator: 'not in', value: 'ny' }],
      zips: { zips: '90210, 10001', miles: 25 },
      schedule: { days: ['Monday'], from: '9:00', to: '17:00' },
      when_closed: 'HOLD',
    };
    const stored = {
      filters: { all: [{ id: 'f1', field: 'state', operator: 'NOT IN', value: ['NY'] }] },
      zips: { zips: ['90210', '10001'], miles: 25 },
      schedule: [{ days: ['mon'], from: '09:00', to: '17:00' }],
      when_closed: 'HOLD',
    };
    expect(
      await updateBuyerLink(accountOf({ collections: db }, key.org_id), key, changes),
    ).toMatchObject(stored);
    expect(await db.campaignBuyers.findOne({ buyer_id: key.buyer_id })).toMatchObject(stored);
    const plan = await db.plans.findOne(
      { campaign_id: key.campaign_id },
      { sort: { version: -1 } },
    );
    expect(plan?.buyers[0]).toMatchObject(stored);
    const none = { filters: null, zips: [], schedule: null };
    expect(
      await updateBuyerLink(accountOf({ collections: db }, key.org_id), key, none),
    ).toMatchObject({ ...none, zips: null });
  });

  it('are refused when they are linked again', async () => {
    const { key } = await newLink();
    await expect(
      linkBuyer(accountOf({ collections: db }, key.org_id), key, { priority: 3 }),
    ).rejects.toMatchObject({ code: 'action_refused' });
  });

  it.each([
    ['price', { price: -1 }, 'is negative'],
    ['price', { price: 1.23456 }, 'at most 4 decimals'],
    ['states', { states: ['Texas'] }, 'two-letter codes of US states such as "CA"; "Texas"'],
    ['states', { states: ['TX', 'zz'] }, '"zz" is not one'],
    ['priority', { priority: 1.5 }, 'whole number'],
    ['total_cap', { total_cap: -1 }, 'whole number'],
    ['zips', { zips: ['9021'] }, 'zips must be five-digit zip codes'],
    ['zips', { zips: { zips: ['00000'], miles: 5 } }, 'zips must be known US zip codes'],
    ['schedule', { schedule: [] }, 'schedule must have a window; leave it out'],
    ['schedule', { schedule: { days: ['x'], from: '1:00', to: '2:00' } }, '"x" is not one'],
    [
      'filters',
      { filters: [{ field: 'age', operator: '>', value: 1 }] },
      "in the campaign's mapping",
    ],
  ])('refuse a bad %s', async (field, changes, message) => {
    const { key } = await newLink();
    await expect(
      updateBuyerLink(accountOf({ collections: db }, key.org_id), key, changes),
    ).rejects.toMatchObject(refusal(field, message));
  });

  it('are refused with every bad value at once', async () => {
    const { key } = await newLink();
    const daily_caps = { mon: -1, monday: 3 } as CapInput['daily_caps'];
    const bad = { price: 1.00001, states: ['XXX'], daily_cap: 0.5, daily_caps };
    const fields = ['price', 'states', 'daily_cap', 'daily_caps.mon', 'daily_caps'];
    const field_errors = fields.map((field) => ({ field }));
    await expect(
      updateBuyerLink(accountOf({ collections: db }, key.org_id), key, bad),
    ).rejects.toMatchObject({
      code: 'validation_failed',
      extras: { field_errors },
    });
  });

  it('refuse a buyer of another organization', async () => {
    const { key } = await newLink();
    const { org, campaign } = await newCampaign();
    await expect(
      linkBuyer(accountOf({ collections: db }, org), { ...key, campaign_id: campaign }, {}),
    ).rejects.toMatchObject({ code: 'not_found' });
    await expect(
      updateBuyerLink(accountOf({ collections: db }, org), { ...key }, {}),
    ).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
