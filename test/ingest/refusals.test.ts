import { accountOf } from '../support/org.js';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { FilterRule } from '../../src/fields/filters.js';
import type { FieldRule } from '../../src/fields/fieldRule.js';
import { updateCampaign } from '../../src/account/campaigns/campaigns.js';
import {
  createSupplier,
  deleteSupplier,
  updateSupplier,
} from '../../src/account/suppliers/suppliers.js';
import { updateSupplierLink } from '../../src/account/links/supplierLinks.js';
import { createKey } from '../../src/platform/security/keys.js';
import { send, type HttpReply } from '../support/http.js';
import { INHERITED } from '../support/inherited.js';
import { aPerson, supplierOf, type Answer } from '../support/supplier.js';
import { fieldCodes } from '../support/supplier.js';
import { startTestbed, type Testbed } from '../support/testbed.js';

const AGE: FieldRule = {
  name: 'age',
  type: 'Number',
  required: true,
  ping_required: false,
  min: 18,
};

describe('a request that is refused', () => {
  let testbed: Testbed;
  beforeAll(async () => {
    testbed = await startTestbed();
  });
  afterAll(() => testbed.stop());

  const raw = (body: string, headers: Record<string, string> = {}): Promise<HttpReply> =>
    send(`${testbed.url}/api/v1/ingest`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  const expectRefusal = ({ status, body }: Answer, wanted: number, error: string) => {
    expect({ status, error: body.error }).toEqual({ status: wanted, error });
    expect(body).toMatchObject({ message: expect.any(String), request_id: expect.any(String) });
  };

  it('is no test when its flag is an inherited property name', async () => {
    const [paused, { post, leads }] = [await testbed.market(), await testbed.market()];
    const { orgId, campaignId } = paused.account;
    await updateCampaign(accountOf(testbed, orgId), campaignId, { status: 'PAUSED' });
    for (const test_lead of INHERITED) {
      expectRefusal(await paused.post({ test_lead }), 403, 'campaign_paused');
      const answer = await post({ test_lead });
      expectRefusal(answer, 400, 'validation_failed');
      expect(fieldCodes(answer)).toEqual({ test_lead: 'invalid_type' });
    }
    expect([await leads(), await paused.leads()]).toEqual([[], []]);
  });

  it('is 400 with every field that is missing or badly formed, and stores nothing', async () => {
    const { post, leads } = await testbed.market({ campaign: { fields: [AGE] } });
    const answer = await post({
      first_name: undefined,
      last_name: ' ',
      phone: '12345',
      email: 'nobody',
      state: 'ZZ',
      age: 17,
      tags: ['a'],
    });
    expectRefusal(answer, 400, 'validation_failed');
    expect(fieldCodes(answer)).toEqual({
      first_name: 'required',
      last_name: 'required',
      phone: 'invalid_format',
      email: 'invalid_format',
      state: 'invalid_format',
      age: 'out_of_range',
      tags: 'invalid_type',
    });
    expect(await leads()).toEqual([]);
  });

  it('is 400 on a phone that no numbering plan has, where the campaign is strict', async () => {
    const phone: FieldRule = {
      name: 'phone',
      label: 'Phone',
      type: 'Phone',
      required: true,
      ping_required: false,
      strict: true,
    };
    const { post } = await testbed.market({ campaign: { fields: [phone] } });
    const answer = await post({ phone: '5551234567' });
    expectRefusal(answer, 400, 'validation_failed');
    expect(answer.body.field_errors).toEqual([
      {
        field: 'phone',
        code: 'invalid_format',
        message: 'Phone must be a phone number that exists in its country',
      },
    ]);
    expect((await post({ phone: '2125550123' })).status).toBe(201);
  });

  it('is 400 without the ids of campaign and supplier', async () => {
    const { post } = await testbed.market();
    const answer = await post({ flo_campaign_id: '', flo_supplier_id: 7 });
    expectRefusal(answer, 400, 'validation_failed');
    expect(fieldCodes(answer)).toEqual({
      flo_campaign_id: 'required',
      flo_supplier_id: 'invalid_type',
    });
  });

  it('is 400 on flo_ping_id in a ping-post campaign, for test leads too', async () => {
    const { post, leads } = await testbed.market({ campaign: { routing_method: 'PING_POST' } });
    for (const fields of [{}, { test_lead: true }]) {
      const answer = await post(fields);
      expectRefusal(answer, 400, 'validation_failed');
      expect(fieldCodes(answer)).toEqual({ flo_ping_id: 'required' });
    }
    expect(await leads()).toEqual([]);
  });

  it('is 401 when the key is missing, malformed or unknown', async () => {
    const { account, leads } = await testbed.market();
    const body = JSON.stringify({
      flo_campaign_id: account.campaignId,
      flo_supplier_id: account.suppliers[0]?.id,
      ...aPerson(),
    });
    const replies = [
      await raw(body),
      await raw(body, { 'x-api-key': 'not a key' }),
      await raw(body, { 'x-api-key': createKey('live') }),
    ];
    for (const { status, json } of replies) {
      expect({ status, error: json?.error }).toEqual({ status: 401, error: 'unauthorized' });
    }
    expect(await leads()).toEqual([]);
  });

  it('is 401 with the key of a deleted supplier, whose leads stay', async () => {
    const { account, post, leads } = await testbed.market();
    expect((await post()).status).toBe(201);
    await deleteSupplier(accountOf(testbed, account.orgId), account.suppliers[0]?.id ?? '');
    expectRefusal(await post(), 401, 'unauthorized');
    expect(await leads()).toHaveLength(1);
  });

  it('is 403 with the id of another supplier, or when its supplier is not linked', async () => {
    const { account, post } = await testbed.market({ suppliers: 2 });
    const other = { flo_supplier_id: account.suppliers[1]?.id };
    expectRefusal(await post(other), 403, 'forbidden');
    const { collections, keyring } = testbed;
    const unlinked = await createSupplier(accountOf({ collections, keyring }, account.orgId), {
      name: 'Alone',
    });
    const suppliers = [{ id: unlinked.supplier._id, key: unlinked.api_key }];
    const alone = supplierOf(testbed.url, { ...account, suppliers });
    expectRefusal(await alone.post(), 403, 'forbidden');
    await alone.close();
  });

  it('is 403 when the campaign is not ACTIVE', async () => {
    for (const status of ['PAUSED', 'ARCHIVED'] as const) {
      const { post } = await testbed.market({ campaign: { status } });
      expectRefusal(await post(), 403, 'campaign_paused');
    }
  });

  it('is 403 when the source or its link is paused', async () => {
    const linkPaused = await testbed.market({ supplier: { status: 'paused' } });
    expectRefusal(await linkPaused.post(), 403, 'source_paused');
    const { account, post } = await testbed.market();
    const [supplier] = account.suppliers;
    const paused = { status: 'paused' } as const;
    await updateSupplier(accountOf(testbed, account.orgId), supplier?.id ?? '', paused);
    expectRefusal(await post(), 403, 'source_paused');
  });

  it('is 403 when the source has reached its cap or its budget', async () => {
    const { account, post, leads, sentTo } = await testbed.market({
      supplier: { caps: { daily_cap: 1 } },
    });
    expect((await post()).status).toBe(201);
    expectRefusal(await post(), 403, 'supplier_capped');
    expect(sentTo('only')).toHaveLength(1);
    const kept = (await leads()).find(({ status }) => status === 'REJECTED');
    expect(kept).toMatchObject({ refusal: 'supplier_capped', price: 0, cost: 0, sales: [] });
    const buyerCap = `buyer:${account.campaignId}:${account.buyers.only}`;
    expect(await testbed.collections.caps.findOne({ _id: buyerCap })).toMatchObject({
      total: { count: 1 },
      held: [],
    });
    const link = {
      org_id: account.orgId,
      campaign_id: account.campaignId,
      supplier_id: account.suppliers[0]?.id ?? '',
    };
    await updateSupplierLink(accountOf(testbed, link.org_id), link, {
      daily_cap: null,
      daily_budget: 7.99,
    });
    expectRefusal(await post(), 403, 'supplier_capped');
    await updateSupplierLink(accountOf(testbed, link.org_id), link, { daily_budget: 8 });
    expect((await post()).status).toBe(201);
  });

  it("is 404 for a campaign that is no UUID, unknown, or another organization's", async () => {
    const { post } = await testbed.market();
    const other = await testbed.market();
    for (const id of ['nonsense', randomUUID(), other.account.campaignId]) {
      expectRefusal(await post({ flo_campaign_id: id }), 404, 'campaign_not_found');
    }
  });

  it('is 422 with the filters it failed, and its lead is kept as REJECTED', async () => {
    const rule: FilterRule = { id: 'served', field: 'state', operator: 'IN', value: ['CA', 'TX'] };
    const own: FilterRule = {
      id: 'zip',
      field: 'zip_code',
      operator: 'IS NOT EMPTY',
      reason: 'Zip!',
    };
    const { post, sentTo } = await testbed.market({ campaign: { filters: { all: [rule, own] } } });
    const answer = await post({ state: 'NY' });
    expectRefusal(answer, 422, 'filtered');
    const filterErrors = [
      {
        filter_id: 'served',
        field: 'state',
        operator: 'IN',
        value: ['CA', 'TX'],
        actual: 'NY',
        message: 'state must be one of: CA, TX',
      },
      {
        filter_id: 'zip',
        field: 'zip_code',
        operator: 'IS NOT EMPTY',
        value: null,
        message: 'Zip!',
      },
    ];
    expect(answer.body.filter_errors).toEqual(filterErrors);
    expect(await testbed.lead(String(answer.body.lead_id))).toMatchObject({
      status: 'REJECTED',
      filter_errors: filterErrors,
      price: 0,
      cost: 0,
    });
    expect(sentTo('only')).toEqual([]);
  });

  it('may be form-encoded: it is decided and sold like any other', async () => {
    const { account } = await testbed.market();
    const [supplier] = account.suppliers;
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'x-api-key': supplier?.key ?? '',
    };
    const ids = { flo_campaign_id: account.campaignId, flo_supplier_id: supplier?.id ?? '' };
    const form = (fields: Record<string, string>) =>
      raw(new URLSearchParams({ ...ids, ...fields }).toString(), headers);
    const sold = await form({ ...aPerson(), test_lead: 'false' });
    expect(sold.status).toBe(201);
    expect(sold.json?.data).toMatchObject({ status: 'ACCEPTED', buyer_id: account.buyers.only });
    const test = await form({ ...aPerson(), test_lead: 'true' });
    expect(test.json?.data).toMatchObject({ status: 'UNMATCHED' });
    expect((await form({ first_name: 'Jane' })).status).toBe(400);
  });
});
