/** Leads and the queues of buyers, through the whole service. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createOrgKey, permissionsOf } from '../../../../src/account/keys/keys.js';
import { startTestbed, type Market, type Testbed } from '../../../support/testbed.js';
import type { Behavior } from '../../../support/fakeBuyer.js';
import { post } from '../../../support/api.js';
import { accountOf } from '../../../support/org.js';

const DOWN = { status: 503, headers: { 'retry-after': '600' } };

let testbed: Testbed;
beforeAll(async () => {
  testbed = await startTestbed();
});
afterAll(() => testbed.stop());

async function operatorOf({ account }: Market) {
  const permissions = permissionsOf('write');
  const input = { name: 'Operator', permissions };
  const { api_key } = await createOrgKey(accountOf(testbed, account.orgId), input);
  return async (action: string, body: object) => {
    const { status, json } = await post(
      `${testbed.url}/api/v1/actions/${action}`,
      api_key,
      JSON.stringify(body),
    );
    return { status, data: json?.data as Record<string, unknown>, error: json?.error };
  };
}

describe('a lead', () => {
  it('is shown as it was sold, with its money and, on request, its trail', async () => {
    const market = await testbed.market({ buyers: { only: { price: 25.5 } } });
    const call = await operatorOf(market);
    const { data } = await market.post({ favourite: 'blue' });
    const { data: lead } = await call('get_lead', { lead_id: data?.id, includeTrail: true });
    const buyer_id = market.account.buyers.only;
    expect(lead).toMatchObject({
      id: data?.id,
      status: 'ACCEPTED',
      distribution_status: 'ACCEPTED',
      buyer_id,
      price: 25.5,
      revenue: 25.5,
      cost: 4,
      profit: 21.5,
      is_test: false,
      campaign_id: market.account.campaignId,
      extra: { favourite: 'blue' },
      sales: [{ buyer_id, price: 25.5, cost: 4 }],
    });
    const { data: trail } = await call('get_lead_distribution_trail', { lead_id: data?.id });
    expect(trail).toEqual({
      lead_id: data?.id,
      status: 'ACCEPTED',
      trail: lead.trail,
      trail_dropped: 0,
    });
    expect(trail.trail).toContainEqual(
      expect.objectContaining({ step: 'delivery', result: 'accepted', buyer_id }),
    );
  });

  it('that waits is held, retried and dropped with a key of the organization', async () => {
    let answer: Behavior = DOWN;
    const market = await testbed.market({ buyers: { only: { answer: () => answer } } });
    const call = await operatorOf(market);
    const ids = [(await market.post()).data?.id, (await market.post()).data?.id];
    const [first, second] = ids;
    for (const lead_id of ids) {
      expect((await call('get_lead', { lead_id })).data).toMatchObject({ status: 'PENDING' });
    }
    const held = await call('hold_deliveries', { lead_id: second, note: 'ask them first' });
    expect(held).toMatchObject({ status: 200, data: { rows: 1, lead: { id: second } } });
    answer = { status: 200 };
    expect(await call('retry_deliveries', { lead_id: first })).toMatchObject({ status: 200 });
    await testbed.becomes(first, 'ACCEPTED');
    expect(await call('drop_deliveries', { lead_id: second })).toMatchObject({
      data: { rows: 1, lead: { status: 'EXPIRED' } },
    });
    const { trail } = await testbed.lead(second);
    expect(trail).toContainEqual(
      expect.objectContaining({
        detail: expect.objectContaining({ by: 'Operator', note: 'ask them first' }),
      }),
    );
    expect(await call('drop_deliveries', { lead_id: first })).toMatchObject({
      status: 400,
      error: 'action_refused',
    });
    expect(await call('drop_deliveries', {})).toMatchObject({ status: 422 });
  });

  it("that was never answered is resolved by the buyer's decision", async () => {
    const market = await testbed.market({
      buyers: { only: { answer: () => 'hang', delivery: { timeout_ms: 300 } } },
    });
    const call = await operatorOf(market);
    const { data } = await market.post();
    const input = { lead_id: data?.id, buyer_id: market.account.buyers.only };
    expect(await call('resolve_delivery', { ...input, result: 'ACCEPTED' })).toMatchObject({
      status: 200,
      data: { rows: 1, lead: { status: 'ACCEPTED' } },
    });
    expect(await testbed.lead(data?.id)).toMatchObject({ status: 'ACCEPTED' });
    const other = await call('resolve_delivery', { ...input, result: 'rejected' });
    expect([other.status, other.error]).toEqual([400, 'action_refused']);
  });
});

describe('a lead is explained', () => {
  it('with money in the currency of the account, on every surface', async () => {
    const market = await testbed.market({
      buyers: { only: { price: 10, caps: { daily_budget: 12 } } },
    });
    const call = await operatorOf(market);
    await market.post({ phone: '4155550171', email: 'first@example.com' });
    const { data } = await market.post({ phone: '4155550172', email: 'second@example.com' });
    const lead_id = data?.id;
    const full = {
      step: 'caps',
      detail: {
        limit: 'daily_budget',
        allowed: 12,
        counted: 10,
        asks: 10,
        windows: { day: { count: 1, amount: 10 } },
      },
    };
    const [lead, trail, why] = await Promise.all([
      call('get_lead', { lead_id, include_trail: true }),
      call('get_lead_distribution_trail', { lead_id }),
      call('explain_lead', { lead_id }),
    ]);
    expect(lead.data.trail).toContainEqual(expect.objectContaining(full));
    expect(trail.data.trail).toContainEqual(expect.objectContaining(full));
    expect(why.data.steps).toContainEqual(expect.objectContaining(full));
    expect(why.data.buyers).toMatchObject([{ reason: 'buyer_cap', detail: full.detail }]);
  });

  it('by its sales, the buyers passed over, and their answers', async () => {
    const market = await testbed.market({
      buyers: {
        texan: { price: 30, priority: 1, states: ['TX'] },
        picky: { price: 20, priority: 2, answer: () => ({ status: 422 }) },
        taker: { price: 10, priority: 3 },
        last: { price: 5, priority: 4 },
      },
    });
    const call = await operatorOf(market);
    const person = { state: 'CA', phone: '4155550177', email: 'once@example.com' };
    const { data } = await market.post(person);
    const lead_id = data?.id;
    const { buyers } = market.account;
    const { data: told } = await call('explain_lead', { lead_id });
    expect(told).toMatchObject({
      lead_id,
      status: 'ACCEPTED',
      steps_dropped: 0,
      duplicate_of: null,
      money: { revenue: 10, cost: 4, profit: 6 },
      buyers: [
        { buyer_id: buyers.taker, verdict: 'sold', reason: null },
        { buyer_id: buyers.picky, verdict: 'refused', reason: 'The buyer answered 422' },
        { buyer_id: buyers.texan, verdict: 'passed_over', reason: 'state_not_served' },
        { buyer_id: buyers.last, verdict: 'not_asked', reason: 'outranked' },
      ],
    });
    expect(told.summary).toMatch(/^The lead was sold to .* for 10\.00 [A-Z]{3}: it brings 10\.00/);
    const { trail } = await testbed.lead(lead_id);
    const steps = told.steps as { step: string; result: string; text: string }[];
    expect(steps.map(({ step, result }) => [step, result])).toEqual(
      trail.map(({ step, result }) => [step, result]),
    );
    // A step with an unknown code would have a text that begins with its name.
    for (const { step, text } of steps) expect(text.startsWith(`${step}: `)).toBe(false);
    const why = await call('explain_lead', { lead_id, buyerId: buyers.texan });
    expect(why.data.summary).toMatch(
      /was passed over: the lead is from CA, and it accepts only leads of TX\./,
    );
    expect(why.data.buyers).toHaveLength(1);
    const { data: again } = await market.post({ ...person, first_name: 'Again' });
    const repeat = await call('explain_lead', { lead_id: again?.id });
    expect(repeat.data).toMatchObject({ status: 'DUPLICATE', duplicate_of: lead_id });
    expect(repeat.data.summary).toContain(
      `It repeats lead ${lead_id}, which has the same phone or email`,
    );
  });
});

describe('a suppression list', () => {
  it('that was uploaded refuses the next lead of a person on it, and no phone is in the record', async () => {
    const market = await testbed.market();
    const call = await operatorOf(market);
    const done = await call('upload_suppressions', {
      name: 'Do not call',
      csv: 'phone\n4155550134\nnobody',
    });
    expect(done).toMatchObject({
      status: 200,
      data: { rows: 2, added: 1, bad: 1, entries: 1, problems: [{ line: 3, column: 'phone' }] },
    });
    expect(await market.post({ phone: '415-555-0134' })).toMatchObject({ status: 422 });
    expect((await call('list_suppressions', {})).data).toMatchObject([
      { name: 'Do not call', scope: 'organisation', target_id: market.account.orgId, entries: 1 },
    ]);
    const audit = await testbed.collections.audit.findOne({
      org_id: market.account.orgId,
      action: 'upload_suppressions',
    });
    expect(audit?.input).toMatchObject({ name: 'Do not call', csv: '[hidden]' });
    expect(done.data).toMatchObject({ columns_read: ['phone'], columns_ignored: [] });
    const { list_id } = done.data as { list_id: string };
    expect(await call('delete_suppression_list', { list_id })).toMatchObject({
      status: 200,
      data: { id: list_id, deleted: true, existed: true },
    });
    // At once, also for the very next lead.
    expect((await market.post({ phone: '415-555-0134' })).status).not.toBe(422);
    expect((await call('list_suppressions', {})).data).toEqual([]);
    const ofList = { _id: { $regex: `^${list_id}` } };
    expect(await testbed.collections.suppressions.countDocuments(ofList)).toBe(0);
    expect(await call('delete_suppression_list', { list_id })).toMatchObject({
      status: 200,
      data: { id: list_id, deleted: true, existed: false },
    });
    const deletion = { org_id: market.account.orgId, action: 'delete_suppression_list' };
    expect(await testbed.collections.audit.findOne(deletion)).toMatchObject({
      input: { list_id },
    });
    const wrong = { name: 'X', scope: 'campaign', csv: 'phone\n' };
    expect(await call('upload_suppressions', wrong)).toMatchObject({ status: 422 });
  });
});
