/** Numbers of more digits than a double has, on their way through the service (contract 2.2, 6.4, 7.2). */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { webhookSecretPlace } from '../../src/account/rules/sealedPlaces.js';
import { createOrgKey, permissionsOf } from '../../src/account/keys/keys.js';
import { hashKey } from '../../src/platform/security/keys.js';
import type { FieldRule } from '../../src/fields/fieldRule.js';
import { send } from '../support/http.js';
import { rawNumber } from '../support/rawNumber.js';
import { aPerson } from '../support/supplier.js';
import { startTestbed, type Market, type Testbed } from '../support/testbed.js';
import { accountOf } from '../support/org.js';

const ID = '7615917337430043418';
const NEXT = '7615917337430043419';
/** What a double makes of both. */
const ROUNDED = Number(ID);

const field = (name: string, type: FieldRule['type']): FieldRule => ({
  name,
  type,
  required: false,
  ping_required: false,
});
const FIELDS = [field('click_id', 'String'), field('order_no', 'Number'), field('age', 'Number')];

describe('a number of more digits than a double has', () => {
  let testbed: Testbed;
  let market: Market;
  beforeAll(async () => {
    testbed = await startTestbed();
    market = await testbed.market({ campaign: { fields: FIELDS } });
  });
  afterAll(() => testbed.stop());

  const json = (body: object, headers: Record<string, string>) => ({
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
  const report = async (means: object) => {
    const { campaignId: campaign_id, buyers } = market.account;
    const found = await testbed.collections.buyers.findOne({ _id: buyers.only ?? '' });
    const secret = found
      ? testbed.keyring.open(found.webhook_secret, webhookSecretPlace(found._id))
      : '';
    const body = { campaign_id, outcome: 'pending', ...means };
    const url = `${testbed.url}/api/webhooks/buyer-outcome`;
    const reply = await send(url, json(body, { 'x-buyer-secret': secret }));
    const { lead_id } = (reply.json?.data ?? {}) as { lead_id?: string };
    return lead_id ?? reply.status;
  };

  it('is stored, delivered and found by its digits, in a field of any type and in none', async () => {
    const sent = { click_id: rawNumber(ID), order_no: rawNumber(ID), gclid: rawNumber(ID) };
    const { data, status } = await market.post({ ...sent, age: 40, visits: 12 });
    expect(status).toBe(201);
    const id = data?.id ?? '';
    const { fields, extra } = await testbed.lead(id);
    expect({ ...fields, ...extra }).toMatchObject({
      click_id: ID,
      order_no: ID,
      gclid: ID,
      age: 40,
      visits: 12,
    });
    const request = market.sentTo('only').find(({ leadId }) => leadId === id);
    expect(request?.body).toMatchObject({
      click_id: ID,
      order_no: ID,
      age: 40,
      extra: { gclid: ID, visits: 12 },
    });
    for (const way of ['click_id', 'order_no']) {
      const by = (match_value: unknown) => report({ match_field: way, match_value });
      expect(await by(rawNumber(ID))).toBe(id);
      expect(await by(ID)).toBe(id);
      for (const other of [rawNumber(NEXT), NEXT, ROUNDED]) expect(await by(other)).toBe(404);
    }
  });

  it('is told from its neighbour under an Idempotency-Key, and as a duplicate', async () => {
    const { post, leads } = await testbed.market({
      campaign: { fields: FIELDS, dedupe: { fields: ['click_id'] } },
    });
    const key = { headers: { 'idempotency-key': 'k' } };
    const body = { ...aPerson(), click_id: rawNumber(ID) };
    const first = await post(body, key);
    const again = await post(body, key);
    expect([again.status, again.body]).toEqual([201, first.body]);
    const reused = await post({ ...body, click_id: rawNumber(NEXT) }, key);
    expect([reused.status, reused.error]).toEqual([422, 'idempotency_key_reused']);
    const statuses = [rawNumber(NEXT), ID].map(
      async (click_id) => (await post({ click_id })).data?.status,
    );
    expect(await Promise.all(statuses)).toEqual(['ACCEPTED', 'DUPLICATE']);
    expect(await leads()).toHaveLength(3);
  });

  it('gets the first answer also where an earlier release stored the key with the rounded number', async () => {
    const { account, post } = await testbed.market({ campaign: { fields: FIELDS } });
    const key = { headers: { 'idempotency-key': 'older' } };
    const person = { ...aPerson(), click_id: rawNumber(ID) };
    const first = await post(person, key);
    const supplier = account.suppliers[0]?.id ?? '';
    const body = {
      flo_campaign_id: account.campaignId,
      flo_supplier_id: supplier,
      ...person,
      click_id: ROUNDED,
    };
    const entries = Object.entries(body).sort(([a], [b]) => (a < b ? -1 : 1));
    const body_hash = createHash('sha256')
      .update(JSON.stringify([supplier, entries]))
      .digest('base64url');
    const _id = `${supplier}:${hashKey('older')}`;
    const { matchedCount } = await testbed.collections.idempotency.updateOne(
      { _id },
      { $set: { body_hash } },
    );
    expect(matchedCount).toBe(1);
    const again = await post(person, key);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });

  it("is the buyer's reference, and what its rules compare, digit by digit", async () => {
    const response = {
      accept_when: { path: 'account', equals: ID },
      reference_path: 'ref',
    };
    const answering = (account: string) => ({
      answer: () => ({ status: 200, body: { account: rawNumber(account), ref: rawNumber(NEXT) } }),
      delivery: { response },
    });
    const { account, post } = await testbed.market({
      buyers: {
        other: { priority: 1, ...answering(NEXT) },
        only: { priority: 2, ...answering(ID) },
      },
    });
    const { data } = await post();
    expect(data?.buyer_id).toBe(account.buyers.only);
    const rows = await testbed.rows(data?.id ?? '');
    expect(rows.map(({ state, reference }) => [state, reference])).toEqual([
      ['rejected', NEXT],
      ['accepted', NEXT],
    ]);
  });

  it('comes by an action and by a tool too', async () => {
    const { collections, url } = testbed;
    const { orgId, campaignId: campaign_id, suppliers } = market.account;
    const permissions = permissionsOf('write');
    const { api_key } = await createOrgKey(accountOf({ collections }, orgId), {
      name: 'Operator',
      permissions,
    });
    const headers = { authorization: `Bearer ${api_key}`, accept: 'application/json' };
    const input = {
      campaign_id,
      supplier_id: suppliers[0]?.id,
      fields: { ...aPerson(), click_id: rawNumber(ID) },
    };
    const sent = { sent: { click_id: ID } };
    const action = await send(`${url}/api/v1/actions/send_test_lead`, json(input, headers));
    expect(action.json).toMatchObject({ data: sent });
    const params = { name: 'send_test_lead', arguments: input };
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const tool = await send(`${url}/mcp`, json(call, headers));
    expect(tool.json).toMatchObject({ id: 1, result: { structuredContent: { data: sent } } });
  });
});
