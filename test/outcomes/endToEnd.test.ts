/** From the supplier's lead to the buyer's outcome, through the whole service (contract 7.1, 7.3). */
import { accountOf } from '../support/org.js';
import { webhookSecretPlace } from '../../src/account/rules/sealedPlaces.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createOrgKey, permissionsOf } from '../../src/account/keys/keys.js';
import { updateCampaign } from '../../src/account/campaigns/campaigns.js';
import { startTestbed, type Market, type Testbed } from '../support/testbed.js';
import { expectDescribed } from '../support/contract.js';
import { send, type HttpReply } from '../support/http.js';
import { aPerson } from '../support/supplier.js';
import { waitFor } from '../support/waitFor.js';

type Data = Record<string, unknown>;

describe('the outcome that a buyer reports', () => {
  let testbed: Testbed;
  let second: string;
  beforeAll(async () => {
    testbed = await startTestbed();
    second = (await testbed.otherApi()).url;
  });
  afterAll(() => testbed.stop());

  const json = (headers: Record<string, string>, body: object) => ({
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
  const secretOf = async ({ account }: Market, buyer = 'only'): Promise<string> => {
    const found = await testbed.collections.buyers.findOne({ _id: account.buyers[buyer] ?? '' });
    if (!found) throw new Error(`There is no buyer ${buyer}`);
    return testbed.keyring.open(found.webhook_secret, webhookSecretPlace(found._id));
  };
  const say = async (secret: string, body: object, base = testbed.url): Promise<HttpReply> => {
    const url = `${base}/api/webhooks/buyer-outcome`;
    const reply = await send(url, json({ 'x-buyer-secret': secret }, body));
    expectDescribed('post', url, reply);
    return reply;
  };
  const dataOf = ({ status, json: body, text }: HttpReply): Data => {
    if (status !== 200) throw new Error(text);
    return body?.data as Data;
  };
  const act = async ({ account }: Market, action: string, input: object): Promise<Data> => {
    const { collections } = testbed;
    const permissions = permissionsOf('write');
    const key = await createOrgKey(accountOf({ collections }, account.orgId), {
      name: 'Operator',
      permissions,
    });
    const url = `${testbed.url}/api/v1/actions/${action}`;
    const reply = await send(url, json({ authorization: `Bearer ${key.api_key}` }, input));
    expectDescribed('post', url, reply);
    return dataOf(reply);
  };

  it('becomes the status of the lead, and its revenue while it is converted', async () => {
    const market = await testbed.market({ buyers: { only: { price: 10, conversion_price: 50 } } });
    const { data } = await market.post();
    const lead_id = data?.id;
    const secret = await secretOf(market);
    const steps: [object, object, number][] = [
      [{ note: 'rang' }, { status: 'ACCEPTED', outcome: null, note: 'rang' }, 10],
      [{ outcome: 'pending', lead_value: 900 }, { status: 'pending', lead_value: 900 }, 10],
      [{ outcome: 'converted' }, { status: 'converted', conversion_revenue: null }, 50],
      [{ revenue: 120.25 }, { status: 'converted', conversion_revenue: 120.25 }, 120.25],
      [{ conversion_revenue: 80 }, { outcome: 'converted', conversion_revenue: 80 }, 80],
      [{ outcome: 'not_qualified' }, { status: 'not_qualified', conversion_revenue: 80 }, 10],
      [{ outcome: 'converted', lead_value: 0 }, { status: 'converted', lead_value: 0 }, 80],
    ];
    for (const [said, told, revenue] of steps) {
      const answer = dataOf(await say(secret, { lead_id, ...said }));
      expect(answer).toMatchObject({ lead_id, replayed: false, ...told });
      const lead = await act(market, 'get_lead', { lead_id });
      expect(lead).toMatchObject({
        status: answer.status,
        distribution_status: 'ACCEPTED',
        revenue,
        cost: 4,
        profit: revenue - 4,
      });
    }
  });

  it('applies to the lead with the given field', async () => {
    const fields = ['click_id', 'age'].map((name) => ({
      name,
      type: 'String' as const,
      required: false,
      ping_required: false,
    }));
    const market = await testbed.market({ campaign: { fields } });
    const person = aPerson();
    const { data } = await market.post({ ...person, click_id: 'c-1', age: '40' });
    await market.post({ click_id: 'c-2', age: '41' });
    const secret = await secretOf(market);
    const { campaignId: campaign_id } = market.account;
    const ways = [
      { phone: person.phone },
      { email: person.email },
      { click_id: 'c-1' },
      { match_field: 'age', match_value: 40 },
    ];
    for (const way of ways) {
      const said = { ...way, campaign_id, outcome: 'pending' };
      expect(dataOf(await say(secret, said)).lead_id).toBe(data?.id);
    }
    const shared = { match_field: 'state', match_value: 'ca', campaign_id, outcome: 'pending' };
    expect((await say(secret, shared)).status).toBe(409);
  });

  it('settles a delivery that the buyer never answered', async () => {
    const market = await testbed.market({
      campaign: { answer_within_ms: 300 },
      buyers: { only: { answer: () => 'hang', delivery: { timeout_ms: 500 } } },
    });
    const { data } = await market.post();
    const lead_id = data?.id ?? '';
    await testbed.becomes(lead_id, 'PENDING');
    const state = async () => (await testbed.rows(lead_id))[0]?.state;
    const isHeld = async () => (await state()) === 'unknown';
    await waitFor(isHeld, { timeoutMs: 10_000, message: 'the delivery is held' });
    const said = { lead_id, outcome: 'converted', conversion_revenue: 70 };
    const answer = dataOf(await say(await secretOf(market), said));
    expect(answer).toMatchObject({ status: 'converted', conversion_revenue: 70 });
    expect(await testbed.lead(lead_id)).toMatchObject({
      status: 'ACCEPTED',
      outcome: 'converted',
      price: 70_000_000,
      sales: [{ buyer_id: market.account.buyers.only, price: 10_000_000 }],
    });
    expect(await state()).toBe('accepted');
  });

  it('is applied once however often it is sent with one key, to any process', async () => {
    const market = await testbed.market();
    const { data } = await market.post();
    const secret = await secretOf(market);
    const body = { lead_id: data?.id, outcome: 'converted', revenue: 33, idempotency_key: 'deal' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => say(secret, body, n % 2 === 0 ? testbed.url : second)),
    );
    const told = answers.map(dataOf);
    expect(told.filter(({ replayed }) => replayed === false)).toHaveLength(1);
    const first = { ...told[0], replayed: true };
    for (const answer of told) expect({ ...answer, replayed: true }).toEqual(first);
    expect(await testbed.lead(data?.id)).toMatchObject({ outcome_seq: 1, price: 33_000_000 });
    const other = await say(secret, { ...body, revenue: 34 });
    expect([other.status, other.json?.error]).toEqual([409, 'conflict']);
    // A later outcome does not change the stored answer.
    dataOf(await say(secret, { lead_id: data?.id, outcome: 'not_qualified' }));
    expect(dataOf(await say(secret, body))).toEqual(first);
  });

  it('can be recorded by an operator, and is visible to the supplier where it is shared', async () => {
    const market = await testbed.market();
    const { data } = await market.post();
    const lead_id = data?.id ?? '';
    const input = { lead_id, outcome: 'not_qualified', note: 'wrong number' };
    expect(await act(market, 'record_outcome', input)).toMatchObject({
      lead_id,
      status: 'not_qualified',
      note: 'wrong number',
      replayed: false,
    });
    const { account } = market;
    const entry = (await testbed.lead(lead_id)).trail.find(({ step }) => step === 'outcome');
    expect(entry).toMatchObject({
      result: 'not_qualified',
      buyer_id: account.buyers.only,
      detail: { by: { kind: 'user', name: 'Operator' } },
    });
    const look = async () => {
      const url = `${second}/api/v1/leads/lookup?id=${lead_id}`;
      return dataOf(await send(url, { headers: { 'x-api-key': account.suppliers[0]?.key ?? '' } }));
    };
    expect(await look()).not.toHaveProperty('outcome');
    const shared = { share_outcomes: true };
    await updateCampaign(accountOf(testbed, account.orgId), account.campaignId, shared);
    expect(await look()).toMatchObject({ status: 'ACCEPTED', outcome: 'not_qualified' });
  });

  it('applies to its own sale when several buyers have the lead', async () => {
    const market = await testbed.market({
      campaign: { max_sells: 2 },
      buyers: { one: { price: 10 }, two: { price: 20 } },
    });
    const { data } = await market.post();
    const lead_id = data?.id ?? '';
    await testbed.becomes(lead_id, 'ACCEPTED');
    const converted = { lead_id, outcome: 'converted', revenue: 100 };
    dataOf(await say(await secretOf(market, 'two'), converted));
    dataOf(await say(await secretOf(market, 'one'), { lead_id, outcome: 'not_qualified' }));
    const { one, two } = market.account.buyers;
    expect(await testbed.lead(lead_id)).toMatchObject({
      outcome: 'not_qualified',
      price: 110_000_000,
      sales: [
        { buyer_id: one, outcome: 'not_qualified' },
        { buyer_id: two, outcome: 'converted', conversion_revenue: 100_000_000 },
      ],
    });
  });

  it('is refused for a lead that the buyer refused', async () => {
    const market = await testbed.market({
      buyers: { no: { answer: () => ({ status: 422 }) }, yes: {} },
    });
    const { data } = await market.post();
    const body = { lead_id: data?.id, outcome: 'converted' };
    expect((await say(await secretOf(market, 'no'), body)).status).toBe(404);
    expect((await say(await secretOf(market, 'yes'), body)).status).toBe(200);
  });
});
