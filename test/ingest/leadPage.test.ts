/** What a person is told about one lead, of leads that the service decided. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createOrgKey, permissionsOf } from '../../src/account/keys/keys.js';
import { NO } from '../support/fakeBuyer.js';
import { send } from '../support/http.js';
import { accountOf } from '../support/org.js';
import { startTestbed, type Market, type Testbed } from '../support/testbed.js';

let testbed: Testbed;
beforeAll(async () => {
  testbed = await startTestbed();
});
afterAll(() => testbed.stop());

type Answer = Record<string, unknown>;

async function callerOf(orgId: string) {
  const { collections } = testbed;
  const permissions = permissionsOf('write');
  const made = await createOrgKey(accountOf({ collections }, orgId), { name: 'Key', permissions });
  return async (action: string, input: object): Promise<Answer> => {
    const { json } = await send(`${testbed.url}/api/v1/actions/${action}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${made.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
    return json?.success === true
      ? (json.data as Answer)
      : { error: json?.error, message: json?.message };
  };
}
const callerIn = ({ account }: Market) => callerOf(account.orgId);

describe('a lead that a cap stopped', () => {
  it('is explained in a sentence, mended by a larger cap, and would be sold then', async () => {
    const market = await testbed.market({ buyers: { North: { price: 20, daily_cap: 1 } } });
    const call = await callerIn(market);
    await market.post();
    const { id: lead_id } = await market.post();
    const { campaignId: campaign_id, buyers } = market.account;
    const buyer_id = buyers.North;
    const name = String((await call('get_buyer', { buyer_id })).name);
    const told = await call('explain_lead', { lead_id });
    expect(told.headline).toMatch(
      new RegExp(`^Not sold: ${name} was at its daily cap\\. It is full until 00:00 E[SD]T\\.$`),
    );
    expect(told.mends).toEqual([
      {
        mend: 'raise_cap',
        text: `Raise the cap of ${name}`,
        buyer_id,
        delivery_id: null,
        setting: 'daily_cap',
      },
    ]);
    const again = { campaign_id, lead_id };
    expect(await call('preview_routing', again)).toMatchObject({
      replayed: 'equal',
      totals: { leads: 1, changed: 0 },
    });
    await call('update_campaign_buyer', { campaign_id, buyer_id, daily_cap: 5 });
    expect(await call('preview_routing', again)).toMatchObject({
      replayed: 'equal',
      totals: { leads: 1, changed: 1, after: { revenue: 20 } },
      leads: [{ lead_id, after: { status: 'ACCEPTED', assumed: [buyer_id] } }],
    });
    expect((await call('explain_lead', { lead_id })).mends).toEqual([]);
    const other = await testbed.market();
    expect(
      await call('preview_routing', { ...again, campaign_id: other.account.campaignId }),
    ).toMatchObject({
      error: 'invalid_input',
    });
  });
});

describe('a lead of a person who came before', () => {
  it('names the others of that person, the buyers of its sales, and its deliveries', async () => {
    const market = await testbed.market({ buyers: { North: {} } });
    const call = await callerIn(market);
    const person = { phone: '4155550123', email: 'same@person.example' };
    const first = await market.post(person);
    const second = await market.post(person);
    const lead = await call('get_lead', { lead_id: first.id, include_related: true });
    expect(lead).toMatchObject({
      related: [{ id: second.id, status: 'DUPLICATE' }],
      sales: [{ buyer_id: market.account.buyers.North, delivery_id: `${first.id}:1` }],
      has_consent: false,
      ping_id: null,
      trail_dropped: 0,
    });
    expect((lead.sales as Answer[])[0]?.buyer_name).toEqual(expect.any(String));
    expect(await call('get_lead', { lead_id: first.id })).not.toHaveProperty('related');
  });
});

describe('a delivery', () => {
  it('shows the request that its buyer received, byte for byte, without its secrets', async () => {
    const delivery = { headers: { 'X-Key': 'k-secret' } };
    const market = await testbed.market({
      buyers: { North: { delivery, answer: () => NO }, South: {} },
    });
    const call = await callerIn(market);
    const { id } = await market.post();
    const [sent] = market.sentTo('North');
    const shown = await call('get_delivery', { delivery_id: `${id}:1` });
    const { http, method } = shown.request as { method: string; http: Answer };
    expect([method, http.body]).toEqual(['WEBHOOK', sent?.rawBody]);
    expect(JSON.stringify(shown)).not.toContain('k-secret');
    // The terms of that time: a later change of the buyer is not what was sent.
    await call('set_buyer_delivery', {
      buyer_id: market.account.buyers.North,
      template: { other: '{{phone}}' },
    });
    expect((await call('get_delivery', { delivery_id: `${id}:1` })).request).toEqual(shown.request);
  });
});

describe('another organization', () => {
  it('is told that there is no such lead, whatever it asks', async () => {
    const market = await testbed.market();
    const { id: lead_id } = await market.post();
    const stranger = (await testbed.market()).account;
    const call = await callerOf(stranger.orgId);
    const asked: [string, object][] = [
      ['get_lead', { lead_id, include_related: true }],
      ['explain_lead', { lead_id }],
      ['list_returns', { lead_id }],
      ['list_deliveries', { lead_id }],
      ['get_delivery', { delivery_id: `${lead_id}:1` }],
      ['preview_routing', { campaign_id: stranger.campaignId, lead_id }],
    ];
    for (const [action, input] of asked)
      expect([action, await call(action, input)]).toMatchObject([
        action,
        { error: 'record_not_found' },
      ]);
  });
});
