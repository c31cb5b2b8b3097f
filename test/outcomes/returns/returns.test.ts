import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { nameOf } from '../../../src/api/actions/leadViews.js';
import { fromMicros } from '../../../src/fields/money.js';
import { DOWN, YES } from '../../support/fakeBuyer.js';
import type { Returned } from './returnTestbed.js';
import { startReturnTestbed, type ReturnTestbed } from './returnTestbed.js';

const REQUEST = { reason: 'bad_contact_info', note: 'number is disconnected' };
const FOUR = 4_000_000;
const DAY_MS = 86_400_000;

interface Effects {
  reverse_cost: boolean;
  resell: boolean;
  revenue: number;
}

describe('a return', () => {
  let testbed: ReturnTestbed;

  beforeAll(async () => {
    testbed = await startReturnTestbed();
  });
  afterAll(() => testbed.stop());

  const settled = async (settings: object, buyers = { first: {}, second: {} }) => {
    const market = await testbed.market({ buyers });
    const buyer_id = market.account.buyers.first;
    await testbed.done(market, 'set_buyer_returns', { buyer_id, ...settings });
    return market;
  };

  it('does not change the lead until it is accepted, and then removes its revenue', async () => {
    const market = await testbed.market({ buyers: { first: {} } });
    const lead_id = await testbed.sold(market);
    const asked = await testbed.done<Returned>(market, 'request_return', { lead_id, ...REQUEST });
    expect(asked).toMatchObject({
      state: 'requested',
      done: false,
      reason: 'bad_contact_info',
      lead_id,
      buyer_id: market.account.buyers.first,
      resolved_at: null,
      auto_accept_at: null,
      requested_by: { kind: 'user', name: expect.stringMatching(/^Key /) as unknown as string },
    });
    expect(await testbed.lead(lead_id)).toMatchObject({ price: 10_000_000, cost: FOUR });

    const verdict = { return_id: asked.id, result: 'accept', note: 'checked' };
    const accepted = await testbed.done<Returned>(market, 'resolve_return', verdict);
    expect(accepted).toMatchObject({ state: 'accepted', done: true, resolution_note: 'checked' });
    const lead = await testbed.lead(lead_id);
    expect(lead).toMatchObject({ status: 'ACCEPTED', price: 0, cost: FOUR, profit: -FOUR });
    expect(lead.sales[0]?.returned).toMatchObject({ return_id: asked.id, cost_reversed: false });
    const shown = await testbed.done(market, 'get_lead', { lead_id });
    expect(shown).toMatchObject({
      status: 'RETURNED',
      revenue: 0,
      distribution_status: 'ACCEPTED',
    });
  });

  it('is one return, however many concurrent requests and acceptances it gets', async () => {
    const market = await testbed.market({ buyers: { first: {} } });
    const lead_id = await testbed.sold(market);
    const asked = await Promise.all(
      Array.from({ length: 10 }, () =>
        testbed.done<Returned>(market, 'request_return', { lead_id, ...REQUEST }),
      ),
    );
    const [first] = asked;
    expect(new Set(asked.map(({ id }) => id)).size).toBe(1);
    const verdict = { return_id: first?.id, result: 'accept' };
    await Promise.all(
      Array.from({ length: 10 }, () => testbed.done(market, 'resolve_return', verdict)),
    );
    const lead = await testbed.lead(lead_id);
    expect(lead.trail.filter(({ result }) => result === 'returned')).toHaveLength(1);
    expect(await testbed.collections.returns.countDocuments({ lead_id })).toBe(1);
  });

  it('is limited to exactly 10 a month, with 50 requests at once', async () => {
    const market = await settled({ max_per_month: 10 }, { first: {}, second: {} });
    const leads = await Promise.all(Array.from({ length: 50 }, () => testbed.sold(market)));
    const answers = await Promise.all(
      leads.map((lead_id) => testbed.call(market, 'request_return', { lead_id, ...REQUEST })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    const refused = answers.filter(({ status }) => status === 400);
    expect(refused).toHaveLength(40);
    expect(new Set(refused.map(({ message }) => message)).size).toBe(1);
    expect(refused[0]?.message).toMatch(
      /^This buyer may return 10 of the leads of 20\d\d-\d\d \(max_per_month\), and has reached that\.$/,
    );
    const { orgId } = market.account;
    expect(await testbed.collections.returns.countDocuments({ org_id: orgId })).toBe(10);
  });

  it("obeys the share of the month's purchases, which grows with them", async () => {
    const market = await settled({ max_share_pct: 20 });
    const ask = (lead_id: string) =>
      testbed.call(market, 'request_return', { lead_id, ...REQUEST }).then(({ status }) => status);
    const leads = await Promise.all(Array.from({ length: 9 }, () => testbed.sold(market)));
    expect(await ask(leads[0] ?? '')).toBe(200);
    expect(await ask(leads[1] ?? '')).toBe(400);
    await testbed.sold(market);
    expect(await ask(leads[1] ?? '')).toBe(200);
  });

  it('releases its place when it is rejected, and can be requested again', async () => {
    const market = await settled({ max_per_month: 1 });
    const [lead_id, other] = [await testbed.sold(market), await testbed.sold(market)];
    const asked = await testbed.done<Returned>(market, 'request_return', { lead_id, ...REQUEST });
    const elsewhere = { lead_id: other, ...REQUEST };
    expect((await testbed.call(market, 'request_return', elsewhere)).status).toBe(400);
    const verdict = { return_id: asked.id, result: 'reject', note: 'it rings' };
    expect(await testbed.done(market, 'resolve_return', verdict)).toMatchObject({
      state: 'rejected',
    });
    const again = await testbed.done<Returned>(market, 'request_return', { lead_id, ...REQUEST });
    expect([asked.id.slice(-2), again.id.slice(-2)]).toEqual([':1', ':2']);
    const accepted = { return_id: asked.id, result: 'accept' };
    expect(await testbed.call(market, 'resolve_return', accepted)).toMatchObject({
      status: 400,
      message: expect.stringMatching(
        /was rejected at .*; that cannot be changed\.$/,
      ) as unknown as string,
    });
  });

  it('is refused when the lead is too old, not returnable, not sold, or has an open return', async () => {
    const market = await settled({ max_age_days: 7 });
    const lead_id = await testbed.sold(market);
    const ask = (input: object) =>
      testbed.call(market, 'request_return', { lead_id, ...REQUEST, ...input });
    const buyer_id = market.account.buyers.second;
    expect(await ask({ buyer_id })).toMatchObject({
      status: 400,
      message: `Lead ${lead_id} was not sold to buyer ${buyer_id ?? ''}.`,
    });
    expect((await ask({ lead_id: 'nobody' })).message).toBe('There is no lead nobody.');
    await testbed.collections.leads.updateOne(
      { _id: lead_id },
      { $set: { 'sales.0.at': new Date(Date.now() - 8 * DAY_MS) } },
    );
    expect((await ask({})).message).toContain('sold 8 days ago');
    const never = { buyer_id: market.account.buyers.first, max_age_days: null, allowed: false };
    await testbed.done(market, 'set_buyer_returns', never);
    expect((await ask({})).message).toContain('"allowed": true');
    await testbed.done(market, 'set_buyer_returns', { ...never, allowed: null });
    await testbed.done(market, 'request_return', { lead_id, ...REQUEST });
    expect(await ask({ reason: 'duplicate' })).toMatchObject({
      status: 400,
      message: expect.stringMatching(
        /is open for this lead; resolve_return decides it\.$/,
      ) as unknown as string,
    });
  });

  it('removes the cost, and sells the lead to the next buyer, if the settings say so', async () => {
    const market = await settled({ reverse_cost: true, resell: true, auto_accept_hours: 0 });
    const lead_id = await testbed.sold(market);
    const made = await testbed.done<Returned>(market, 'request_return', { lead_id, ...REQUEST });
    expect(made).toMatchObject({ state: 'accepted', done: true, resolved_by: { kind: 'system' } });
    expect(await testbed.lead(lead_id)).toMatchObject({ price: 0, cost: 0, profit: 0 });
    const resold = await testbed.becomes(made.resale_lead_id ?? '', 'ACCEPTED');
    // The supplier was paid nothing for the first sale, so it is paid for the second.
    expect(resold).toMatchObject({
      buyer_id: market.account.buyers.second,
      price: 10_000_000,
      cost: FOUR,
      resale: { origin: lead_id, replaces: true, paid: false },
    });
  });

  it('is not sold to a buyer that was sent it before and never answered', async () => {
    const unheard = { timeout_ms: 200, on_unknown: 'fail_over' } as const;
    const market = await testbed.market({
      buyers: { silent: { answer: () => 'hang', delivery: unheard }, first: {}, second: {} },
    });
    const { silent, first, second } = market.account.buyers;
    const resold = { buyer_id: first, resell: true, auto_accept_hours: 0 };
    await testbed.done(market, 'set_buyer_returns', resold);
    const lead_id = await testbed.sold(market);
    // The state of a lead whose wait for the buyer is over.
    await testbed.collections.deliveries.updateOne(
      { lead_id, buyer_id: silent ?? '' },
      { $set: { state: 'expired' } },
    );
    const made = await testbed.done<Returned>(market, 'request_return', { lead_id, ...REQUEST });
    expect(await testbed.becomes(made.resale_lead_id ?? '', 'ACCEPTED')).toMatchObject({
      buyer_id: second,
      resale: { exclude: [first, silent] },
    });
    expect(market.sentTo('silent')).toHaveLength(1);
  });

  it('does not sell a lead again while it is being sold to further buyers', async () => {
    const market = await testbed.market({
      campaign: { max_sells: 2 },
      buyers: {
        first: { priority: 1 },
        down: { priority: 2, answer: () => DOWN, when_unavailable: 'WAIT' },
        third: { priority: 3 },
      },
    });
    const { first, down } = market.account.buyers;
    await testbed.done(market, 'set_buyer_returns', { buyer_id: first, resell: true });
    const lead_id = await testbed.sold(market);
    await testbed.becomes(lead_id, 'SELLING');
    const asked = { lead_id, buyer_id: first, ...REQUEST };
    const { id } = await testbed.done<Returned>(market, 'request_return', asked);
    const accepted = await testbed.done<Returned>(market, 'resolve_return', {
      return_id: id,
      result: 'accept',
    });
    expect(accepted).toMatchObject({ state: 'accepted', done: false, resale_lead_id: null });
    expect((await testbed.lead(lead_id)).sales[0]?.returned).toMatchObject({ return_id: id });

    market.behave('down', () => YES);
    await testbed.done(market, 'retry_deliveries', { buyer_id: down });
    await testbed.becomes(lead_id, 'ACCEPTED');
    const { returns } = testbed.collections;
    const past = new Date(0);
    await returns.updateOne({ _id: id }, { $set: { retry_at: past, resolved_at: past } });
    await testbed.repair();
    const finished = await returns.findOne({ _id: id });
    expect(finished).not.toHaveProperty('owed');
    expect(await testbed.becomes(finished?.resale_lead_id ?? '', 'ACCEPTED')).toMatchObject({
      buyer_id: market.account.buyers.third,
    });
    expect(new Set(market.sentTo('down').map(({ leadId }) => leadId))).toEqual(new Set([lead_id]));
  });

  it('says why a lead is not sold again', async () => {
    const market = await settled({ resell: true });
    const lead_id = await testbed.sold(market);
    const { id } = await testbed.done<Returned>(market, 'request_return', { lead_id, ...REQUEST });
    const pause = { campaign_id: market.account.campaignId, status: 'PAUSED' };
    await testbed.done(market, 'update_campaign', pause);
    const verdict = { return_id: id, result: 'accept' };
    expect(await testbed.done(market, 'resolve_return', verdict)).toMatchObject({
      state: 'accepted',
      done: true,
      resale_lead_id: null,
      resale_refused: 'The campaign Campaign is PAUSED; only an ACTIVE campaign accepts leads.',
    });
  });

  it('needs buyer_id when several bought the lead, and does not change the other sale', async () => {
    const market = await testbed.market({
      campaign: { max_sells: 2 },
      buyers: { first: {}, second: {} },
    });
    const lead_id = await testbed.sold(market);
    await testbed.becomes(lead_id, 'ACCEPTED');
    const unnamed = await testbed.call(market, 'request_return', { lead_id, ...REQUEST });
    expect(unnamed).toMatchObject({
      status: 400,
      message: expect.stringContaining('buyer_id') as unknown as string,
    });
    const { second: buyer_id } = market.account.buyers;
    const named = { lead_id, buyer_id, ...REQUEST };
    const { id } = await testbed.done<Returned>(market, 'request_return', named);
    await testbed.done(market, 'resolve_return', { return_id: id, result: 'accept' });
    expect(await testbed.lead(lead_id)).toMatchObject({ price: 10_000_000 });
    const shown = await testbed.done(market, 'get_lead', { lead_id });
    expect(shown).toMatchObject({ status: 'ACCEPTED', revenue: 10 });
  });

  it('is listed, newest first, in pages, with filters', async () => {
    const market = await settled({});
    const made: string[] = [];
    for (let n = 0; n < 3; n++) {
      const lead_id = await testbed.sold(market);
      const { id } = await testbed.done<Returned>(market, 'request_return', {
        lead_id,
        ...REQUEST,
      });
      made.unshift(id);
    }
    await testbed.done(market, 'resolve_return', { return_id: made[1], result: 'reject' });
    const ids = async (filter: object) =>
      (await testbed.done<Returned[]>(market, 'list_returns', filter)).map(({ id }) => id);
    expect(await ids({})).toEqual(made);
    const [row] = await testbed.done<object[]>(market, 'list_returns', { limit: 1 });
    const lead = await testbed.lead(made[0]?.split(':')[0] ?? '');
    const [sale] = lead.sales;
    expect(row).toMatchObject({
      buyer_name: 'first',
      campaign_name: expect.stringMatching(/./),
      supplier_name: expect.stringMatching(/./),
      supplier_id: lead.supplier_id,
      lead_name: nameOf(lead.fields),
      lead_at: lead.created_at.toISOString(),
      sold_at: sale?.at.toISOString(),
      price: fromMicros(sale?.price ?? 0),
      revenue: fromMicros(lead.price),
      cost: fromMicros(lead.cost),
      reverse_cost: false,
      resell: false,
    });
    expect(lead.price).toBeGreaterThan(0);
    // An accepted return keeps what its acceptance did; one that waits shows what the settings of now would do.
    await testbed.done(market, 'resolve_return', { return_id: made[2], result: 'accept' });
    const buyer_id = market.account.buyers.first;
    await testbed.done(market, 'set_buyer_returns', { buyer_id, resell: true, reverse_cost: true });
    const effects = await testbed.done<Effects[]>(market, 'list_returns', {});
    expect(effects.map(({ reverse_cost, resell }) => [reverse_cost, resell])).toEqual([
      [true, true],
      [false, false],
      [false, false],
    ]);
    expect(effects[2]).toMatchObject({ revenue: 0 });
    expect(await ids({ limit: 2 })).toEqual(made.slice(0, 2));
    expect(await ids({ state: 'rejected' })).toEqual([made[1]]);
    expect(await ids({ buyer_id: market.account.buyers.second })).toEqual([]);
  });
});
