import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordedChanges } from '../../outcomes/recordedChanges.js';
import { aLead, aRow, NOW } from '../../support/storedRows.js';
import { setUp, startActionsApi, type ActionsApi, type Org, type Row } from '../../support/api.js';

describe('record_outcome', () => {
  const changes = recordedChanges();
  let api: ActionsApi;
  let org: Org;
  let buyers: [string, string];
  let campaign_id: string;
  beforeAll(async () => {
    api = await startActionsApi({ outcomes: changes });
    org = await api.org();
    const { campaign, buyer } = await setUp(api, org);
    campaign_id = campaign.id;
    buyers = [buyer.id, (await api.done<Row>(org, 'create_buyer', { name: 'Best' })).id];
  });
  afterAll(() => api.stop());

  /** A lead sold to `count` buyers. */
  const sold = async (count: number): Promise<string> => {
    const sales = buyers
      .slice(0, count)
      .map((buyer_id, n) => ({ buyer_id, attempt: n + 1, price: 10, cost: 0, at: NOW }));
    const lead = aLead({ org_id: org.id, campaign_id, status: 'ACCEPTED', sales });
    await api.collections.leads.insertOne(lead);
    return lead._id;
  };
  const refusal = async (input: object) => {
    const { status, json } = await api.call(await org.sharedKey(), 'record_outcome', input);
    return [status, json?.error, json?.message];
  };

  it('records the change of the sale in the name of the key, and returns the state of the lead', async () => {
    const lead_id = await sold(1);
    const input = { lead_id, outcome: 'Converted', conversion_revenue: 99.5, note: ' signed ' };
    expect(await api.done(org, 'record_outcome', input)).toEqual({
      lead_id,
      status: 'converted',
      outcome: 'converted',
      conversion_revenue: 99.5,
      lead_value: null,
      note: 'signed',
      replayed: false,
      updated_at: expect.stringMatching(/Z$/),
    });
    expect(changes.made.at(-1)).toEqual({
      org_id: org.id,
      campaign_id,
      lead_id,
      buyer_id: buyers[0],
      body_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      by: { kind: 'user', id: expect.any(String), name: expect.stringMatching(/^Key/) },
      ask: {
        kind: 'outcome',
        outcome: 'converted',
        conversion_revenue: 99_500_000,
        note: 'signed',
      },
    });
    const [entry] = await api.collections.audit
      .find({ org_id: org.id, action: 'record_outcome' })
      .toArray();
    expect(entry).toMatchObject({ outcome: 'done', input: { lead_id, outcome: 'converted' } });
  });

  it('needs buyer_id when several buyers have the lead', async () => {
    const lead_id = await sold(2);
    const [status, error, message] = await refusal({ lead_id, outcome: 'pending' });
    expect([status, error]).toEqual([422, 'invalid_input']);
    expect(message).toContain(`the buyers ${buyers.join(', ')} have this lead`);
    await api.done(org, 'record_outcome', { lead_id, buyer_id: buyers[1], outcome: 'pending' });
    expect(changes.made.at(-1)?.buyer_id).toBe(buyers[1]);
  });

  it('accepts a lead that was sent and never answered, and refuses one that no buyer has', async () => {
    const [held, unsold] = [
      aLead({ org_id: org.id, campaign_id, status: 'PENDING' }),
      aLead({ org_id: org.id, campaign_id, status: 'UNMATCHED' }),
    ];
    await api.collections.leads.insertMany([held, unsold]);
    const row = { lead_id: held._id, buyer_id: buyers[0], state: 'unknown' as const };
    await api.collections.deliveries.insertOne(aRow(row));
    await api.done(org, 'record_outcome', { lead_id: held._id, outcome: 'converted' });
    expect(changes.made.at(-1)).toMatchObject({ lead_id: held._id, buyer_id: buyers[0] });
    expect(await refusal({ lead_id: unsold._id, outcome: 'pending' })).toEqual([
      400,
      'action_refused',
      expect.stringContaining('No buyer has lead'),
    ]);
    const stranger = { lead_id: held._id, buyer_id: buyers[1], outcome: 'pending' };
    expect(await refusal(stranger)).toEqual([
      400,
      'record_not_found',
      `Buyer ${buyers[1]} does not have lead ${held._id}.`,
    ]);
  });

  it('refuses an empty input, invalid money, and an unknown lead', async () => {
    const lead_id = await sold(1);
    expect(await refusal({ lead_id, note: ' ' })).toEqual([
      422,
      'invalid_input',
      expect.stringContaining('At least one of outcome'),
    ]);
    for (const conversion_revenue of [-1, 1.00001, 1e10, '5'])
      expect(await refusal({ lead_id, conversion_revenue })).toEqual([
        422,
        'invalid_input',
        expect.stringContaining('conversion_revenue'),
      ]);
    expect(await refusal({ lead_id: 'none', outcome: 'pending' })).toEqual([
      400,
      'record_not_found',
      'There is no lead none.',
    ]);
  });

  it('takes back what clear names, and leaves what is null', async () => {
    const lead_id = await sold(1);
    const clear = ['outcome', 'conversion_revenue'];
    const input = { lead_id, clear, lead_value: null, note: 'kept' };
    await api.done(org, 'record_outcome', input);
    expect(changes.made.at(-1)?.ask).toEqual({
      kind: 'outcome',
      note: 'kept',
      clear,
    });
    expect(await refusal({ lead_id, outcome: 'pending', clear })).toEqual([
      422,
      'invalid_input',
      'clear must not name outcome, which is given.',
    ]);
  });

  it('is done once for each idempotency key', async () => {
    const input = { lead_id: await sold(1), outcome: 'pending', idempotency_key: 'one' };
    const first = await api.done<Row>(org, 'record_outcome', input);
    const before = changes.made.length;
    expect(await api.done(org, 'record_outcome', input)).toEqual({ ...first, replayed: true });
    expect(changes.made).toHaveLength(before);
    expect(await refusal({ ...input, outcome: 'converted' })).toEqual([
      400,
      'action_refused',
      expect.stringContaining('another body'),
    ]);
  });
});

describe('rotate_buyer_secret', () => {
  let api: ActionsApi;
  beforeAll(async () => {
    api = await startActionsApi();
  });
  afterAll(() => api.stop());

  it('returns the new secret once, shows until when the previous one counts, and is recorded', async () => {
    const org = await api.org();
    const { buyer } = await setUp(api, org);
    const buyer_id = buyer.id;
    const asked = Date.now();
    const webhook = await api.done<Record<string, string>>(org, 'rotate_buyer_secret', {
      buyer_id,
      secret: 'webhook',
    });
    expect(webhook).toEqual({
      buyer_id,
      secret: 'webhook',
      webhook_secret: expect.stringMatching(/^[0-9a-f]{64}$/),
      previous_until: expect.stringMatching(/Z$/),
    });
    const hours = (Number(new Date(webhook.previous_until ?? '')) - asked) / 3_600_000;
    expect(hours).toBeGreaterThanOrEqual(24);
    expect(hours).toBeLessThan(24.1);
    const signing = { buyer_id, secret: 'signing', overlap_hours: 0 };
    expect(await api.done(org, 'rotate_buyer_secret', signing)).toEqual({
      buyer_id,
      secret: 'signing',
      previous_until: null,
      signing_secret: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const view = await api.done(org, 'get_buyer', { buyer_id });
    expect(view).toMatchObject({
      previous_until: { webhook: webhook.previous_until, signing: null },
    });
    expect(JSON.stringify(view)).not.toContain(webhook.webhook_secret);
    const entries = await api.collections.audit
      .find({ org_id: org.id, action: 'rotate_buyer_secret' })
      .sort({ at: 1 })
      .toArray();
    expect(entries.map(({ input, outcome }) => [input.secret, outcome])).toEqual([
      ['webhook', 'done'],
      ['signing', 'done'],
    ]);
    expect(JSON.stringify(entries)).not.toContain(webhook.webhook_secret);
  });

  it('refuses another kind, an overlap of more than a week, and an unknown buyer', async () => {
    const org = await api.org();
    const { buyer } = await setUp(api, org);
    const statusOf = async (input: object) =>
      (await api.call(await org.sharedKey(), 'rotate_buyer_secret', input)).status;
    expect(await statusOf({ buyer_id: buyer.id, secret: 'api' })).toBe(422);
    const week = { buyer_id: buyer.id, secret: 'webhook', overlap_hours: 169 };
    expect(await statusOf(week)).toBe(422);
    expect(await statusOf({ buyer_id: 'none', secret: 'webhook' })).toBe(400);
    expect(await statusOf({ buyer_id: 'none', secret: 'signing' })).toBe(400);
  });
});
