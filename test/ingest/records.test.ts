/** Campaigns, buyers and terms that change beside leads, and what past leads say of a change. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createOrgKey, permissionsOf } from '../../src/account/keys/keys.js';
import { accountOf } from '../support/org.js';
import { DOWN, NO } from '../support/fakeBuyer.js';
import { send } from '../support/http.js';
import { startTestbed, type Market, type Testbed } from '../support/testbed.js';
import { waitFor } from '../support/waitFor.js';

let testbed: Testbed;
beforeAll(async () => {
  testbed = await startTestbed();
});
afterAll(() => testbed.stop());

type Answer = Record<string, unknown>;

/** A caller of the account's actions. */
async function callerOf({ account }: Market) {
  const { collections } = testbed;
  const made = await createOrgKey(accountOf({ collections }, account.orgId), {
    name: 'Key',
    permissions: permissionsOf('write'),
  });
  return async (action: string, input: object) => {
    const { json } = await send(`${testbed.url}/api/v1/actions/${action}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${made.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
    if (json?.success !== true) throw new Error(JSON.stringify(json));
    return json.data as Answer;
  };
}

describe('a change beside leads', () => {
  it('of a campaign that is archived lets each lead be refused, or decided as it was promised', async () => {
    const market = await testbed.market();
    const call = await callerOf(market);
    const { campaignId: campaign_id } = market.account;
    const posts = Array.from({ length: 24 }, () => market.post());
    const archived = call('archive_campaign', { campaign_id });
    const answers = await Promise.all(posts);
    await archived;
    const late = await market.post();
    expect([late.status, late.error]).toEqual([403, 'campaign_paused']);
    const sold = answers.filter(({ status }) => status === 201);
    expect(answers.every(({ status }) => status === 201 || status === 403)).toBe(true);
    const leads = await market.leads();
    expect(leads.map(({ status }) => status)).toEqual(sold.map(() => 'ACCEPTED'));
    expect(market.sentTo('only')).toHaveLength(sold.length);
  });

  it('of a buyer that is removed leaves the leads that wait for it, and sells no new one to it', async () => {
    const market = await testbed.market({ buyers: { gone: { answer: () => DOWN } } });
    const call = await callerOf(market);
    const { campaignId: campaign_id, buyers } = market.account;
    const key = { campaign_id, buyer_id: buyers.gone };
    const waiting = await market.post();
    expect(waiting.data?.delivery).toBe('pending');
    expect(await call('remove_buyer_from_campaign', { ...key, dry_run: true })).toMatchObject({
      removed: false,
      waiting: { parked: 1, unknown: 0 },
    });
    expect(await call('remove_buyer_from_campaign', key)).toMatchObject({
      removed: true,
      waiting: { parked: 1, unknown: 0 },
    });
    const next = await market.post();
    expect([next.status, next.data?.status]).toEqual([200, 'UNMATCHED']);
    const [promised] = (await market.leads()).filter(({ _id }) => _id === waiting.id);
    expect(promised?.status).toBe('PENDING');
    // Its promise ends as an operator says, or at its time limit: here it is linked again.
    market.behave('gone', () => ({ status: 200 }));
    const { version } = await call('get_campaign', { campaign_id });
    await call('revert_plan', { campaign_id, version: Number(version) - 1 });
    await call('retry_deliveries', { lead_id: waiting.id });
    await waitFor(async () => {
      const found = (await market.leads()).find(({ _id }) => _id === waiting.id);
      return found?.status === 'ACCEPTED';
    });
  });

  it('of the time zone lets no lead pass a cap that is full', async () => {
    const market = await testbed.market({ buyers: { only: { caps: { daily_cap: 3 } } } });
    const call = await callerOf(market);
    const first = await Promise.all(Array.from({ length: 3 }, () => market.post()));
    expect(first.map(({ status }) => status)).toEqual([201, 201, 201]);
    const posts = Array.from({ length: 8 }, () => market.post());
    const moved = call('update_account', { time_zone: 'Pacific/Kiritimati' });
    const beside = await Promise.all(posts);
    await moved;
    const after = await Promise.all(Array.from({ length: 4 }, () => market.post()));
    const sold = [...beside, ...after].filter(({ status }) => status === 201);
    expect([sold, market.sentTo('only').length]).toEqual([[], 3]);
    expect((await market.cap('only'))?.zone).toBe('Pacific/Kiritimati');
  });
});

describe('preview_routing', () => {
  const market = () =>
    testbed.market({
      supplier: { cost_per_lead: 4 },
      buyers: {
        first: { price: 10, answer: () => NO },
        second: { price: 20 },
        third: { price: 15 },
      },
    });

  it('says the same as what happened where nothing is changed', async () => {
    const scene = await market();
    const call = await callerOf(scene);
    for (let n = 0; n < 3; n++) await scene.post();
    const { campaignId: campaign_id } = scene.account;
    const same = await call('preview_routing', { campaign_id });
    expect(same.totals).toEqual({
      leads: 3,
      changed: 0,
      assumed: 0,
      left_out: 0,
      before: { sold: 3, sales: 3, revenue: 60, cost: 12, profit: 48 },
      after: { sold: 3, sales: 3, revenue: 60, cost: 12, profit: 48 },
    });
  });

  it('shows what each lead, each buyer and the money would be, and writes nothing', async () => {
    const scene = await market();
    const call = await callerOf(scene);
    const posted = [await scene.post(), await scene.post()];
    const { campaignId: campaign_id, buyers } = scene.account;
    const before = await testbed.collections.plans.countDocuments({ campaign_id });
    const changed = await call('preview_routing', {
      campaign_id,
      buyers: [
        { buyer_id: buyers.second, daily_cap: 1 },
        { buyer_id: buyers.third, price: 18 },
      ],
    });
    expect(changed.totals).toMatchObject({
      changed: 1,
      assumed: 1,
      after: { sold: 2, revenue: 38, cost: 8, profit: 30 },
    });
    // Newest first: the earlier lead has used up the cap.
    expect(changed.leads).toMatchObject([
      {
        lead_id: posted[1]?.id,
        changed: true,
        after: { buyers: [{ buyer_id: buyers.third }], revenue: 18, assumed: [buyers.third] },
      },
      { lead_id: posted[0]?.id, changed: false },
    ]);
    const filtered = await call('preview_routing', {
      campaign_id,
      campaign: { filters: [{ field: 'state', operator: '==', value: 'AK' }] },
      only_changed: true,
    });
    expect(filtered.leads).toMatchObject([
      { after: { status: 'REJECTED', reason: 'filtered', revenue: 0 } },
      { after: { status: 'REJECTED' } },
    ]);
    const without = Object.values(buyers).map((buyer_id) => ({ buyer_id, remove: true }));
    expect(await call('preview_routing', { campaign_id, buyers: without })).toMatchObject({
      totals: { after: { sold: 0, revenue: 0 } },
    });
    expect(await testbed.collections.plans.countDocuments({ campaign_id })).toBe(before);
    expect((await scene.leads()).map(({ status }) => status)).toEqual(['ACCEPTED', 'ACCEPTED']);
  });

  it('takes changes of several links at once: pauses, hours, order, prices and a supplier', async () => {
    const scene = await market();
    const call = await callerOf(scene);
    await scene.post();
    const { campaignId: campaign_id, buyers } = scene.account;
    const [sender] = await testbed.collections.campaignSuppliers.find({ campaign_id }).toArray();
    const day = 86_400_000;
    const yesterday = new Date(Date.now() - day).toLocaleDateString('en-US', {
      weekday: 'long',
      timeZone: 'America/New_York',
    });
    const links = [
      { buyer_id: buyers.first, status: 'paused' },
      { buyer_id: buyers.second, schedule: { days: [yesterday], from: '0:00', to: '0:01' } },
      { buyer_id: buyers.third, price: 17.5, priority: 1, weight: 2, hourly_cap: 3 },
    ];
    expect(await call('preview_routing', { campaign_id, buyers: links })).toMatchObject({
      leads: [{ after: { buyers: [{ buyer_id: buyers.third }], revenue: 17.5 } }],
    });
    for (const change of [{ status: 'paused' }, { remove: true }]) {
      const suppliers = [{ supplier_id: sender?.supplier_id, ...change }];
      expect(await call('preview_routing', { campaign_id, suppliers })).toMatchObject({
        leads: [{ changed: true, after: { status: 'REFUSED', buyers: [] } }],
      });
    }
    const bad = { campaign_id, buyers: [links[0], { buyer_id: buyers.third, weight: 0.00001 }] };
    await expect(call('preview_routing', bad)).rejects.toThrow('"path":"buyers.1.weight"');
  });
});

describe('test_delivery', () => {
  it('renders what was sent for a past lead, byte for byte, without its secrets', async () => {
    const scene = await testbed.market({
      buyers: {
        only: {
          delivery: {
            headers: { 'X-Key': 'k-1' },
            response: { accept_when: { path: 'ok', equals: true }, reference_path: 'ref' },
          },
        },
      },
    });
    const call = await callerOf(scene);
    const { id: lead_id } = await scene.post();
    const buyer_id = scene.account.buyers.only;
    const [sent] = scene.sentTo('only');
    const shown = await call('test_delivery', { buyer_id, lead_id });
    expect(shown).toMatchObject({
      method: 'WEBHOOK',
      price: 10,
      mail: null,
      row: null,
      reading: null,
    });
    const { headers, body } = shown.http as { headers: Record<string, string>; body: string };
    expect(body).toBe(sent?.rawBody);
    expect(headers['x-key']).toBe('[hidden]');
    expect(headers['x-leaddistro-signature']).toBe('[hidden]');
    expect(headers['idempotency-key']).toBe(sent?.headers['idempotency-key']);
    const read = async (answer: object) =>
      (await call('test_delivery', { buyer_id, answer })).reading;
    expect(await read({ status: 200, body: '{"ok":true,"ref":"A-1"}' })).toMatchObject({
      result: 'accepted',
      by: 'accept_when',
      reference: 'A-1',
      lead: 'sold',
    });
    expect(await read({ status: 200, body: '{"ok":false}' })).toMatchObject({
      result: 'rejected',
      by: 'not_accepted',
      lead: 'next_buyer',
    });
    const busy = { status: 503, headers: { 'Retry-After': '7' } };
    expect(await read(busy)).toMatchObject({
      result: 'not_taken',
      by: 'status',
      retry_after_ms: 7_000,
      lead: 'next_buyer',
    });
    expect(scene.sentTo('only')).toHaveLength(1);
  });

  it('makes a sample up, with the given values as the campaign reads them', async () => {
    const scene = await testbed.market();
    const call = await callerOf(scene);
    const { http } = await call('test_delivery', {
      buyer_id: scene.account.buyers.only,
      fields: { phone: '(415) 555-0100', state: null, utm: 'x' },
    });
    const body = JSON.parse((http as { body: string }).body) as Answer;
    expect(body).toMatchObject({ phone: '+14155550100', is_test: false, extra: { utm: 'x' } });
    expect(body).not.toHaveProperty('state');
    expect([scene.sentTo('only'), await scene.leads()]).toEqual([[], []]);
    await expect(
      call('test_delivery', { buyer_id: scene.account.buyers.only, fields: { phone: '12' } }),
    ).rejects.toThrow(/fields\.phone/);
  });
});
