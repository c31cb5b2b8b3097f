import { accountOf } from '../support/org.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateBuyerLink } from '../../src/account/links/buyerLinks.js';
import { updateBuyer } from '../../src/account/buyers/buyers.js';
import { updateCampaign } from '../../src/account/campaigns/campaigns.js';
import { updateSupplierLink } from '../../src/account/links/supplierLinks.js';
import { deleteSupplier, updateSupplier } from '../../src/account/suppliers/suppliers.js';
import type { Collections } from '../../src/app/database.js';
import { supplierOf, tally, type Answer, type Supplier } from '../support/supplier.js';
import { waitFor } from '../support/waitFor.js';
import { type MarketSpec, startTestbed, type Market, type Testbed } from '../support/testbed.js';

type Api = Pick<Supplier, 'post'>;

describe('a change of the account', () => {
  let testbed: Testbed;
  let second: string;
  let db: Collections;
  const opened: Supplier[] = [];

  beforeAll(async () => {
    testbed = await startTestbed();
    second = (await testbed.otherApi()).url;
    db = testbed.collections;
  });
  afterAll(async () => {
    await Promise.all(opened.map((supplier) => supplier.close()));
    await testbed.stop();
  });

  /** An account for which both services have sold a lead, so that both have it in memory. */
  const known = async (spec?: MarketSpec) => {
    const market = await testbed.market(spec);
    const other = supplierOf(second, market.account);
    opened.push(other);
    const apis: Api[] = [market, other];
    await onBoth(apis);
    return { ...market, apis, ids: idsOf(market) };
  };
  const onBoth = (apis: Api[], fields?: Record<string, unknown>): Promise<Answer[]> =>
    Promise.all(apis.map((api) => api.post(fields && { ...fields })));
  const idsOf = ({ account }: Market) => ({
    org_id: account.orgId,
    campaign_id: account.campaignId,
    supplier_id: account.suppliers[0]?.id ?? '',
    buyer_id: account.buyers.first ?? account.buyers.only ?? '',
  });
  const errorsOf = (answers: Answer[]) => answers.map(({ status, error }) => [status, error]);

  it('pauses a campaign and activates it again at once, in every process', async () => {
    const { apis, ids } = await known();
    for (let round = 0; round < 2; round++) {
      await updateCampaign(accountOf({ collections: db }, ids.org_id), ids.campaign_id, {
        status: 'PAUSED',
      });
      const refused = [403, 'campaign_paused'];
      expect(errorsOf(await onBoth(apis))).toEqual([refused, refused]);
      await updateCampaign(accountOf({ collections: db }, ids.org_id), ids.campaign_id, {
        status: 'ACTIVE',
      });
      expect((await onBoth(apis)).map(({ status }) => status)).toEqual([201, 201]);
    }
  });

  it('applies to every request that begins after it, under load', async () => {
    const { apis, ids, leads } = await known();
    /** The number of the current pause; null: none. */
    let pause: number | null = null;
    let stopped = false;
    const late: Answer[] = [];
    const pump = async (api: Api) => {
      while (!stopped) {
        const began = pause;
        const answer = await api.post();
        // A request still open when the campaign is activated again may be sold.
        if (began !== null && began === pause) late.push(answer);
      }
    };
    const pumps = apis.flatMap((api) => Array.from({ length: 4 }, () => pump(api)));
    for (let n = 0; n < 3; n++) {
      await updateCampaign(accountOf({ collections: db }, ids.org_id), ids.campaign_id, {
        status: 'ACTIVE',
      });
      await Promise.all(apis.map((api) => api.post()));
      await updateCampaign(accountOf({ collections: db }, ids.org_id), ids.campaign_id, {
        status: 'PAUSED',
      });
      pause = n;
      await Promise.all(apis.map((api) => api.post()));
      await waitFor(() => late.length >= 4 * (n + 1), { message: 'requests have begun since' });
      pause = null;
    }
    stopped = true;
    await Promise.all(pumps);
    expect(tally(late.map(({ error }) => error))).toEqual({ campaign_paused: late.length });
    expect((await leads()).length).toBeGreaterThan(10);
  });

  it('pauses a buyer, or its link, and activates it again', async () => {
    const { account, apis, ids } = await known({ buyers: { first: {}, second: {} } });
    const { first, second: next } = account.buyers;
    const buyersOf = async () => (await onBoth(apis)).map(({ data }) => data?.buyer_id);
    await updateBuyer(
      accountOf({ collections: db, keyring: testbed.keyring }, ids.org_id),
      ids.buyer_id,
      {
        status: 'paused',
      },
    );
    expect(await buyersOf()).toEqual([next, next]);
    await updateBuyer(
      accountOf({ collections: db, keyring: testbed.keyring }, ids.org_id),
      ids.buyer_id,
      {
        status: 'active',
      },
    );
    expect(await buyersOf()).toEqual([first, first]);
    await updateBuyerLink(accountOf({ collections: db }, ids.org_id), ids, { status: 'paused' });
    expect(await buyersOf()).toEqual([next, next]);
    await updateBuyerLink(accountOf({ collections: db }, ids.org_id), ids, {
      status: 'active',
      priority: 9,
    });
    expect(await buyersOf()).toEqual([next, next]);
  });

  it('pauses the link of a source and activates it again', async () => {
    const { apis, ids } = await known();
    await updateSupplierLink(accountOf({ collections: db }, ids.org_id), ids, { status: 'paused' });
    const refused = [403, 'source_paused'];
    expect(errorsOf(await onBoth(apis))).toEqual([refused, refused]);
    await updateSupplierLink(accountOf({ collections: db }, ids.org_id), ids, { status: 'active' });
    expect((await onBoth(apis)).map(({ status }) => status)).toEqual([201, 201]);
  });

  it('changes price and cost of the next lead, and each lead names the plan it was sold by', async () => {
    const { apis, ids, leads } = await known({ buyers: { only: { price: 10 } } });
    await updateBuyerLink(accountOf({ collections: db }, ids.org_id), ids, { price: 11 });
    await onBoth(apis);
    await updateSupplierLink(accountOf({ collections: db }, ids.org_id), ids, { cost_per_lead: 5 });
    await onBoth(apis);
    const sold = (await leads()).sort((a, b) => Number(a.created_at) - Number(b.created_at));
    expect(sold.map(({ price, cost }) => [price / 1e6, cost / 1e6])).toEqual([
      [10, 4],
      [10, 4],
      [11, 4],
      [11, 4],
      [11, 5],
      [11, 5],
    ]);
    for (const { plan_version, price, cost } of sold) {
      const plan = await db.plans.findOne({ _id: `${ids.campaign_id}:${plan_version}` });
      expect(plan?.buyers[0]?.price).toBe(price);
      expect(plan?.suppliers[ids.supplier_id]?.cost_per_lead).toBe(cost);
    }
    expect(new Set(sold.map(({ plan_version }) => plan_version)).size).toBe(3);
  });

  it('refuses the key of a deleted supplier at once, whatever its body says', async () => {
    const bodies = [{}, { email: 'nobody' }, { flo_campaign_id: 'nonsense' }];
    for (const body of bodies) {
      const { apis, ids } = await known();
      await deleteSupplier(accountOf({ collections: db }, ids.org_id), ids.supplier_id);
      const refused = [401, 'unauthorized'];
      expect(errorsOf(await onBoth(apis, body))).toEqual([refused, refused]);
    }
  });

  it('raises the rate limit of a supplier at once', async () => {
    const one = { per_second: 1, burst_per_second: 1, burst_seconds: 1 };
    const { apis, ids } = await known({ supplier: { rate_limit: one } });
    const many = { per_second: 1_000, burst_per_second: 1_000, burst_seconds: 1 };
    await updateSupplier(accountOf({ collections: db }, ids.org_id), ids.supplier_id, {
      rate_limit: many,
    });
    const answers = await Promise.all(Array.from({ length: 6 }, () => onBoth(apis)));
    const limits = answers.flat().map(({ headers }) => headers['ratelimit-policy']);
    expect(
      tally(limits.map((policy) => (String(policy).includes('q=1000;') ? 'new' : 'old'))),
    ).toEqual({ new: 12 });
  });
});
