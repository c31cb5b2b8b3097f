/** The Actions API as callers see it (contract 9.1, 9.3, 9.5). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { permissionsOf, PERMISSIONS } from '../../../src/account/keys/keys.js';
import { REGISTRY } from '../../../src/api/actions/registry.js';
import { createKey } from '../../../src/platform/security/keys.js';
import { expectDescribed } from '../../support/contract.js';
import { send } from '../../support/http.js';
import { TEST_ZONE } from '../../support/org.js';
import { post, startActionsApi, type ActionsApi } from '../../support/api.js';

let api: ActionsApi;
beforeAll(async () => {
  api = await startActionsApi();
});
afterAll(() => api.stop());

const get = async (path: string, authorization?: string) => {
  const reply = await send(`${api.url}${path}`, {
    headers: authorization === undefined ? {} : { authorization },
  });
  expectDescribed('get', `${api.url}${path}`, reply);
  return reply;
};

describe('whoami', () => {
  it('names the organization, the key, its permissions and what it may run', async () => {
    const org = await api.org();
    const { status, json, headers } = await get(
      '/api/v1/whoami',
      `Bearer ${await org.key(['campaigns:write', 'buyers:read'])}`,
    );
    expect(status).toBe(200);
    expect(json).toMatchObject({
      success: true,
      data: {
        organization: {
          id: org.id,
          name: expect.stringMatching(/^Org/),
          time_zone: TEST_ZONE,
          currency: 'USD',
        },
        key: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), name: expect.stringMatching(/^Key/) },
        permissions: ['campaigns:write', 'buyers:read'],
        actions: REGISTRY.filter(({ permission }) =>
          /^campaigns:|^buyers:read/.test(permission),
        ).map(({ name }) => name),
      },
    });
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      ratelimit: '"actions";r=119;t=60',
      'ratelimit-policy': '"actions";q=120;w=60, "writes";q=30;w=60',
    });
  });

  it.each([
    ['no key', undefined, 'Bearer realm="leadwire"'],
    ['another scheme', 'Basic eDp5', 'Bearer realm="leadwire"'],
    ['no real key', 'Bearer lw_live_x', 'Bearer realm="leadwire", error="invalid_token"'],
    [
      'an unknown key',
      `Bearer ${createKey('live')}`,
      'Bearer realm="leadwire", error="invalid_token"',
    ],
  ])('is 401 with %s', async (_name, authorization, challenge) => {
    const { status, json, headers } = await get('/api/v1/whoami', authorization);
    expect([status, json?.success, json?.error]).toEqual([401, false, 'unauthorized']);
    expect(headers['www-authenticate']).toBe(challenge);
  });

  it("is 401 with a supplier's key", async () => {
    const org = await api.org();
    const { api_key } = await api.done<{ api_key: string }>(org, 'create_supplier', { name: 'S' });
    const { status, json } = await get('/api/v1/whoami', `Bearer ${api_key}`);
    expect([status, json?.message]).toEqual([401, expect.stringContaining("supplier's key")]);
  });
});

describe('the catalog', () => {
  it('lists every action with its schemas, and whether the key may run it', async () => {
    const key = await (await api.org()).sharedKey(permissionsOf('read'));
    const { json } = await get('/api/v1/actions', `Bearer ${key}`);
    const { actions } = json?.data as { actions: Record<string, unknown>[] };
    expect(actions.map(({ name, allowed }) => [name, allowed])).toEqual(
      REGISTRY.map(({ name, permission }) => [name, permission.endsWith(':read')]),
    );
    expect(actions.find(({ name }) => name === 'get_campaign')).toMatchObject({
      permission: 'campaigns:read',
      input_schema: {
        type: 'object',
        required: ['campaign_id'],
        properties: { campaign_id: { type: 'string' } },
        additionalProperties: false,
      },
      output_schema: { type: 'object' },
    });
  });
});

describe('an action', () => {
  const call = async (body: string, type?: string, action = 'list_campaigns') => {
    const key = await (await api.org()).sharedKey();
    const { status, json } = await post(`${api.url}/api/v1/actions/${action}`, key, body, type);
    return { status, json };
  };

  it('treats an empty body as an empty input', async () => {
    expect(await call('')).toEqual({
      status: 200,
      json: { success: true, data: [], next_cursor: null },
    });
  });

  it.each([
    ['[]', 'must be one JSON object; it is an array'],
    ['7', 'must be one JSON object; it is a number'],
    ['null', 'must be one JSON object; it is null'],
    ['{', 'is not valid JSON'],
  ])('is 400 with the body %s', async (body, message) => {
    expect(await call(body)).toMatchObject({
      status: 400,
      json: { success: false, error: 'malformed_body', message: expect.stringContaining(message) },
    });
  });

  it('is 400 with a form, whatever it holds', async () => {
    for (const body of ['limit=5', '{"limit":5}'])
      expect(await call(body, 'application/x-www-form-urlencoded')).toMatchObject({
        status: 400,
        json: {
          success: false,
          error: 'malformed_body',
          message: 'The body must be one JSON object, sent as application/json, not a form.',
        },
      });
  });

  it('is 415 with a body of another kind', async () => {
    expect(await call('x', 'text/plain')).toMatchObject({
      status: 415,
      json: { success: false, error: 'unsupported_media_type' },
    });
  });

  it.each(['get_campaign', 'no_such_action'])('is 405 by GET: %s', async (name) => {
    const answer = await fetch(`${api.url}/api/v1/actions/${name}`);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    expect(await answer.json()).toMatchObject({ success: false, error: 'method_not_allowed' });
  });

  it('is 404 with an unknown name, and says where the names are listed', async () => {
    expect(await call('{}', undefined, 'get_campain')).toMatchObject({
      status: 404,
      json: {
        success: false,
        error: 'action_not_found',
        message:
          'There is no action get_campain. Did you mean get_campaign? GET /api/v1/actions lists all.',
      },
    });
  });

  it('is 422 with an input that does not fit, and lists the faults', async () => {
    expect(await call('{"status":"on","stauts":1}')).toMatchObject({
      status: 422,
      json: {
        success: false,
        error: 'invalid_input',
        details: [
          { path: 'status', code: 'not_allowed' },
          { path: 'stauts', code: 'not_allowed', message: expect.stringContaining('mean status?') },
        ],
      },
    });
  });

  it('is 400 for a record that does not exist', async () => {
    expect(await call('{"campaign_id":"none"}', undefined, 'get_campaign')).toMatchObject({
      status: 400,
      json: {
        success: false,
        error: 'record_not_found',
        message: 'There is no campaign none.',
      },
    });
  });

  it('is 403 with every permission but the one it needs, which the answer names', async () => {
    const others = PERMISSIONS.filter((one) => one !== 'campaigns:write');
    const key = await (await api.org()).sharedKey(others);
    const { status, json } = await api.call(key, 'create_campaign', { name: 'Auto' });
    expect({ status, json }).toMatchObject({
      status: 403,
      json: {
        success: false,
        error: 'forbidden',
        required: 'campaigns:write',
        message:
          'create_campaign needs the permission campaigns:write, which this key does not have.',
      },
    });
  });
});

describe('a key that was revoked', () => {
  it('is refused at once', async () => {
    const org = await api.org();
    const made = await api.done<{ id: string; api_key: string }>(org, 'create_api_key', {
      name: 'Short',
    });
    expect((await get('/api/v1/whoami', `Bearer ${made.api_key}`)).status).toBe(200);
    await api.done(org, 'revoke_api_key', { key_id: made.id });
    expect((await get('/api/v1/whoami', `Bearer ${made.api_key}`)).status).toBe(401);
  });
});
