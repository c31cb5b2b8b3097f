/** Test leads that an operator sends, and leads that a supplier sends by its guide, through the real service. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { updateBuyer } from '../../src/account/buyers.js';
import { updateCampaign } from '../../src/account/campaigns.js';
import { createOrgKey, permissionsOf } from '../../src/account/keys.js';
import { updateSupplier } from '../../src/account/suppliers.js';
import type { FieldRule } from '../../src/domain/plan.js';
import { post } from '../actions/api.js';
import { send } from '../support/http.js';
import { startScene, type Market, type Scene } from './scene.js';

const policy = { allowPrivate: true };
let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.stop());

interface Sent {
  lead_id: string | null;
  status: string | null;
  message: string;
  http_status: number;
  answer: Record<string, unknown>;
  sent: Record<string, unknown>;
  supplier_id: string;
  trail: { step: string }[] | null;
}

/** Calls an action for the organisation of a market. */
async function act<T>({ account }: Market, action: string, input: object): Promise<T> {
  const db = scene.bed.collections;
  const { api_key } = await createOrgKey(db, account.orgId, {
    ...{ name: 'Operator', permissions: permissionsOf('write') },
  });
  const url = `${scene.url}/api/v1/actions/${action}`;
  const { json } = await post(url, api_key, JSON.stringify(input));
  return (json?.data ?? json) as T;
}
const tryOut = (market: Market, input: object = {}) =>
  act<Sent>(market, 'send_test_lead', { campaign_id: market.account.campaignId, ...input });

async function trying(spec: Parameters<Scene['market']>[0] = {}): Promise<Market> {
  const market = await scene.market(spec);
  const { orgId, buyers } = market.account;
  await updateBuyer(scene.bed.collections, policy, orgId, Object.values(buyers)[0] ?? '', {
    test_mode: true,
  });
  return market;
}

const needed = { required: true, ping_required: false };
const fields: FieldRule[] = [
  { name: 'age', type: 'Number', ...needed, min: 21 },
  { name: 'plate', type: 'String', ...needed, pattern: '^[A-Z]{2}-[0-9]{4}$' },
];

describe('a test lead', () => {
  it('is made up to fit, goes to the buyer in test mode, and costs nothing', async () => {
    const market = await trying({
      campaign: {
        ...{ fields, filters: [{ field: 'age', operator: '>=', value: 65 }] },
        caps: { daily_cap: 0 },
      },
      buyers: { only: { states: ['WY'] } },
    });
    const done = await tryOut(market);
    expect(done).toMatchObject({
      ...{ status: 'ACCEPTED', http_status: 201, message: 'A buyer has taken it.' },
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
    const lead = await scene.lead(done.lead_id ?? '');
    expect(lead).toMatchObject({ is_test: true, price: 0, cost: 0, profit: 0 });
    const { claims, caps } = scene.bed.collections;
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

  it('takes the values that are given, and tells which of them are wrong', async () => {
    const market = await trying({ campaign: { fields } });
    expect(await tryOut(market, { fields: { age: 7, plate: null, state: 'ca' } })).toMatchObject({
      ...{ lead_id: null, status: null, http_status: 400, trail: null },
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

  it('that fails the filters is told so with the rule, and kept', async () => {
    const filters = [{ field: 'state', operator: '==', value: 'TX' }];
    const market = await trying({ campaign: { filters } });
    const done = await tryOut(market, { fields: { state: 'CA' } });
    expect(done).toMatchObject({
      ...{ status: 'REJECTED', http_status: 422, lead_id: expect.any(String) },
      message: 'The lead did not pass the filters of the campaign: state must be TX.',
      answer: { error: 'filtered', filter_errors: [{ field: 'state', actual: 'CA' }] },
    });
    expect(done.trail?.length).toBeGreaterThan(0);
  });

  it('is for nobody while no buyer is in test mode, and says what to do', async () => {
    const market = await scene.market();
    expect(await tryOut(market)).toMatchObject({
      ...{ status: 'UNMATCHED', http_status: 200 },
      message: expect.stringContaining('set test_mode of one with update_buyer'),
    });
    expect(market.sentTo('only')).toEqual([]);
  });

  it('goes through while campaign and supplier are paused', async () => {
    const market = await trying();
    const { orgId, campaignId, suppliers } = market.account;
    const db = scene.bed.collections;
    await updateCampaign(db, orgId, campaignId, { status: 'PAUSED' });
    await updateSupplier(db, orgId, suppliers[0]?.id ?? '', { status: 'paused' });
    expect(await tryOut(market)).toMatchObject({ status: 'ACCEPTED', http_status: 201 });
  });

  it('is sent for an active supplier rather than a paused one, or for the one that is named', async () => {
    const market = await trying({ suppliers: 2 });
    const [first, second] = market.account.suppliers;
    const db = scene.bed.collections;
    await updateSupplier(db, market.account.orgId, first?.id ?? '', { status: 'paused' });
    expect(await tryOut(market)).toMatchObject({ supplier_id: second?.id });
    expect(await tryOut(market, { supplier_id: first?.id })).toMatchObject({
      ...{ supplier_id: first?.id, status: 'ACCEPTED' },
    });
  });

  it('is refused without a supplier to send it, and with a field that the action sets', async () => {
    const market = await trying({ suppliers: 0 });
    expect(await tryOut(market)).toMatchObject({
      ...{ success: false, error: 'action_refused' },
      message: expect.stringContaining('No supplier is linked to this campaign'),
    });
    expect(await tryOut(market, { fields: { test_lead: false } })).toMatchObject({
      ...{ success: false, error: 'invalid_input', details: [{ path: 'fields.test_lead' }] },
    });
  });
});

describe('the posting guide of a campaign', () => {
  it('has a command line whose lead is taken with 201, for a key that was revealed', async () => {
    const market = await trying({ campaign: { fields } });
    const { campaignId: campaign_id, suppliers } = market.account;
    const input = { campaign_id, supplier_id: suppliers[0]?.id, reveal_key: true };
    const { guide } = await act<{ guide: { curl: Record<string, string> } }>(
      market,
      'get_campaign_api_spec',
      input,
    );
    const line = (guide.curl.test_lead ?? '').replaceAll(' \\\n', '');
    const [, url = '', key = '', body = ''] =
      /^curl -sS '([^']+)'.*'x-api-key: ([^']+)' +-d '(.*)'$/.exec(line) ?? [];
    expect([url, key]).toEqual([`${scene.url}/api/v1/ingest`, suppliers[0]?.key]);
    const headers = { 'content-type': 'application/json', 'x-api-key': key };
    const reply = await send(url, { method: 'POST', headers, body });
    expect([reply.status, reply.json?.data]).toMatchObject([201, { status: 'ACCEPTED' }]);
    expect(market.sentTo('only')).toHaveLength(1);
    const [, found = ''] = /curl -sS '([^']+)'/.exec(guide.curl.look_up ?? '') ?? [];
    const lookedUp = await send(found, { headers: { 'x-api-key': key } });
    expect([lookedUp.status, lookedUp.json?.data]).toMatchObject([200, { status: 'ACCEPTED' }]);
  });
});
