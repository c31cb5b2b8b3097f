/** The protocol itself over HTTP: JSON-RPC 2.0, the revisions of MCP, and the answers to violations. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startActionsApi, type ActionsApi, type Org } from '../../support/api.js';
import { ID, postMcp, replyOf, stateless, toolCall } from './post.js';

let api: ActionsApi;
let org: Org;
beforeAll(async () => {
  api = await startActionsApi();
  org = await api.org();
});
afterAll(() => api.stop());

const ask = async (message: object | string, headers?: Record<string, string>) =>
  postMcp(api.url, await org.sharedKey(), message, headers);
const request = (method: string, params?: unknown) => ({
  jsonrpc: '2.0',
  id: ID,
  method,
  params,
});
const fault = (code: number, message: string, id: unknown = ID) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message: expect.stringContaining(message) },
});
const PING = request('ping');

describe('a message that is no request', () => {
  it.each<[string | object, number, string, unknown]>([
    ['{', -32_700, 'The body is not valid JSON', null],
    ['', -32_700, 'The body is empty; send JSON.', null],
    ['7', -32_600, 'A message must be a JSON object; this is a number.', null],
    ['null', -32_600, 'this is null', null],
    [{ id: 1, method: 'ping' }, -32_600, 'jsonrpc must be "2.0".', 1],
    [{ jsonrpc: '1.0', id: 1, method: 'ping' }, -32_600, 'jsonrpc must be "2.0".', 1],
    [{ jsonrpc: '2.0', id: 1 }, -32_600, 'method is missing', 1],
    [{ jsonrpc: '2.0', id: 1, method: 7 }, -32_600, 'method must be a text.', 1],
    [{ ...PING, id: null }, -32_600, 'id must be a text or a number; it is null.', null],
    [{ ...PING, id: {} }, -32_600, 'it is an object', null],
    [{ jsonrpc: '2.0', method: 'ping', params: 'x' }, -32_602, 'it is a string', null],
    [{ ...PING, params: [] }, -32_602, 'params must be an object; it is an array.', PING.id],
    [{ ...PING, id: 2 ** 53 }, -32_600, 'id must be a number up to 2^53 - 1, or a text.', null],
    [
      '{"jsonrpc":"2.0","method":"ping","id":7615917337430043418}',
      -32_600,
      'id must be a number up to 2^53 - 1, or a text.',
      null,
    ],
    ['['.repeat(70) + ']'.repeat(70), -32_700, 'nested deeper than 64 levels', null],
    ['[]', -32_600, 'A batch must have a message.', null],
    [Array<object>(31).fill(PING), -32_600, 'may have at most 30 messages; this one has 31.', null],
  ])('%j is a 400 with %d', async (body, code, message, id) => {
    const reply = await ask(body);
    expect([reply.status, reply.json]).toEqual([400, fault(code, message, id)]);
  });

  it.each([[''], ['text/plain'], ['application/x-www-form-urlencoded']])(
    'is refused with the content type "%s"',
    async (type) => {
      const { status, json } = await ask(PING, { 'content-type': type });
      expect([status, json?.error]).toEqual([415, 'unsupported_media_type']);
      expect(json?.message).toMatch(/; use application\/json\.$/);
    },
  );
});

describe('a request that is not valid', () => {
  it.each<[object, number, string]>([
    [
      request('resources/list'),
      -32_601,
      'There is no method "resources/list"; the methods are init',
    ],
    [request('server/discover'), -32_601, 'There is no method "server/discover"'],
    [request('tools/call'), -32_602, 'params.name must be the name of a tool.'],
    [request('tools/list', { cursor: 'x' }), -32_602, 'tools/list has no pages'],
  ])('%j is answered with %d', async (body, code, message) => {
    const reply = await ask(body);
    expect([reply.status, replyOf(reply)]).toEqual([200, fault(code, message)]);
  });
});

it('a request whose params are null has none', async () => {
  const reply = await ask({ ...PING, params: null });
  expect([reply.status, replyOf(reply)]).toEqual([200, { jsonrpc: '2.0', id: ID, result: {} }]);
});

describe('the revisions with a handshake', () => {
  it.each([['2025-11-25'], ['2025-06-18'], ['2025-03-26'], ['2024-11-05']])(
    '%s is supported',
    async (protocolVersion) => {
      const { result } = replyOf(await ask(request('initialize', { protocolVersion })));
      expect(result).toEqual({
        protocolVersion,
        capabilities: { tools: { listChanged: false } },
        serverInfo: { name: 'leadwire', title: 'Leadwire', version: expect.stringMatching(/^\d/) },
        instructions: expect.stringContaining('create_buyer'),
      });
      const listed = await ask(request('tools/list'), { 'mcp-protocol-version': protocolVersion });
      expect(replyOf(listed).result).toEqual({ tools: expect.any(Array) });
    },
  );

  it('offer the newest one for an unknown one', async () => {
    const { result } = replyOf(await ask(request('initialize', { protocolVersion: '2019-01-01' })));
    expect(result.protocolVersion).toBe('2025-11-25');
  });

  it('answer a ping, and do not answer notifications', async () => {
    expect(replyOf(await ask(PING)).result).toEqual({});
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
      { jsonrpc: '2.0', id: 1, result: {} },
      [{ jsonrpc: '2.0', method: 'notifications/initialized' }],
    ]) {
      const { status, text } = await ask(message);
      expect([status, text]).toEqual([202, '']);
    }
  });

  it('refuse another version in the header, and name the supported ones', async () => {
    const { status, json } = await ask(PING, { 'mcp-protocol-version': '2030-01-01' });
    expect([status, json]).toEqual([
      400,
      {
        jsonrpc: '2.0',
        id: ID,
        error: {
          code: -32_022,
          message: expect.stringContaining('2030-01-01 is not supported; use one of 2026-07-28'),
          data: {
            supported: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
            requested: '2030-01-01',
          },
        },
      },
    ]);
  });
});

describe('a batch', () => {
  const BATCH = [
    toolCall('create_supplier', { name: 'First' }, 1),
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    toolCall('create_supplier', { name: 'First' }, 2),
    { jsonrpc: '2.0', id: 3 },
    { ...PING, id: 4 },
  ];

  it.each([[{}], [{ 'mcp-protocol-version': '2025-03-26' }]])(
    'is processed in order, each message answered separately, with %j',
    async (headers) => {
      const other = await api.org();
      const reply = await postMcp(api.url, await other.sharedKey(), BATCH, {
        accept: 'application/json',
        ...headers,
      });
      expect([reply.status, reply.json]).toEqual([
        200,
        [
          expect.objectContaining({ id: 1, result: expect.objectContaining({ isError: false }) }),
          expect.objectContaining({ id: 2, result: expect.objectContaining({ isError: true }) }),
          fault(-32_600, 'method is missing', 3),
          { jsonrpc: '2.0', id: 4, result: {} },
        ],
      ]);
    },
  );

  it('is a stream of events where the client accepts streams', async () => {
    const { text } = await ask([PING, { ...PING, id: 'b' }]);
    const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, json = '']): unknown =>
      JSON.parse(json),
    );
    expect(events).toEqual([
      { jsonrpc: '2.0', id: ID, result: {} },
      { jsonrpc: '2.0', id: 'b', result: {} },
    ]);
  });

  it.each([['2025-06-18'], ['2025-11-25'], ['2026-07-28']])(
    'is refused with %s, which has no batches',
    async (version) => {
      const { status, json } = await ask([PING], { 'mcp-protocol-version': version });
      expect([status, json]).toEqual([
        400,
        fault(-32_600, `${version} does not support batches`, null),
      ]);
    },
  );
});

describe('the stateless revision', () => {
  const say = async (
    method: string,
    params?: Record<string, unknown>,
    other: Record<string, string | undefined> = {},
  ) => {
    const { message, headers } = stateless(method, params);
    const sent = Object.entries<string | undefined>({ ...headers, ...other }).flatMap(
      ([name, value]) => (value === undefined ? [] : [[name, value]]),
    );
    return ask(message, Object.fromEntries(sent) as Record<string, string>);
  };
  const stamp = {
    resultType: 'complete',
    _meta: { 'io.modelcontextprotocol/serverInfo': expect.objectContaining({ name: 'leadwire' }) },
  };

  it('lists versions, lists tools with their time to live, and calls them', async () => {
    const fresh = { ttlMs: 300_000, cacheScope: 'private' };
    expect(replyOf(await say('server/discover')).result).toEqual({
      supportedVersions: expect.arrayContaining(['2026-07-28', '2025-11-25']),
      capabilities: { tools: { listChanged: false } },
      instructions: expect.any(String),
      ...fresh,
      ...stamp,
    });
    expect(replyOf(await say('tools/list')).result).toEqual({
      tools: expect.any(Array),
      ...fresh,
      ...stamp,
    });
    expect(replyOf(await say('tools/call', { name: 'list_buyers' })).result).toMatchObject({
      ...stamp,
      isError: false,
    });
  });

  it('accepts a name in Base64', async () => {
    const encoded = { 'mcp-name': `=?base64?${Buffer.from('list_buyers').toString('base64')}?=` };
    const reply = await say('tools/call', { name: 'list_buyers' }, encoded);
    expect(replyOf(reply).result.isError).toBe(false);
  });

  it.each<[string, Record<string, string | undefined>, string]>([
    ['tools/list', { 'mcp-method': 'ping' }, 'Mcp-Method says "ping"; the body says "tools/list".'],
    ['tools/list', { 'mcp-method': undefined }, 'The header Mcp-Method is missing'],
    ['tools/list', { 'mcp-protocol-version': undefined }, 'MCP-Protocol-Version is missing'],
    ['tools/list', { 'mcp-protocol-version': '2025-11-25' }, 'says "2025-11-25"'],
    ['tools/call', { 'mcp-name': undefined }, 'The header Mcp-Name is missing'],
    ['tools/call', { 'mcp-name': 'get_buyer' }, 'Mcp-Name says "get_buyer"'],
  ])('%s with the headers %j is refused as contradictory', async (method, headers, message) => {
    const { status, json } = await say(method, { name: 'list_buyers' }, headers);
    expect([status, json]).toEqual([400, fault(-32_020, message)]);
  });

  it.each([['ping'], ['initialize'], ['resources/list']])('has no %s: 404', async (method) => {
    const { status, json } = await say(method);
    expect([status, json]).toEqual([
      404,
      fault(-32_601, `There is no method "${method}"; the methods are server/discover`),
    ]);
  });

  it('is refused when the body does not say what the header does', async () => {
    const { status, json } = await ask(request('tools/list'), stateless('tools/list').headers);
    expect([status, json]).toMatchObject([
      400,
      {
        error: {
          code: -32_602,
          data: { missing: [expect.stringContaining('protocolVersion'), expect.any(String)] },
        },
      },
    ]);
    const handshake = await ask(request('initialize'), stateless('initialize').headers);
    expect([handshake.status, handshake.json]).toEqual([
      400,
      fault(-32_020, '2026-07-28 has no initialize.'),
    ]);
  });

  it('needs the capabilities of the client, and a version that is a text', async () => {
    const { message, headers } = stateless('tools/list');
    const version = 'io.modelcontextprotocol/protocolVersion';
    for (const [_meta, what] of [
      [{ [version]: '2026-07-28' }, 'clientCapabilities must be an object.'],
      [{ [version]: 7 }, 'protocolVersion must be a text.'],
    ] as const) {
      const { status, json } = await ask({ ...message, params: { _meta } }, headers);
      expect([status, json]).toMatchObject([400, fault(-32_602, what)]);
    }
  });
});
