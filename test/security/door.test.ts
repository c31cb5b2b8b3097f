/** What a request meets before its key is looked up, on every surface that has keys. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOrgKey } from '../../src/account/keys.js';
import { createKey } from '../../src/auth/keys.js';
import { createLog } from '../../src/log.js';
import type { Service } from '../../src/service.js';
import { createAccount, type TestAccount } from '../support/account.js';
import { send, type HttpReply } from '../support/http.js';
import { startTestBed, type TestBed } from '../support/service.js';

type Line = Record<string, unknown>;

let bed: TestBed;
let account: TestAccount;
let orgKey: string;
let readOnly: string;
beforeAll(async () => {
  bed = await startTestBed();
  account = await createAccount(bed, { buyers: {} });
  const made = await Promise.all(
    [['leads:write', 'settings:write'] as const, ['reports:read'] as const].map((permissions) =>
      createOrgKey(bed.collections, account.orgId, {
        name: permissions[0],
        permissions: [...permissions],
      }),
    ),
  );
  [orgKey = '', readOnly = ''] = made.map(({ api_key }) => api_key);
});
afterAll(() => bed.stop());

interface Api {
  url: string;
  lines: Line[];
  service: Service;
  /** Commands to the collections that say whose a key is, since the last call. */
  lookUps(): Promise<number>;
  get(path: string, headers?: Record<string, string>): Promise<HttpReply>;
  post(path: string, headers?: Record<string, string>, body?: unknown): Promise<HttpReply>;
}

async function startApi(env: Record<string, string> = {}): Promise<Api> {
  const lines: Line[] = [];
  const log = createLog('info', 'api', {
    write: (text: string) => void lines.push(JSON.parse(text) as Line),
  });
  const service = await bed.start('api', env, { alter: (deps) => ({ ...deps, log }) });
  let before = 0;
  return {
    ...{ url: service.url, lines, service },
    async lookUps() {
      const { values } = await service.deps.metrics.mongodbCommands.get();
      const all = values
        .filter(({ labels }) => ['api_keys', 'buyers'].includes(String(labels.collection)))
        .reduce((sum, { value }) => sum + value, 0);
      const since = all - before;
      before = all;
      return since;
    },
    get: (path, headers = {}) => send(service.url + path, { headers }),
    post: (path, headers = {}, body = {}) =>
      send(service.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
  };
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const LOOKUP = '/api/v1/leads/lookup?id=0b4d7a3e-3f0c-4a8e-93e9-6a8c4b1f2d57';
const POSTBACK = '/api/webhooks/buyer-outcome';
const WHOAMI = '/api/v1/whoami';

describe('the door', () => {
  let api: Api;
  beforeEach(async () => {
    api = await startApi();
  });

  it('looks an unknown key up once, and a new one at once', async () => {
    const [supplier, org, secret] = [
      createKey('live'),
      createKey('live'),
      randomBytes(32).toString('hex'),
    ];
    for (let n = 0; n < 4; n += 1) {
      expect((await api.get(LOOKUP, { 'x-api-key': supplier })).status).toBe(401);
      expect((await api.get(WHOAMI, bearer(org))).status).toBe(401);
      expect((await api.post(POSTBACK, { 'x-buyer-secret': secret })).status).toBe(401);
    }
    expect(await api.lookUps()).toBe(3);
    const made = await createOrgKey(bed.collections, account.orgId, {
      name: 'New',
      permissions: ['leads:read'],
    });
    expect((await api.get(WHOAMI, bearer(made.api_key))).status).toBe(200);
    expect((await api.get(LOOKUP, { 'x-api-key': account.suppliers[0]?.key ?? '' })).status).toBe(
      404,
    );
  });

  it('is 429 after 30 failures without a look-up, but for keys that are known', async () => {
    expect((await api.get(WHOAMI, bearer(orgKey))).status).toBe(200);
    const known = { 'x-api-key': account.suppliers[0]?.key ?? '' };
    expect((await api.get(LOOKUP, known)).status).toBe(404);
    const failures = await Promise.all(
      Array.from({ length: 30 }, () => api.get(LOOKUP, { 'x-api-key': createKey('live') })),
    );
    expect(new Set(failures.map(({ status }) => status))).toEqual(new Set([401]));
    await api.lookUps();
    const refused = [
      await api.get(LOOKUP, { 'x-api-key': createKey('live') }),
      await api.post('/api/v1/ingest', { 'x-api-key': createKey('live') }),
      await api.post('/api/v1/ping', { 'x-api-key': createKey('live') }),
      await api.post(POSTBACK, { 'x-buyer-secret': randomBytes(32).toString('hex') }),
      await api.get('/api/v1/actions', bearer(createKey('live'))),
      await api.post('/api/v1/actions/list_buyers', bearer(createKey('live'))),
      await api.post('/mcp', bearer(createKey('live'))),
    ];
    for (const { status, headers, json } of refused) {
      expect(status).toBe(429);
      expect(json).toMatchObject({
        error: 'rate_limited',
        message: expect.stringMatching(
          /^Too many requests without a valid key from this address\./,
        ),
        request_id: headers['x-request-id'],
        retry_after: Number(headers['retry-after']),
      });
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    }
    expect(refused.map(({ json }) => json?.success)).toEqual([
      ...[undefined, undefined, undefined, undefined],
      ...[false, false, false],
    ]);
    expect(await api.lookUps()).toBe(0);
    expect((await api.get(WHOAMI, bearer(orgKey))).status).toBe(200);
    expect((await api.get(LOOKUP, known)).status).toBe(404);
  });

  it('lets a key be used for the first time where others send none, or one that was refused', async () => {
    const wrong = createKey('live');
    for (let n = 0; n < 40; n += 1) {
      await api.get(WHOAMI);
      await api.get(WHOAMI, bearer(wrong));
    }
    expect((await api.get(WHOAMI)).status).toBe(429);
    expect((await api.get(WHOAMI, bearer(wrong))).status).toBe(429);
    expect((await api.get(WHOAMI, bearer(orgKey))).status).toBe(200);
  });

  it('does not believe X-Forwarded-For unless a proxy is trusted', async () => {
    const statuses = [];
    for (let n = 0; n < 31; n += 1) {
      const headers = { 'x-forwarded-for': `198.51.100.${n}` };
      statuses.push((await api.get(WHOAMI, headers)).status);
    }
    expect(statuses.slice(-2)).toEqual([401, 429]);
    expect(api.lines.map(({ address }) => address)).toContain('127.0.0.1');
  });

  it('counts by the last address of X-Forwarded-For behind a trusted proxy', async () => {
    const behind = await startApi({ TRUST_PROXY: 'true', AUTH_FAILURES_PER_MINUTE: '3' });
    const from = (last: string, n = 0) => ({ 'x-forwarded-for': `198.51.100.${n}, ${last}` });
    for (let n = 0; n < 3; n += 1) await behind.get(WHOAMI, from('203.0.113.9', n));
    expect((await behind.get(WHOAMI, from('203.0.113.9', 3))).status).toBe(429);
    expect((await behind.get(WHOAMI, from('203.0.113.10'))).status).toBe(401);
    for (let n = 0; n < 3; n += 1) await behind.get(WHOAMI, from(`2001:db8::${n}`));
    expect((await behind.get(WHOAMI, from('2001:db8::ffff'))).status).toBe(429);
    expect((await behind.get(WHOAMI, from('2001:db8:0:1::'))).status).toBe(401);
  });

  it('is open to any number of failures at 0', async () => {
    const open = await startApi({ AUTH_FAILURES_PER_MINUTE: '0' });
    const replies = await Promise.all(Array.from({ length: 100 }, () => open.get(WHOAMI)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401]));
  });
});

describe('the security log of the API', () => {
  it('tells of refusals on every surface, and never a key', async () => {
    const api = await startApi();
    const key = createKey('live');
    const id = { 'x-request-id': 'mine' };
    await api.post('/api/v1/ingest', { ...id, 'x-api-key': key });
    await api.post('/api/v1/actions/list_buyers', bearer(readOnly));
    await api.post('/mcp', bearer(readOnly), {
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'list_buyers', arguments: {} },
    });
    await api.post(
      '/api/v1/ingest',
      { 'x-api-key': account.suppliers[0]?.key ?? '' },
      {
        flo_campaign_id: account.campaignId,
        flo_supplier_id: 'another',
      },
    );
    await api.post('/api/v1/actions/revoke_api_key', bearer(orgKey), {
      key_id: (await createOrgKey(bed.collections, account.orgId, { name: `Old ${Math.random()}` }))
        .key.id,
    });
    const events = api.lines.filter(({ msg }) => msg === 'security');
    const ours = { org_id: account.orgId, actor: 'api_key', actor_id: expect.any(String) };
    expect(events).toEqual([
      expect.objectContaining({
        ...{ event: 'auth_failed', address: '127.0.0.1', method: 'POST' },
        ...{ route: '/api/v1/ingest', request_id: 'mine', level: 30 },
      }),
      expect.objectContaining({
        ...{ event: 'permission_refused', ...ours, route: '/api/v1/actions/:action' },
        reason: expect.stringContaining('buyers:read'),
      }),
      expect.objectContaining({
        ...{ event: 'forbidden', actor: 'supplier', actor_id: account.suppliers[0]?.id },
      }),
      expect.objectContaining({ event: 'key_changed', action: 'revoke_api_key', ...ours }),
    ]);
    await api.service.stop();
    expect(api.lines).toContainEqual(
      expect.objectContaining({
        event: 'permission_refused',
        route: '/api/v1/actions/:action',
        count: 1,
      }),
    );
    for (const secret of [key, orgKey, readOnly, account.suppliers[0]?.key ?? ''])
      expect(JSON.stringify(api.lines)).not.toContain(secret);
    const { values } = await api.service.deps.metrics.securityEvents.get();
    expect(Object.fromEntries(values.map(({ labels, value }) => [labels.event, value]))).toEqual({
      ...{ auth_failed: 1, permission_refused: 2, forbidden: 1, key_changed: 1 },
    });
  });
});
