import { accountOf } from '../support/org.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateBuyerLink } from '../../src/account/links/buyerLinks.js';
import { ensureDemoAccount, lastDemoBuyerPort } from '../../src/demo/account.js';
import type { KnownKeys } from '../../src/demo/account.js';
import { DEMO_ORG_ID } from '../../src/demo/names.js';
import type { Plan } from '../../src/account/rules/plan.js';
import { keyring } from '../account/values.js';
import { openDatabase } from '../support/database.js';

let database: Awaited<ReturnType<typeof openDatabase>>;
beforeAll(async () => {
  database = await openDatabase();
});
afterAll(() => database.drop());

const ensure = (port: number, known: KnownKeys | null = null) =>
  ensureDemoAccount(
    { collections: database.collections, keyring, policy: { allowPrivate: true } },
    (name) => `http://127.0.0.1:${port}/${name}`,
    known,
  );

async function planOf(campaignId: string): Promise<Plan> {
  const { campaigns, plans } = database.collections;
  const campaign = await campaigns.findOne({ _id: campaignId });
  const plan = await plans.findOne({ _id: `${campaignId}:${campaign?.plan_version ?? 0}` });
  if (!plan) throw new Error('No plan is published');
  return plan;
}

describe('the demo account', () => {
  it('is created once and found again, with the same ids, keys and secrets', async () => {
    expect(await lastDemoBuyerPort(database.collections)).toBe(0);
    const first = await ensure(4000);
    expect(await ensure(4000, first)).toEqual(first);
    expect(await lastDemoBuyerPort(database.collections)).toBe(4000);
    expect(await database.collections.campaigns.countDocuments({ org_id: DEMO_ORG_ID })).toBe(3);
  });

  it('creates new organization keys only when those of the last start are unknown', async () => {
    const first = await ensure(4000);
    const second = await ensure(4000);
    expect(second.org_api_key).not.toBe(first.org_api_key);
    expect({ ...second, org_api_key: '', read_only_api_key: '' }).toEqual({
      ...first,
      org_api_key: '',
      read_only_api_key: '',
    });
  });

  it('accepts any lead with the required fields: no custom field, no low cap, a last buyer for every state', async () => {
    const { campaigns, suppliers } = await ensure(4000);
    const plan = await planOf(campaigns.direct);
    expect(plan).toMatchObject({ status: 'ACTIVE', routing_method: 'DIRECT_POST', caps: {} });
    expect(plan.dedupe).toMatchObject({ on_duplicate: 'REJECT', fields: ['phone', 'email'] });
    expect(plan.fields.filter((field) => field.required).map((field) => field.name)).toEqual([
      'first_name',
      'last_name',
      'email',
      'phone',
    ]);
    expect(plan.suppliers[suppliers.web.id]?.status).toBe('active');
    const byPriority = [...plan.buyers].sort((a, b) => (a.priority ?? 99) - (b.priority ?? 99));
    expect(byPriority).toHaveLength(3);
    expect(byPriority.at(-1)).toMatchObject({ states: [], filters: null, caps: {} });
    const dailyCaps = plan.buyers.flatMap(({ caps }) => caps.daily_cap ?? []);
    expect(Math.min(...dailyCaps)).toBeGreaterThanOrEqual(10_000);
  });

  it('has a campaign for ping-post, with a margin and a buyer that is asked live', async () => {
    const { campaigns, buyers, suppliers } = await ensure(4000);
    const plan = await planOf(campaigns.pingPost);
    expect(plan).toMatchObject({
      routing_method: 'PING_POST',
      status: 'ACTIVE',
      ping: { margin: { percent: 15 }, min_bid: 5_000_000 },
      suppliers: { [suppliers.web.id]: { cost_mode: 'NONE' } },
    });
    const asked = plan.buyers.filter(({ ping }) => ping);
    expect(asked).toMatchObject([
      { buyer_id: buyers.steady.id, ping: { url: 'http://127.0.0.1:4000/steady/ping' } },
    ]);
  });

  it('adds the ping-post terms to an older account', async () => {
    const { campaigns, suppliers, buyers } = await ensure(4000);
    const wanted = await planOf(campaigns.pingPost);
    const { collections } = database;
    await collections.campaigns.updateOne({ _id: campaigns.pingPost }, { $unset: { ping: 1 } });
    await collections.buyers.updateOne({ _id: buyers.steady.id }, { $unset: { ping: 1 } });
    await collections.campaignSuppliers.updateOne(
      { _id: `${campaigns.pingPost}:${suppliers.web.id}` },
      { $set: { cost_mode: 'FIXED', cost_per_lead: 4_000_000 } },
    );
    await ensure(4000);
    const { ping, buyers: terms, suppliers: web } = await planOf(campaigns.pingPost);
    expect([ping, terms]).toEqual([wanted.ping, wanted.buyers]);
    expect(web[suppliers.web.id]).toMatchObject({ cost_mode: 'NONE' });
  });

  it('follows the demo buyer to another port and keeps changed terms', async () => {
    const { campaigns, buyers } = await ensure(4000);
    const key = {
      org_id: DEMO_ORG_ID,
      campaign_id: campaigns.direct,
      buyer_id: buyers.premier.id,
    };
    await updateBuyerLink(accountOf(database, key.org_id), key, { price: 99 });
    await ensure(4001);
    const plan = await planOf(campaigns.direct);
    const urls = plan.buyers.map(({ delivery }) => delivery.method === 'WEBHOOK' && delivery.url);
    expect(urls.map((url) => new URL(String(url)).port)).toEqual(['4001', '4001', '4001']);
    expect(plan.buyers.find(({ ping }) => ping)?.ping?.url).toBe(
      'http://127.0.0.1:4001/steady/ping',
    );
    const premier = plan.buyers.find((buyer) => buyer.buyer_id === buyers.premier.id);
    expect(premier?.price).toBe(99_000_000);
  });
});
