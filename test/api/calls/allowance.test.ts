/** 120 calls a minute, of which 30 may write, for each key over all processes (contract 9.4). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setKeyLimits } from '../../../src/account/keys/keyLimits.js';
import { keyIdOf } from '../../../src/account/keys/keys.js';
import { createActionService } from '../../../src/api/actions/service.js';
import type { KeyLimits } from '../../../src/account/store/keyDocs.js';
import { send, startServer, type HttpReply } from '../../support/http.js';
import { tally } from '../../support/supplier.js';
import { actionDeps, post, startActionsApi, type ActionsApi } from '../../support/api.js';
import { accountOf } from '../../support/org.js';

let api: ActionsApi;
/** A second process, as far as the limit is concerned: it shares nothing but the database. */
let other: { url: string; close(ms: number): Promise<void> };
beforeAll(async () => {
  api = await startActionsApi();
  other = await startServer({ actions: createActionService(actionDeps(api.collections)) });
});
afterAll(async () => {
  await other.close(0);
  await api.stop();
});

const both = (count: number, ask: (url: string) => Promise<HttpReply>) =>
  Promise.all(Array.from({ length: count }, (_, n) => ask(n % 2 ? api.url : other.url)));
const whoami = (url: string, key: string) =>
  send(`${url}/api/v1/whoami`, { headers: { authorization: `Bearer ${key}` } });

/** A key of an organization of its own, and what sets its limits. */
async function limitedKey(limits?: Partial<KeyLimits>) {
  const org = await api.org();
  const key = await org.key();
  const [doc] = await api.collections.apiKeys.find({ org_id: org.id, kind: 'org' }).toArray();
  const keyId = doc?.kind === 'org' ? keyIdOf(doc) : '';
  const limit = (changes: Partial<KeyLimits> | null) =>
    setKeyLimits(accountOf(api, org.id), keyId, changes);
  if (limits) await limit(limits);
  return { key, limit };
}

describe('the allowance of a key', () => {
  it('lets 120 of 150 calls at once at two processes pass, and says when to call again', async () => {
    const org = await api.org();
    const key = await org.key();
    const replies = await both(150, (url) => whoami(url, key));
    expect(tally(replies.map(({ status }) => status))).toEqual({ 200: 120, 429: 30 });
    const refused = replies.find(({ status }) => status === 429);
    const { json = null, headers = {} } = refused ?? ({} as Partial<HttpReply>);
    expect(json).toMatchObject({ success: false, error: 'rate_limited' });
    expect(json?.message).toMatch(
      /^This key made more than 120 calls in a minute\. Call again in \d+ s\.$/,
    );
    expect(Number(headers['retry-after'])).toBe(json?.retry_after);
    expect(json?.retry_after).toBeGreaterThan(50);
    expect(headers.ratelimit).toMatch(/^"actions";r=0;t=\d+$/);
    expect((await whoami(api.url, await org.key())).status).toBe(200);
  });

  it('lets 30 of 40 writes at once pass, and reads all the same', async () => {
    const key = await (await api.org()).key();
    const replies = await both(40, (url) =>
      post(`${url}/api/v1/actions/update_buyer`, key, '{"buyer_id":"none"}'),
    );
    expect(tally(replies.map(({ status }) => status))).toEqual({ 400: 30, 429: 10 });
    const reply = await whoami(api.url, key);
    expect([reply.status, reply.headers.ratelimit]).toEqual([200, expect.stringMatching(/r=89;/)]);
  });

  it('is free again a minute after each call', async () => {
    const { key } = await limitedKey({ calls_per_minute: 20, writes_per_minute: 10 });
    await both(21, (url) => whoami(url, key));
    expect((await whoami(api.url, key)).status).toBe(429);
    const { windows } = api.collections;
    // As if ten of the calls had been a minute ago.
    await windows.updateMany({}, [
      {
        $set: {
          all: {
            $map: {
              input: { $range: [0, { $size: '$all' }] },
              in: {
                $cond: [{ $lt: ['$$this', 10] }, new Date(0), { $arrayElemAt: ['$all', '$$this'] }],
              },
            },
          },
        },
      },
    ]);
    const replies = await both(15, (url) => whoami(url, key));
    expect(tally(replies.map(({ status }) => status))).toEqual({ 200: 10, 429: 5 });
  });

  it('is not used up by calls that it refused, or whose key is unknown', async () => {
    const { key } = await limitedKey({ calls_per_minute: 20, writes_per_minute: 10 });
    await both(30, (url) => whoami(url, key));
    const [doc] = await api.collections.windows.find().sort({ at: -1 }).limit(1).toArray();
    expect(doc?.all).toHaveLength(20);
    const before = await api.collections.windows.countDocuments();
    await whoami(api.url, 'lw_live_none');
    expect(await api.collections.windows.countDocuments()).toBe(before);
  });

  it('is what the operator has set, from the next call on', async () => {
    const { key, limit } = await limitedKey();
    const asked = async () => (await whoami(api.url, key)).headers['ratelimit-policy'];
    expect(await asked()).toBe('"actions";q=120;w=60, "writes";q=30;w=60');
    await limit({ calls_per_minute: 130 });
    expect(await asked()).toBe('"actions";q=130;w=60, "writes";q=30;w=60');
    const replies = await both(125, (url) => whoami(url, key));
    expect(tally(replies.map(({ status }) => status))).toEqual({ 200: 125 });
    expect(await limit(null)).toEqual({ calls_per_minute: 120, writes_per_minute: 30 });
    expect((await whoami(api.url, key)).status).toBe(429);
    await expect(limit({ calls_per_minute: 10 })).rejects.toThrow(
      'writes_per_minute must be a whole number from 1 to 10; it is 30.',
    );
    await expect(limit({ calls_per_minute: 10_001 })).rejects.toMatchObject({
      code: 'validation_failed',
      status: 400,
      extras: { field_errors: [{ field: 'calls_per_minute', code: 'out_of_range' }] },
    });
  });

  it('cannot be set for a key of another organization', async () => {
    const { id } = await api.org();
    const other = await api.org();
    await other.key();
    const [doc] = await api.collections.apiKeys.find({ org_id: other.id }).toArray();
    const keyId = doc?.kind === 'org' ? keyIdOf(doc) : '';
    await expect(
      setKeyLimits(accountOf(api, id), keyId, { calls_per_minute: 500 }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});
