/** The checks of a request before its key is looked up, on every surface that has keys. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createOrgKey } from '../../../src/account/keys/keys.js';
import { createKey } from '../../../src/platform/security/keys.js';
import { createAccount, type TestAccount } from '../../support/account.js';
import { startServiceBed, type ServiceBed } from '../../support/service.js';
import { bearer, LOOKUP, POSTBACK, startApi, WHOAMI, type Api } from './loggingApi.js';
import { accountOf } from '../../support/org.js';

let bed: ServiceBed;
let account: TestAccount;
let orgKey: string;
beforeAll(async () => {
  bed = await startServiceBed();
  account = await createAccount(bed, { buyers: {} });
  const made = await createOrgKey(accountOf(bed, account.orgId), {
    name: 'Known',
    permissions: ['reports:read'],
  });
  orgKey = made.api_key;
});
afterAll(() => bed.stop());

describe('the door', () => {
  let api: Api;
  beforeEach(async () => {
    api = await startApi(bed);
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
    const made = await createOrgKey(accountOf(bed, account.orgId), {
      name: 'New',
      permissions: ['leads:read'],
    });
    expect((await api.get(WHOAMI, bearer(made.api_key))).status).toBe(200);
    expect((await api.get(LOOKUP, { 'x-api-key': account.suppliers[0]?.key ?? '' })).status).toBe(
      404,
    );
  });

  it('is 429 after 30 failures without a lookup, except for known keys', async () => {
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
      undefined,
      undefined,
      undefined,
      undefined,
      false,
      false,
      false,
    ]);
    expect(await api.lookUps()).toBe(0);
    expect((await api.get(WHOAMI, bearer(orgKey))).status).toBe(200);
    expect((await api.get(LOOKUP, known)).status).toBe(404);
  });

  it('accepts a first use of a key from an address that sends missing or refused keys', async () => {
    const wrong = createKey('live');
    for (let n = 0; n < 40; n += 1) {
      await api.get(WHOAMI);
      await api.get(WHOAMI, bearer(wrong));
    }
    expect((await api.get(WHOAMI)).status).toBe(429);
    expect((await api.get(WHOAMI, bearer(wrong))).status).toBe(429);
    expect((await api.get(WHOAMI, bearer(orgKey))).status).toBe(200);
  });

  it('ignores X-Forwarded-For unless a proxy is trusted', async () => {
    const statuses = [];
    for (let n = 0; n < 31; n += 1) {
      const headers = { 'x-forwarded-for': `198.51.100.${n}` };
      statuses.push((await api.get(WHOAMI, headers)).status);
    }
    expect(statuses.slice(-2)).toEqual([401, 429]);
    expect(api.lines.map(({ address }) => address)).toContain('127.0.0.1');
  });

  it('counts by the last address of X-Forwarded-For behind a trusted proxy', async () => {
    const behind = await startApi(bed, { TRUST_PROXY: 'true', AUTH_FAILURES_PER_MINUTE: '3' });
    const from = (last: string, n = 0) => ({ 'x-forwarded-for': `198.51.100.${n}, ${last}` });
    for (let n = 0; n < 3; n += 1) await behind.get(WHOAMI, from('203.0.113.9', n));
    expect((await behind.get(WHOAMI, from('203.0.113.9', 3))).status).toBe(429);
    expect((await behind.get(WHOAMI, from('203.0.113.10'))).status).toBe(401);
    for (let n = 0; n < 3; n += 1) await behind.get(WHOAMI, from(`2001:db8::${n}`));
    expect((await behind.get(WHOAMI, from('2001:db8::ffff'))).status).toBe(429);
    expect((await behind.get(WHOAMI, from('2001:db8:0:1::'))).status).toBe(401);
  });

  it('allows any number of failures at 0', async () => {
    const open = await startApi(bed, { AUTH_FAILURES_PER_MINUTE: '0' });
    const replies = await Promise.all(Array.from({ length: 100 }, () => open.get(WHOAMI)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401]));
  });
});
