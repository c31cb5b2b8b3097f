import { accountOf } from '../support/org.js';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateCampaign } from '../../src/account/campaigns/campaigns.js';
import { updateSupplierLink } from '../../src/account/links/supplierLinks.js';
import { hashKey } from '../../src/platform/security/keys.js';
import { YES } from '../support/fakeBuyer.js';
import { aPerson, supplierOf, tally } from '../support/supplier.js';
import { startTestbed, type Testbed } from '../support/testbed.js';

const withKey = (key: string) => ({ headers: { 'idempotency-key': key } });

let testbed: Testbed;
beforeAll(async () => {
  testbed = await startTestbed();
});
afterAll(() => testbed.stop());

describe('an Idempotency-Key', () => {
  it('returns the first answer for the same body, and sells one lead', async () => {
    const { post, leads, sentTo } = await testbed.market();
    const person = aPerson();
    const first = await post(person, withKey('order-1'));
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    const again = await post(person, withKey('order-1'));
    expect({ status: again.status, body: again.body }).toEqual({ status: 201, body: first.body });
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(await leads()).toHaveLength(1);
    expect(sentTo('only')).toHaveLength(1);
  });

  it('creates one lead from 50 concurrent requests at two services', async () => {
    const { account, post, leads, sentTo } = await testbed.market({
      buyers: { only: { answer: () => ({ ...YES, delayMs: 100 }) } },
    });
    const other = supplierOf((await testbed.otherApi()).url, account);
    const person = aPerson();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        n % 2 === 0 ? post(person, withKey('twins')) : other.post(person, withKey('twins')),
      ),
    );
    await other.close();
    expect(tally(answers.map(({ status }) => status))).toEqual({ 201: 50 });
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const replayed = answers.filter(({ headers }) => headers['idempotent-replayed'] === 'true');
    expect(replayed).toHaveLength(49);
    expect(await leads()).toHaveLength(1);
    expect(sentTo('only')).toHaveLength(1);
  });

  it("is the next request's when the process of the first died before it stored the lead", async () => {
    const { account, post, leads } = await testbed.market();
    const person = aPerson();
    await post(person, withKey('stored'));
    const { idempotency } = testbed.collections;
    const row = await idempotency.findOne({ lead_id: (await leads())[0]?._id ?? '' });
    const claimedAgo = (ms: number) => new Date(Date.now() - ms + 86_400_000);
    await idempotency.insertOne({
      _id: `${account.suppliers[0]?.id ?? ''}:${hashKey('orphan')}`,
      body_hash: row?.body_hash ?? '',
      lead_id: randomUUID(),
      expires_at: claimedAgo(11_000),
    });
    const next = await post(person, withKey('orphan'));
    expect([next.status, next.headers['idempotent-replayed']]).toEqual([200, undefined]);
    expect(await leads()).toMatchObject([{ status: 'ACCEPTED' }, { status: 'DUPLICATE' }]);
  });

  it('is 422 with another body, while the first request runs too', async () => {
    const { post, leads } = await testbed.market({
      buyers: { only: { answer: () => ({ ...YES, delayMs: 300 }) } },
    });
    const both = await Promise.all([post({}, withKey('one')), post({}, withKey('one'))]);
    const later = await post({}, withKey('one'));
    expect(tally([...both, later].map(({ status }) => status))).toEqual({ 201: 1, 422: 2 });
    expect(later.error).toBe('idempotency_key_reused');
    expect(later.body.field_errors).toBeUndefined();
    expect(await leads()).toHaveLength(1);
  });

  it('is 422 with another body that would be refused for itself', async () => {
    const { post, leads } = await testbed.market();
    expect((await post({}, withKey('first'))).status).toBe(201);
    for (const bad of [{ phone: '1' }, { flo_campaign_id: 'x' }, { flo_supplier_id: 'x' }]) {
      const { status, error } = await post(bad, withKey('first'));
      expect({ status, error }).toEqual({ status: 422, error: 'idempotency_key_reused' });
      expect([400, 403, 404]).toContain((await post(bad, withKey('free'))).status);
    }
    expect(await leads()).toHaveLength(1);
  });

  it('is the same key quoted and bare, and another one in other case', async () => {
    const { post, leads } = await testbed.market();
    const person = aPerson();
    const first = await post(person, withKey('"quoted"'));
    const again = await post(person, withKey('quoted'));
    expect(again.data?.id).toBe(first.data?.id);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect((await post(person, withKey('Quoted'))).data?.status).toBe('DUPLICATE');
    expect(await leads()).toHaveLength(2);
  });

  it('may have 255 characters; 256 or none are 400', async () => {
    const { post, leads } = await testbed.market();
    expect((await post({}, withKey('k'.repeat(255)))).status).toBe(201);
    for (const key of ['k'.repeat(256), '""']) {
      const { status, error } = await post({}, withKey(key));
      expect({ status, error }).toEqual({ status: 400, error: 'invalid_idempotency_key' });
    }
    expect(await leads()).toHaveLength(1);
  });

  it('belongs to one supplier', async () => {
    const { post } = await testbed.market({ suppliers: 2 });
    const mine = await post({}, { ...withKey('shared'), supplier: 0 });
    const yours = await post({}, { ...withKey('shared'), supplier: 1 });
    expect([mine.status, yours.status]).toEqual([201, 201]);
    expect(yours.headers['idempotent-replayed']).toBeUndefined();
  });

  it('is free again after a refusal that is not kept', async () => {
    const { account, post } = await testbed.market({ supplier: { caps: { daily_cap: 0 } } });
    const person = aPerson();
    expect((await post({ ...person, email: 'nobody' }, withKey('k'))).status).toBe(400);
    expect((await post(person, withKey('k'))).error).toBe('supplier_capped');
    const link = {
      org_id: account.orgId,
      campaign_id: account.campaignId,
      supplier_id: account.suppliers[0]?.id ?? '',
    };
    await updateSupplierLink(accountOf(testbed, link.org_id), link, { daily_cap: null });
    const sold = await post(person, withKey('k'));
    expect(sold.data?.status).toBe('ACCEPTED');
    expect(sold.headers['idempotent-replayed']).toBeUndefined();
  });

  it('returns the refusal by a filter again', async () => {
    const { post, leads } = await testbed.market({
      campaign: { filters: { all: [{ id: 'f', field: 'state', operator: '==', value: 'TX' }] } },
    });
    const person = aPerson();
    const first = await post(person, withKey('filtered'));
    const again = await post(person, withKey('filtered'));
    expect([first.status, again.status]).toEqual([422, 422]);
    const told = ({ error, filter_errors, lead_id }: Record<string, unknown>) => ({
      error,
      filter_errors,
      lead_id,
    });
    expect(told(again.body)).toEqual(told(first.body));
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(await leads()).toHaveLength(1);
  });

  it('returns UNMATCHED and DUPLICATE again', async () => {
    const { post, leads } = await testbed.market({ buyers: { only: { states: ['CA'] } } });
    const person = aPerson();
    const elsewhere = { ...person, state: 'TX' };
    const unmatched = await post(elsewhere, withKey('u'));
    await post(person);
    const duplicate = await post(person, withKey('d'));
    expect([unmatched.data?.status, duplicate.data?.status]).toEqual(['UNMATCHED', 'DUPLICATE']);
    expect((await post(elsewhere, withKey('u'))).body).toEqual(unmatched.body);
    expect((await post(person, withKey('d'))).body).toEqual(duplicate.body);
    expect(await leads()).toHaveLength(3);
  });

  it('returns `pending` again even when the lead has since been sold', async () => {
    const { post, sentTo } = await testbed.market({
      campaign: { answer_within_ms: 200 },
      buyers: { only: { answer: () => ({ ...YES, delayMs: 700 }) } },
    });
    const person = aPerson();
    const first = await post(person, withKey('slow'));
    expect(first.data?.delivery).toBe('pending');
    expect((await post(person, withKey('slow'))).body).toEqual(first.body);
    await testbed.becomes(first.data?.id, 'ACCEPTED');
    const later = await post(person, withKey('slow'));
    expect(later.body).toEqual(first.body);
    expect(later.headers['idempotent-replayed']).toBe('true');
    expect(sentTo('only')).toHaveLength(1);
  });

  it('returns the first answer again when the campaign has since been paused', async () => {
    const { account, post } = await testbed.market();
    const person = aPerson();
    const first = await post(person, withKey('before'));
    const paused = { status: 'PAUSED' } as const;
    await updateCampaign(accountOf(testbed, account.orgId), account.campaignId, paused);
    const again = await post(person, withKey('before'));
    expect({ status: again.status, body: again.body }).toEqual({ status: 201, body: first.body });
    expect((await post({}, withKey('after'))).error).toBe('campaign_paused');
  });

  it('is kept for 24 hours', async () => {
    const { post } = await testbed.market();
    const before = Date.now();
    const { data } = await post({}, withKey('a day'));
    const { idempotency } = testbed.collections;
    const row = await idempotency.findOne({ lead_id: data?.id ?? '' });
    const expires = Number(row?.expires_at);
    expect(expires).toBeGreaterThanOrEqual(before + 86_400_000);
    expect(expires).toBeLessThanOrEqual(Date.now() + 86_400_000);
    // The database deletes it then.
    expect(await idempotency.indexes()).toContainEqual(
      expect.objectContaining({ key: { expires_at: 1 }, expireAfterSeconds: 0 }),
    );
  });
});
