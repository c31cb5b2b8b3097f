import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getPost, listPosts } from '../../../../src/api/partner/supplier/posts.js';
import { DOWN, YES } from '../../../support/fakeBuyer.js';
import { aPerson } from '../../../support/supplier.js';
import { startTestbed, type Market, type Testbed } from '../../../support/testbed.js';
import { waitFor } from '../../../support/waitFor.js';
import { aLead } from '../../../support/storedRows.js';
import { pingFor, pingMarket } from '../../../pings/pingMarket.js';
import { checkAnswer, codeOf, openSupplier, type SupplierPortal } from './scene.js';

let testbed: Testbed;
beforeAll(async () => {
  testbed = await startTestbed();
});
afterAll(() => testbed.stop());

const list = (portal: SupplierPortal, input: object = {}) =>
  portal.data(listPosts, 'list_posts', input);
const show = (portal: SupplierPortal, post_id: string) =>
  portal.data(getPost, 'get_post', { post_id });

describe('the log of posts of a supplier', () => {
  let market: Market;
  let portal: SupplierPortal;
  const posted: Record<string, string> = {};
  beforeAll(async () => {
    market = await testbed.market({
      suppliers: 2,
      campaign: { filters: [{ field: 'state', operator: 'IN', value: ['CA', 'NV'] }] },
      buyers: { only: { price: 77, states: ['CA'] } },
      supplier: { cost_per_lead: 4 },
    });
    portal = await openSupplier(testbed, market);
    const person = aPerson();
    const others = aPerson();
    posted.sold = (await market.post(person)).id;
    posted.own = (await market.post({ ...person, last_name: 'Again' })).id;
    posted.others = (await market.post(others, { supplier: 1 })).id;
    posted.foreign = (await market.post({ ...others, last_name: 'Again' })).id;
    posted.unmatched = (await market.post({ state: 'NV' })).id;
    const filtered = await market.post({ state: 'NY' });
    posted.filtered = String(filtered.body.lead_id);
    posted.test = (await market.post({ test_lead: true })).id;
  });

  it('has each post with its answer and reason, newest first', async () => {
    const rows = await list(portal);
    expect(
      rows.map(({ id, answer, reason, status, duplicate_of, payout }) => [
        id,
        `${answer.http_status} ${answer.code}`,
        reason,
        status,
        duplicate_of,
        payout,
      ]),
    ).toEqual([
      [posted.filtered, '422 filtered', 'state must be one of: CA, NV.', 'REJECTED', null, null],
      [posted.unmatched, '200 UNMATCHED', 'No buyer accepted it.', 'UNMATCHED', null, null],
      [
        posted.foreign,
        '200 DUPLICATE',
        'The campaign already had a lead of this person.',
        'DUPLICATE',
        null,
        null,
      ],
      [
        posted.own,
        '200 DUPLICATE',
        'You had posted this person to the campaign before.',
        'DUPLICATE',
        posted.sold,
        null,
      ],
      [posted.sold, '201 ACCEPTED', null, 'ACCEPTED', null, 4],
    ]);
    expect(rows.map(({ campaign }) => campaign.name)).toEqual(Array(5).fill('Campaign'));
  });

  it('has test posts separately', async () => {
    const rows = await list(portal, { is_test: true });
    expect(rows.map(({ id, is_test }) => [id, is_test])).toEqual([[posted.test, true]]);
  });

  it('is filtered by status, campaign and time', async () => {
    const ids = async (input: object) => (await list(portal, input)).map(({ id }) => id);
    const { campaignId: campaign_id } = market.account;
    expect(await ids({ status: 'DUPLICATE' })).toEqual([posted.foreign, posted.own]);
    expect(await ids({ status: 'ACCEPTED', campaign_id })).toEqual([posted.sold]);
    expect(await ids({ status: 'EXPIRED' })).toEqual([]);
    const later = new Date(Date.now() + 60_000).toISOString();
    expect(await ids({ from: later })).toEqual([]);
    expect(await ids({ to: later, kind: 'lead' })).toHaveLength(5);
    expect(await ids({ kind: 'ping' })).toEqual([]);
  });

  it('shows one post with the body of its answer and the posted fields', async () => {
    const sold = await show(portal, posted.sold ?? '');
    expect(sold).toMatchObject({
      answer_body: { data: { id: posted.sold, status: 'ACCEPTED', delivery: 'delivered' } },
      filters: [],
      bids: [],
      outcome: null,
    });
    const fields = new Map(sold.fields?.map(({ name, value }) => [name, value]));
    const lead = await testbed.collections.leads.findOne({ _id: posted.sold ?? '' });
    expect(Object.fromEntries(fields)).toEqual({ ...lead?.fields, ...lead?.extra });
    const filtered = await show(portal, posted.filtered ?? '');
    expect(filtered.answer_body).toMatchObject({ error: 'filtered', lead_id: posted.filtered });
    expect(filtered.filters).toEqual([{ field: 'state', message: 'state must be one of: CA, NV' }]);
    // The portal does not name the original, which belongs to another supplier.
    const foreign = await show(portal, posted.foreign ?? '');
    expect(JSON.stringify(foreign)).not.toContain(posted.others);
  });

  it('shows only the fields that the operator allows', async () => {
    await portal.allow({ fields: ['state', 'first_name'] });
    const { fields } = await show(portal, posted.sold ?? '');
    expect(fields?.map(({ name }) => name).toSorted()).toEqual(['first_name', 'state']);
    await portal.allow({});
  });

  it('names buyers and prices only where the operator allows it', async () => {
    const sold = async () => (await list(portal, { status: 'ACCEPTED' }))[0];
    expect(await sold()).toMatchObject({ buyer_name: null, price: null, payout: 4 });
    await portal.allow({ show_buyer_names: true, show_prices: true });
    expect(await sold()).toMatchObject({ buyer_name: 'only', price: 77 });
    await portal.allow({});
    expect(await sold()).toMatchObject({ buyer_name: null, price: null });
  });

  it("answers for another supplier's post as if it did not exist", async () => {
    const stranger = await openSupplier(testbed, market, { n: 1 });
    const none = await portal.call('get_post', { post_id: 'none' });
    for (const post_id of [posted.sold, posted.test]) {
      const reply = await stranger.call('get_post', { post_id });
      expect(codeOf(reply)).toEqual([404, 'not_found']);
      expect(reply.json?.message).toBe(none.json?.message);
    }
    expect((await list(stranger)).map(({ id }) => id)).toEqual([posted.others]);
    const other = await testbed.market();
    const campaign_id = other.account.campaignId;
    expect(codeOf(await portal.call('list_posts', { campaign_id }))).toEqual([404, 'not_found']);
  });

  it('shows the original answer of a lead, whatever its status is now', async () => {
    const waiting = await testbed.market({
      buyers: { only: { when_unavailable: 'WAIT', answer: () => DOWN } },
    });
    const own = await openSupplier(testbed, waiting);
    const { id } = await waiting.post();
    expect((await list(own))[0]).toMatchObject({
      id,
      answer: { http_status: 201, code: 'PENDING' },
      status: 'PENDING',
    });
    waiting.behave('only', () => YES);
    await waitFor(async () => (await waiting.lead(id)).status === 'ACCEPTED');
    expect((await list(own))[0]).toMatchObject({
      answer: { code: 'PENDING' },
      status: 'ACCEPTED',
      payout: 4,
    });
  });
});

describe('the log of posts as CSV', () => {
  it('has the rows of the list, and is available only where the operator allows exports', async () => {
    const market = await testbed.market();
    const portal = await openSupplier(testbed, market);
    const { id } = await market.post();
    await market.post({ test_lead: true });
    const { status, text } = await portal.file('posts.csv', { kind: 'lead' });
    expect(status).toBe(200);
    const [head, row, ...more] = text.trim().split('\r\n');
    expect(head).toContain('id,kind,at,campaign');
    expect(row).toMatch(new RegExp(`^${id},lead,.*,Campaign,.*,false,201,ACCEPTED,,ACCEPTED,`));
    expect(more).toEqual([]);
    await portal.allow({ exports: false });
    expect((await portal.file('posts.csv')).status).toBe(403);
  });
});

describe('pages of the log', () => {
  it('have every post once, leads and pings mixed', async () => {
    const market = await pingMarket(testbed);
    const portal = await openSupplier(testbed, market);
    const { orgId: org_id, campaignId: campaign_id } = market.account;
    const own = { org_id, campaign_id, supplier_id: portal.supplier_id, is_test: false };
    // Many in one instant: ids continue the order.
    const at = (n: number) => new Date(Date.now() - Math.floor(n / 7) * 1_000);
    await testbed.collections.leads.insertMany(
      Array.from({ length: 80 }, (_, n) =>
        aLead({ ...own, _id: `page-${n}`, status: 'UNMATCHED', created_at: at(n) }),
      ),
    );
    const [ping] = await testbed.collections.pings
      .find({ _id: (await pingFor(testbed, market)).id })
      .toArray();
    if (!ping) throw new Error('a ping is stored');
    await testbed.collections.pings.insertMany(
      Array.from({ length: 60 }, (_, n) => ({ ...ping, _id: `ping-${n}`, created_at: at(n) })),
    );
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const reply = await portal.call('list_posts', cursor === null ? {} : { cursor });
      const rows = checkAnswer(listPosts.output, reply.json?.data);
      expect(rows.length).toBeLessThanOrEqual(50);
      seen.push(...rows.map(({ id }) => id));
      cursor = reply.json?.next_cursor ?? null;
    } while (cursor !== null);
    expect(seen).toHaveLength(141);
    expect(new Set(seen).size).toBe(141);
    expect(codeOf(await portal.call('list_posts', { cursor: 'nonsense' }))).toEqual([
      422,
      'invalid_input',
    ]);
  });

  it('have a ping with its best bid, and the lead that redeemed it', async () => {
    const market = await pingMarket(testbed);
    const portal = await openSupplier(testbed, market);
    const { token, id: ping_id } = await pingFor(testbed, market);
    const lead = await market.post({ flo_ping_id: token, state: 'CA' });
    const rows = await list(portal);
    expect(rows).toMatchObject([
      { id: lead.id, kind: 'lead', ping_id, lead_id: null, payout: 15 },
      { id: ping_id, kind: 'ping', lead_id: lead.id, status: 'redeemed', payout: 15, price: null },
    ]);
    expect(await show(portal, ping_id)).toMatchObject({
      answer: { http_status: 200, code: 'accepted' },
      bids: [
        { bid_price: 15, buyer_name: null },
        { bid_price: 14, buyer_name: null },
      ],
      fields: null,
    });
  });
});
