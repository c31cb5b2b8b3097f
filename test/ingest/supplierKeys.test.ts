/** Two keys of one supplier, at every endpoint that accepts one, in two processes. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rotateSupplierKey } from '../../src/account/suppliers/rotateSupplierKey.js';
import { deleteSupplier } from '../../src/account/suppliers/suppliers.js';
import { send } from '../support/http.js';
import { aPerson } from '../support/supplier.js';
import { waitFor } from '../support/waitFor.js';
import { type MarketSpec, startTestbed, type Testbed } from '../support/testbed.js';
import { accountOf } from '../support/org.js';

describe('the keys of a supplier', () => {
  let testbed: Testbed;
  let urls: string[];
  beforeAll(async () => {
    testbed = await startTestbed();
    urls = [testbed.url, (await testbed.otherApi()).url];
  });
  afterAll(() => testbed.stop());

  const open = async (spec?: MarketSpec) => {
    const { collections, keyring } = testbed;
    const { account, leads } = await testbed.market(spec);
    const [supplier] = account.suppliers;
    const place = { org_id: account.orgId, supplier_id: supplier?.id ?? '' };
    const body = { flo_campaign_id: account.campaignId, flo_supplier_id: supplier?.id };
    const post = (url: string, path: string, key: string, extra = {}) =>
      send(`${url}/api/v1/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': key, ...extra },
        body: JSON.stringify({ ...body, ...aPerson() }),
      });
    /** The statuses of ingest, ping and lookup in each process: a ping is 400, because the campaign accepts none. */
    const doors = (key: string, leadId: string) =>
      Promise.all(
        urls.flatMap((url) => [
          post(url, 'ingest', key).then(({ status }) => status),
          post(url, 'ping', key).then(({ status }) => status),
          send(`${url}/api/v1/leads/lookup?id=${leadId}`, { headers: { 'x-api-key': key } }).then(
            ({ status }) => status,
          ),
        ]),
      );
    const key = supplier?.key ?? '';
    const lead = async () => {
      const { json } = await post(testbed.url, 'ingest', key);
      return (json?.data as { id: string }).id;
    };
    return {
      leads,
      post,
      doors,
      place,
      key,
      lead,
      rotate: async (overlapHours: number) =>
        (
          await rotateSupplierKey(
            accountOf({ collections, keyring }, place.org_id),
            place.supplier_id,
            { overlapHours },
          )
        ).api_key,
    };
  };
  const OPEN = [201, 400, 200, 201, 400, 200];
  const SHUT = [401, 401, 401, 401, 401, 401];

  it('are accepted everywhere while they overlap, and the old one nowhere after its end', async () => {
    const made = await open();
    const leadId = await made.lead();
    expect(await made.doors(made.key, leadId)).toEqual(OPEN);
    const next = await made.rotate(2);
    expect(await made.doors(made.key, leadId)).toEqual(OPEN);
    expect(await made.doors(next, leadId)).toEqual(OPEN);
    // As if two hours had passed for this key.
    const { apiKeys, versions } = testbed.collections;
    const ends = new Date(Date.now() + 1_500);
    const old = { supplier_id: made.place.supplier_id, expires_at: { $exists: true } };
    const { modifiedCount } = await apiKeys.updateOne(old, { $set: { expires_at: ends } });
    expect(modifiedCount).toBe(1);
    await versions.updateOne({ _id: made.place.org_id }, { $inc: { version: 1 } });
    expect(await made.doors(made.key, leadId)).toEqual(OPEN);
    const isShut = async () => String(await made.doors(made.key, leadId)) === String(SHUT);
    await waitFor(isShut, { message: 'the old key is refused at every door' });
    expect(Date.now()).toBeGreaterThan(Number(ends) - 500);
    expect(await made.doors(next, leadId)).toEqual(OPEN);
  });

  it('are refused at once: the old one without an overlap, both with their supplier', async () => {
    const made = await open();
    const leadId = await made.lead();
    expect(await made.doors(made.key, leadId)).toEqual(OPEN);
    const next = await made.rotate(0);
    expect(await made.doors(made.key, leadId)).toEqual(SHUT);
    const last = await made.rotate(24);
    expect([await made.doors(next, leadId), await made.doors(last, leadId)]).toEqual([OPEN, OPEN]);
    const stored = (await made.leads()).length;
    await deleteSupplier(accountOf(testbed, made.place.org_id), made.place.supplier_id);
    expect([await made.doors(next, leadId), await made.doors(last, leadId)]).toEqual([SHUT, SHUT]);
    expect(await made.leads()).toHaveLength(stored);
  });

  it('share one rate limit and one space of idempotency keys', async () => {
    const slow = { per_second: 1, burst_per_second: 2, burst_seconds: 3_600 };
    const made = await open({ supplier: { rate_limit: slow } });
    const next = await made.rotate(1);
    const first = await made.post(urls[0]!, 'ingest', made.key, { 'idempotency-key': 'one' });
    expect(first.status).toBe(201);
    const reused = await made.post(urls[1]!, 'ingest', next, { 'idempotency-key': 'one' });
    expect([reused.status, reused.json?.error]).toEqual([422, 'idempotency_key_reused']);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        made.post(urls[n % 2]!, 'ingest', n % 4 < 2 ? made.key : next),
      ),
    );
    const taken = answers.filter(({ status }) => status === 201).length;
    // Two a second over both keys: with a limit per key, at least twice as many of twelve would be accepted.
    expect(taken).toBeLessThanOrEqual(3);
    expect(answers.every(({ status }) => status === 201 || status === 429)).toBe(true);
  });
});
