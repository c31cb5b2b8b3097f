/** The expiry of keys, their creators, and the permissions that they can pass on. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PERMISSIONS } from '../../../../src/account/keys/keys.js';
import { holds } from '../../../../src/api/actions/access.js';
import { createActionService } from '../../../../src/api/actions/service.js';
import { systemClock } from '../../../../src/lib/clock.js';
import type { Permission } from '../../../../src/account/store/keyDocs.js';
import { send, startServer } from '../../../support/http.js';
import {
  actionDeps,
  post,
  startActionsApi,
  type ActionsApi,
  type Row,
} from '../../../support/api.js';

const HOUR_MS = 3_600_000;
const soon = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

describe('a key that expires', () => {
  let api: ActionsApi;
  let other: Awaited<ReturnType<typeof startServer>>;
  let ahead = 0;
  const clock = { ...systemClock, now: () => new Date(Date.now() + ahead) };
  beforeAll(async () => {
    api = await startActionsApi({ clock });
    const deps = { ...actionDeps(api.collections), clock };
    other = await startServer({ actions: createActionService(deps) });
  });
  afterAll(async () => {
    await other.close(0);
    await api.stop();
  });

  const whoami = (url: string, key: string) =>
    send(`${url}/api/v1/whoami`, { headers: { authorization: `Bearer ${key}` } });

  it('is refused from that instant on, in every process, and says when it ended', async () => {
    const org = await api.org();
    const expires_at = soon(1);
    const key = await api.done<Row & { api_key: string }>(org, 'create_api_key', {
      name: 'Short',
      expires_at,
    });
    expect(key.expires_at).toBe(expires_at);
    const both = () => Promise.all([api.url, other.url].map((url) => whoami(url, key.api_key)));
    const before = await both();
    expect(before.map(({ status }) => status)).toEqual([200, 200]);
    expect(before[0]?.json?.data).toMatchObject({ key: { id: key.id, expires_at } });
    ahead = HOUR_MS;
    try {
      for (const { status, json, headers } of await both()) {
        expect([status, json?.error]).toEqual([401, 'unauthorized']);
        expect(json?.message).toBe(`This key expired at ${expires_at}. Use another one.`);
        expect(headers['www-authenticate']).toContain('error="invalid_token"');
      }
      const called = await post(`${other.url}/api/v1/actions/list_buyers`, key.api_key, '{}');
      expect(called.status).toBe(401);
    } finally {
      ahead = 0;
    }
  });

  it('is refused with an expiry that has passed or is not valid', async () => {
    const org = await api.org();
    for (const [expires_at, message] of [
      ['2020-01-01T00:00:00Z', 'must be in the future; 2020-01-01T00:00:00.000Z has passed'],
      ['2027-02-30T00:00:00Z', ''],
      ['tomorrow', ''],
      [90, ''],
    ] as const) {
      const { status, json } = await api.call(await org.sharedKey(), 'create_api_key', {
        name: 'K',
        expires_at,
      });
      expect([status, json?.details]).toMatchObject([
        422,
        [{ path: 'expires_at', message: expect.stringContaining(message) as unknown as string }],
      ]);
    }
    const none = await api.done<Row>(org, 'create_api_key', { name: 'K', expires_at: null });
    expect(none.expires_at).toBeNull();
  });

  it('creates no key that outlives it', async () => {
    const org = await api.org();
    const expires_at = soon(2);
    const { api_key } = await api.done<Row & { api_key: string }>(org, 'create_api_key', {
      name: 'Short',
      expires_at,
      permissions: ['settings:write'],
    });
    const permissions = ['settings:read'];
    const make = (input: object) =>
      api.call(api_key, 'create_api_key', { name: 'K', permissions, ...input });
    const longer = await make({ expires_at: soon(3) });
    expect([longer.status, longer.json?.details]).toMatchObject([
      422,
      [{ path: 'expires_at', message: expect.stringContaining(expires_at) as unknown as string }],
    ]);
    const [shorter, unsaid] = [soon(1), undefined];
    expect((await make({ expires_at: shorter })).json?.data).toMatchObject({ expires_at: shorter });
    expect((await make({ expires_at: unsaid })).json?.data).toMatchObject({ expires_at });
  });
});

describe('a key', () => {
  let api: ActionsApi;
  beforeAll(async () => {
    api = await startActionsApi();
  });
  afterAll(() => api.stop());

  it('shows who created it, except for older keys', async () => {
    const org = await api.org();
    const first = await org.sharedKey();
    const made = await api.call(first, 'create_api_key', { name: 'Child' });
    const rows = (await api.call(first, 'list_api_keys')).json?.data as Row[];
    const [parent, child] = rows;
    expect(child).toMatchObject({
      id: (made.json?.data as Row).id,
      name: 'Child',
      created_by: { kind: 'key', id: parent?.id, name: parent?.name },
    });
    expect(parent).toMatchObject({ created_by: null, expires_at: null });
  });

  it('grants only permissions that it has itself', async () => {
    const org = await api.org();
    const held: Permission[] = ['settings:write', 'leads:write', 'reports:read'];
    for (const permission of PERMISSIONS) {
      const { status, json } = await api.call(await org.sharedKey(held), 'create_api_key', {
        name: permission,
        permissions: ['settings:read', permission],
      });
      const expected = holds(held, permission) ? [200, undefined] : [403, permission];
      expect([permission, status, json?.required]).toEqual([permission, ...expected]);
    }
  });

  it('that is the last with settings:write is not revoked, not even by itself', async () => {
    const org = await api.org();
    const key = await org.sharedKey();
    const [{ id } = { id: '' }] = (await api.call(key, 'list_api_keys')).json?.data as Row[];
    const refused = await api.call(key, 'revoke_api_key', { key_id: id });
    expect([refused.status, refused.json?.error]).toEqual([400, 'action_refused']);
    expect(refused.json?.message).toContain('This is the last key that holds settings:write');
    const other = await org.sharedKey(['settings:write']);
    expect((await api.call(other, 'revoke_api_key', { key_id: id })).status).toBe(200);
    expect((await api.call(key, 'list_api_keys')).status).toBe(401);
  });
});
