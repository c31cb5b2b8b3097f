/** Test leads of an operator, and leads that a supplier sends by its guide, through the real service. */
import { accountOf } from '../support/org.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateBuyer } from '../../src/account/buyers/buyers.js';
import { updateCampaign, type CampaignInput } from '../../src/account/campaigns/campaigns.js';
import { createOrgKey, permissionsOf } from '../../src/account/keys/keys.js';
import { updateSupplier } from '../../src/account/suppliers/suppliers.js';
import type { FieldRule } from '../../src/fields/fieldRule.js';
import type { Guide } from '../../src/api/guide/types.js';
import { post } from '../support/api.js';
import { send, type HttpReply } from '../support/http.js';
import { type MarketSpec, startTestbed, type Market, type Testbed } from '../support/testbed.js';

let testbed: Testbed;
beforeAll(async () => {
  testbed = await startTestbed();
});
afterAll(() => testbed.stop());

interface Sent {
  lead_id: string | null;
  status: string | null;
  message: string;
  http_status: number;
  answer: Record<string, unknown>;
  sent: Record<string, unknown>;
  supplier_id: string;
  trail: { step: string }[] | null;
  ping: Record<string, unknown> | null;
}

/** Calls an action for the organization of a market. */
async function act<T>({ account }: Market, action: string, input: object): Promise<T> {
  const db = testbed.collections;
  const { api_key } = await createOrgKey(accountOf({ collections: db }, account.orgId), {
    name: 'Operator',
    permissions: permissionsOf('write'),
  });
  const url = `${testbed.url}/api/v1/actions/${action}`;
  const { json } = await post(url, api_key, JSON.stringify(input));
  return (json?.data ?? json) as T;
}
const tryOut = (market: Market, input: object = {}) =>
  act<Sent>(market, 'send_test_lead', { campaign_id: market.account.campaignId, ...input });

async function trying(spec: MarketSpec = {}): Promise<Market> {
  const market = await testbed.market(spec);
  const { orgId, buyers } = market.account;
  await updateBuyer(accountOf(testbed, orgId), Object.values(buyers)[0] ?? '', {
    test_mode: true,
  });
  return market;
}

const needed = { required: true, ping_required: false };
const fields: FieldRule[] = [
  { name: 'age', type: 'Number', ...needed, min: 21 },
  { name: 'plate', type: 'String', ...needed, pattern: '^[A-Z]{2}-[0-9]{4}$' },
];

/** The parts of a curl line in a guide. */
function partsOf(curl: string): { url: string; key: string; body: string } {
  const [, url = '', key = '', body = ''] =
    /^curl -sS '([^']+)'.*'x-api-key: ([^']+)' +-d '(.*)'$/.exec(curl.replaceAll(' \\\n', '')) ??
    [];
  return { url, key, body };
}

/** Sends the line as a shell would. */
function pasted(curl: string): Promise<HttpReply> {
  const { url, key, body } = partsOf(curl);
  const headers = { 'content-type': 'application/json', 'x-api-key': key };
  return send(url, { method: 'POST', headers, body });
}

describe('a test lead', () => {
  it('is generated to be valid, goes to the buyer in test mode, and costs nothing', async () => {
    const market = await trying({
      campaign: {
        fields,
        filters: [{ field: 'age', operator: '>=', value: 65 }],
        caps: { daily_cap: 0 },
      },
      buyers: { only: { states: ['WY'] } },
    });
    const done = await tryOut(market);
    expect(done).toMatchObject({
      status: 'ACCEPTED',
      http_status: 201,
      message: 'A buyer bought it.',
      answer: { data: { status: 'ACCEPTED', buyer_id: market.account.buyers.only } },
      sent: {
        test_lead: true,
        state: 'WY',
        age: 65,
        plate: expect.stringMatching(/^[A-Z]{2}-\d{4}$/),
      },
      supplier_id: market.account.suppliers[0]?.id,
    });
    expect(done.trail?.map(({ step }) => step)).toEqual(expect.arrayContaining(['routing']));
    expect(market.sentTo('only')).toHaveLength(1);
    const lead = await testbed.lead(done.lead_id ?? '');
    expect(lead).toMatchObject({ is_test: true, price: 0, cost: 0, profit: 0 });
    const { claims, caps } = testbed.collections;
    const campaignId = market.account.campaignId;
    expect(await claims.countDocuments({ lead_id: lead._id })).toBe(0);
    const counted = await caps.find({ _id: { $regex: campaignId } }).toArray();
    expect(counted.filter(({ total, held }) => total.count > 0 || held.length > 0)).toEqual([]);
    // The same person again is no duplicate.
    const { phone, email } = done.sent;
    expect(await tryOut(market, { fields: { phone, email } })).toMatchObject({
      status: 'ACCEPTED',
    });
  });

  it('uses the given values, and reports which of them are wrong', async () => {
    const market = await trying({ campaign: { fields } });
    expect(await tryOut(market, { fields: { age: 7, plate: null, state: 'ca' } })).toMatchObject({
      lead_id: null,
      status: null,
      http_status: 400,
      trail: null,
      message:
        'One or more fields failed validation: age must be at least 21; plate is required for this campaign.',
      answer: {
        error: 'validation_failed',
        field_errors: [
          { field: 'age', code: 'out_of_range' },
          { field: 'plate', code: 'required' },
        ],
      },
      sent: { age: 7, plate: null, state: 'ca' },
    });
    expect(await market.leads()).toEqual([]);
  });

  it('that fails the filters gets the rule, and is stored', async () => {
    const filters = [{ field: 'state', operator: '==', value: 'TX' }];
    const market = await trying({ campaign: { filters } });
    const done = await tryOut(market, { fields: { state: 'CA' } });
    expect(done).toMatchObject({
      status: 'REJECTED',
      http_status: 422,
      lead_id: expect.any(String),
      message: 'The lead did not pass the filters of the campaign: state must be TX.',
      answer: { error: 'filtered', filter_errors: [{ field: 'state', actual: 'CA' }] },
    });
    expect(done.trail?.length).toBeGreaterThan(0);
  });

  it('is unsold while no buyer is in test mode, and says what to do', async () => {
    const market = await testbed.market();
    expect(await tryOut(market)).toMatchObject({
      status: 'UNMATCHED',
      http_status: 200,
      message: expect.stringContaining('set test_mode of one with update_buyer'),
    });
    expect(market.sentTo('only')).toEqual([]);
  });

  it('is accepted while campaign and supplier are paused', async () => {
    const market = await trying();
    const { orgId, campaignId, suppliers } = market.account;
    const db = testbed.collections;
    await updateCampaign(accountOf({ collections: db }, orgId), campaignId, { status: 'PAUSED' });
    await updateSupplier(accountOf({ collections: db }, orgId), suppliers[0]?.id ?? '', {
      status: 'paused',
    });
    expect(await tryOut(market)).toMatchObject({ status: 'ACCEPTED', http_status: 201 });
  });

  it('is sent for an active supplier rather than a paused one, or for the given one', async () => {
    const market = await trying({ suppliers: 2 });
    const [first, second] = market.account.suppliers;
    const db = testbed.collections;
    await updateSupplier(accountOf({ collections: db }, market.account.orgId), first?.id ?? '', {
      status: 'paused',
    });
    expect(await tryOut(market)).toMatchObject({ supplier_id: second?.id });
    expect(await tryOut(market, { supplier_id: first?.id })).toMatchObject({
      supplier_id: first?.id,
      status: 'ACCEPTED',
    });
  });

  it('is refused without a supplier to send it, and with a field that the action sets', async () => {
    const market = await trying({ suppliers: 0 });
    expect(await tryOut(market)).toMatchObject({
      success: false,
      error: 'action_refused',
      message: expect.stringContaining('No supplier is linked to this campaign'),
    });
    expect(await tryOut(market, { fields: { test_lead: false } })).toMatchObject({
      success: false,
      error: 'invalid_input',
      details: [{ path: 'fields.test_lead' }],
    });
  });
});

const pinged: Partial<CampaignInput> = {
  routing_method: 'PING_POST',
  status: 'ACTIVE',
  fields: [
    ...fields,
    { name: 'zip_code', type: 'Zip / Postal Code', required: false, ping_required: true },
  ],
};

describe('a test lead of a ping-post campaign', () => {
  it('is posted to a test ping without personal data', async () => {
    const market = await trying({ campaign: pinged });
    const done = await tryOut(market);
    const { only } = market.account.buyers;
    expect(done).toMatchObject({
      status: 'ACCEPTED',
      http_status: 201,
      message: 'A buyer bought it.',
      ping: { accepted: true, buyers: [{ buyer_id: only }] },
    });
    expect(done.sent).not.toHaveProperty('flo_ping_id');
    const [stored] = await testbed.collections.pings
      .find({ campaign_id: market.account.campaignId })
      .toArray();
    expect(stored).toMatchObject({ is_test: true, state: 'redeemed', lead_id: done.lead_id });
    expect(Object.keys(stored?.digests ?? {})).toEqual(expect.arrayContaining(['zip_code', 'age']));
    expect(stored?.digests).not.toHaveProperty('phone');
    const view = await act<object>(market, 'get_ping', { ping_id: done.ping?.ping_id });
    expect(view).toMatchObject({ state: 'redeemed', bids: [{ buyer_name: expect.any(String) }] });
  });

  it('is not posted without a bid, or when the ping is refused, and says why', async () => {
    const market = await testbed.market({ campaign: pinged });
    expect(await tryOut(market)).toMatchObject({
      lead_id: null,
      status: null,
      http_status: 200,
      trail: null,
      message: expect.stringMatching(
        /No buyer bids on its ping.*set test_mode of one with update_buyer/,
      ),
      ping: { accepted: false, reason: 'no_buyer' },
    });
    expect(await tryOut(market, { fields: { zip_code: null } })).toMatchObject({
      lead_id: null,
      http_status: 400,
      ping: null,
      message: expect.stringMatching(/^Its ping was refused: .*zip_code is required in every ping/),
    });
    expect(await market.leads()).toEqual([]);
  });
});

describe('the posting guide of a campaign', () => {
  it('has a ping whose ping_id the lead of the next line is posted with', async () => {
    const market = await trying({ campaign: pinged });
    const { campaignId: campaign_id, suppliers } = market.account;
    const input = { campaign_id, supplier_id: suppliers[0]?.id, reveal_key: true };
    const { guide } = await act<{ guide: Guide }>(market, 'get_campaign_api_spec', input);
    const asked = await pasted(guide.ping?.curl.test_ping ?? '');
    expect([asked.status, asked.json]).toMatchObject([200, { accepted: true }]);
    const line = guide.curl.test_lead.replaceAll('YOUR_PING_ID', String(asked.json?.ping_id));
    const reply = await pasted(line);
    expect([reply.status, reply.json?.data]).toMatchObject([201, { status: 'ACCEPTED' }]);
    const again = await pasted(line.replace('@example.com', '@example.org'));
    expect([again.status, again.json?.field_errors]).toMatchObject([
      400,
      [{ field: 'flo_ping_id', code: 'already_used' }],
    ]);
  });

  it('has a command line whose lead is accepted with 201, for a revealed key', async () => {
    const market = await trying({ campaign: { fields } });
    const { campaignId: campaign_id, suppliers } = market.account;
    const input = { campaign_id, supplier_id: suppliers[0]?.id, reveal_key: true };
    const { guide } = await act<{ guide: Guide }>(market, 'get_campaign_api_spec', input);
    const { url, key } = partsOf(guide.curl.test_lead);
    expect([url, key]).toEqual([`${testbed.url}/api/v1/ingest`, suppliers[0]?.key]);
    const reply = await pasted(guide.curl.test_lead);
    expect([reply.status, reply.json?.data]).toMatchObject([201, { status: 'ACCEPTED' }]);
    expect(market.sentTo('only')).toHaveLength(1);
    const [, found = ''] = /curl -sS '([^']+)'/.exec(guide.curl.look_up) ?? [];
    const lookedUp = await send(found, { headers: { 'x-api-key': key } });
    expect([lookedUp.status, lookedUp.json?.data]).toMatchObject([200, { status: 'ACCEPTED' }]);
  });
});
