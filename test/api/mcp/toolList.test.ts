/** What an assistant reads before its first call: the list of tools, its size, and the tool that shows the rest. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { permissionsOf } from '../../../src/account/keys/keys.js';
import { REGISTRY } from '../../../src/api/actions/registry.js';
import { TOOLSETS } from '../../../src/api/mcp/toolsets.js';
import { startActionsApi, type ActionsApi, type Org } from '../../support/api.js';
import { ID, postMcp, replyOf, stateless, toolCall, toolOf } from './post.js';

let api: ActionsApi;
let org: Org;
beforeAll(async () => {
  api = await startActionsApi();
  org = await api.org();
});
afterAll(() => api.stop());

interface Tool {
  name: string;
}
const LIST = { jsonrpc: '2.0', id: ID, method: 'tools/list' };
const list = async (query: string, headers: Record<string, string> = {}) =>
  replyOf(await postMcp(api.url, await org.sharedKey(), LIST, headers, query));
const namesOf = ({ result }: { result: Record<string, unknown> }) =>
  (result.tools as Tool[]).map(({ name }) => name);
const call = async (name: string, input?: unknown) =>
  toolOf(await postMcp(api.url, await org.sharedKey(), toolCall(name, input)));

describe('the list of tools', () => {
  it.each([
    ['write', 60_000],
    ['read', 20_000],
  ] as const)('of a key that may %s everything has at most %i bytes', async (access, most) => {
    const key = await org.sharedKey(permissionsOf(access));
    for (const accept of ['application/json', 'application/json, text/event-stream']) {
      const reply = await postMcp(api.url, key, LIST, { accept });
      expect(Buffer.byteLength(reply.text)).toBeLessThanOrEqual(most);
      const may = REGISTRY.filter(
        ({ permission }) => access === 'write' || permission.endsWith(':read'),
      );
      expect(namesOf(replyOf(reply))).toHaveLength(may.length + 1);
    }
  });

  it('has no action that is called as the tool that describes them', () => {
    const names: string[] = REGISTRY.map(({ name }) => name);
    expect(names).not.toContain('describe_action');
  });
});

describe('describe_action', () => {
  it.each(REGISTRY.map(({ name }) => [name]))('shows %s as the catalog has it', async (name) => {
    const headers = { authorization: `Bearer ${await org.sharedKey()}` };
    const answer = await fetch(`${api.url}/api/v1/actions`, { headers });
    const { data } = (await answer.json()) as { data: { actions: Tool[] } };
    const { isError, structuredContent } = await call('describe_action', { name });
    expect([isError, structuredContent.data]).toEqual([
      false,
      data.actions.find((one) => one.name === name),
    ]);
  });

  it('names what is wrong with its own input', async () => {
    expect(
      (await call('describe_action', { name: 'get_lead_stat' })).structuredContent,
    ).toMatchObject({
      code: 'action_not_found',
      error: expect.stringContaining('Did you mean get_lead_stats?'),
    });
    expect((await call('describe_action', { action: 'get_lead' })).structuredContent).toMatchObject(
      {
        code: 'invalid_input',
        error: expect.stringMatching(/^name is required\..*call again\.$/),
      },
    );
  });

  it('counts as one call', async () => {
    const key = await org.key();
    const { headers } = await postMcp(
      api.url,
      key,
      toolCall('describe_action', { name: 'get_lead' }),
    );
    expect(headers.ratelimit).toMatch(/^"actions";r=119;/);
  });
});

describe('toolsets', () => {
  it.each([
    ['?tools=leads,reports', {}],
    ['?tools=%20Reports%20,leads,', {}],
    ['', { 'x-mcp-toolsets': 'leads, reports' }],
    ['?tools=leads,reports', { 'x-mcp-toolsets': 'keys' }],
  ])('%j %j lists the tools of these groups alone', async (query, headers) => {
    const wanted = REGISTRY.filter(({ cli: [noun] }) => noun === 'leads' || noun === 'reports');
    expect(namesOf(await list(query, headers))).toEqual([
      'describe_action',
      ...wanted.map(({ name }) => name),
    ]);
  });

  it.each([['?tools='], ['']])('%j lists all of them', async (query) => {
    expect(namesOf(await list(query))).toHaveLength(REGISTRY.length + 1);
  });

  it('take no tool away: each is called by its name', async () => {
    const reply = await postMcp(
      api.url,
      await org.sharedKey(),
      toolCall('list_buyers'),
      {},
      '?tools=leads',
    );
    expect(toolOf(reply).isError).toBe(false);
  });

  it('that do not exist are refused with all that do, when the client connects and when it lists', async () => {
    const key = await org.sharedKey();
    const discover = stateless('server/discover');
    for (const [message, headers] of [
      [LIST, {}],
      [{ ...LIST, method: 'initialize' }, {}],
      [discover.message, discover.headers],
    ] as const) {
      const reply = await postMcp(api.url, key, message, headers, '?tools=leeds');
      expect(replyOf(reply).error).toMatchObject({
        code: -32_602,
        message: `There is no toolset "leeds". Did you mean leads? The toolsets are ${TOOLSETS.join(', ')}.`,
      });
    }
  });
});

describe('arguments as text', () => {
  it('are read as JSON where an object or a list is wanted', async () => {
    const { structuredContent } = await call(
      'create_campaign',
      JSON.stringify({
        name: 'From text',
        dailyCaps: '{"mon": 4}',
        fields: '[{"name":"loan_id","type":"String","max_length":20}]',
        filters: '{"all":[{"field":"state","operator":"==","value":"CA"}]}',
      }),
    );
    expect(structuredContent).toMatchObject({
      success: true,
      data: {
        name: 'From text',
        daily_caps: { mon: 4 },
        filters: { all: [{ field: 'state', operator: '==', value: 'CA' }] },
      },
    });
  });

  it('stay texts where a text is wanted, and where they are no JSON', async () => {
    const named = await call('create_buyer', { name: '["a"]' });
    expect(named.structuredContent.data).toMatchObject({ name: '["a"]' });
    const refused = await call('create_campaign', { name: 'Wrong', fields: '[{' });
    expect(refused.structuredContent).toMatchObject({
      code: 'invalid_input',
      details: [{ path: 'fields', code: 'invalid_type', message: 'fields must be a list.' }],
    });
  });
});
