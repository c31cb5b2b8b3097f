/** Keys and rate limits: the same as over HTTP. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createKey } from '../../../src/platform/security/keys.js';
import { startActionsApi, type ActionsApi, type Org } from '../../support/api.js';
import { ID, postMcp, stateless, toolCall, toolOf } from './post.js';

let api: ActionsApi;
let org: Org;
beforeAll(async () => {
  api = await startActionsApi();
  org = await api.org();
});
afterAll(() => api.stop());

const call = async (name: string, input?: unknown) =>
  toolOf(await postMcp(api.url, await org.sharedKey(), toolCall(name, input)));

describe('a key', () => {
  it.each([
    ['none', undefined, 'Bearer realm="leadwire"'],
    ['an unknown one', createKey('live'), 'Bearer realm="leadwire", error="invalid_token"'],
    ['no real one', 'x', 'Bearer realm="leadwire", error="invalid_token"'],
  ])('that is %s is a 401, whatever the request', async (_name, key, challenge) => {
    for (const body of [toolCall('list_buyers'), '{', '[]', '']) {
      const { status, headers, json } = await postMcp(api.url, key, body);
      expect([status, headers['www-authenticate']]).toEqual([401, challenge]);
      expect(json).toMatchObject({ success: false, error: 'unauthorized' });
    }
  });

  it('that is revoked is a 401 at once', async () => {
    const made = await call('create_api_key', { name: 'Short' });
    const { id: key_id, api_key } = made.structuredContent.data as Record<string, string>;
    const whoami = stateless('tools/list');
    const asked = () => postMcp(api.url, api_key, whoami.message, whoami.headers);
    expect((await asked()).status).toBe(200);
    await call('revoke_api_key', { key_id });
    expect((await asked()).status).toBe(401);
  });

  it('is recorded with what it changes', async () => {
    const other = await api.org();
    const key = await other.key();
    await postMcp(api.url, key, toolCall('create_buyer', { name: 'Noted' }));
    const { structuredContent } = toolOf(await postMcp(api.url, key, toolCall('list_audit')));
    expect(JSON.stringify(structuredContent.data)).toMatch(/create_buyer.*Noted/);
  });
});

describe('the limits', () => {
  it('are shared with HTTP: a tools/call counts once, and as a write where it writes', async () => {
    const key = await org.key();
    const buyer = toolCall('update_buyer', { buyer_id: 'none' });
    const half = Array.from({ length: 15 });
    await Promise.all(half.map(() => postMcp(api.url, key, buyer)));
    await Promise.all(half.map(() => api.call(key, 'update_buyer', { buyer_id: 'none' })));
    expect((await api.call(key, 'update_buyer', { buyer_id: 'none' })).status).toBe(429);
    const over = await postMcp(api.url, key, buyer);
    expect([over.status, toolOf(over)]).toMatchObject([
      200,
      {
        isError: true,
        structuredContent: {
          success: false,
          code: 'rate_limited',
          error: expect.stringMatching(
            /^This key made more than 30 writes in a minute\. Call again in \d+ s\.$/,
          ),
        },
      },
    ]);
    expect(over.headers['retry-after']).toBe(String(toolOf(over).structuredContent.retry_after));
    const { headers } = await api.call(key, 'list_buyers');
    expect(headers.ratelimit).toMatch(/^"actions";r=89;/);
  });

  it('count every message, and what cannot be read, and are a 429 where no tool is called', async () => {
    const key = await org.key();
    const list = { jsonrpc: '2.0', id: ID, method: 'tools/list' };
    const noted = { jsonrpc: '2.0', method: 'notifications/initialized' };
    const bodies = [list, noted, '{', { jsonrpc: '2.0', id: 1, method: 'none' }, toolCall('none')];
    for (const body of [...bodies, '[]']) await postMcp(api.url, key, body);
    await postMcp(api.url, key, 'x', { 'content-type': 'text/plain' });
    const { headers } = await postMcp(api.url, key, [list, noted]);
    expect(headers.ratelimit).toMatch(/^"actions";r=111;/);
    await Promise.all(Array.from({ length: 111 }, () => postMcp(api.url, key, noted)));
    const over = await postMcp(api.url, key, list);
    expect([over.status, over.json]).toMatchObject([
      429,
      { success: false, error: 'rate_limited', message: expect.stringContaining('120 calls') },
    ]);
    expect(over.headers['retry-after']).toBe(String(over.json?.retry_after));
    const tool = await postMcp(api.url, key, toolCall('list_buyers'));
    expect([tool.status, toolOf(tool).structuredContent.code]).toEqual([200, 'rate_limited']);
    const batch = await postMcp(api.url, key, [list, toolCall('list_buyers')]);
    expect(batch.json ?? batch.text).toEqual(expect.stringContaining('"code":-32000'));
  });
});
