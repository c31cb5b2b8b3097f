/** Existing clients: `tools/call` without a handshake, and one line of the answer read (contract 11.1). */
import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startActionsApi, type ActionsApi, type Org } from '../../support/api.js';
import { readToEnd, send } from '../../support/http.js';
import { ID, postMcp, replyOf, toolCall, toolOf } from './post.js';

let api: ActionsApi;
let org: Org;
beforeAll(async () => {
  api = await startActionsApi();
  org = await api.org();
});
afterAll(() => api.stop());

const ask = async (message: object | string, headers?: Record<string, string>) =>
  postMcp(api.url, await org.sharedKey(), message, headers);
const call = async (name: string, input?: unknown) => toolOf(await ask(toolCall(name, input)));

describe('a cold tools/call', () => {
  it('is answered by one event, whose first data line is the whole reply', async () => {
    const message = toolCall('create_campaign', { name: 'Cold' });
    const { status, headers, text } = await postMcp(api.url, await org.key(), message);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'ratelimit-policy': '"actions";q=120;w=60, "writes";q=30;w=60',
      ratelimit: expect.stringMatching(/^"writes";r=29;t=\d+$/),
    });
    const [event, data, ...rest] = text.split('\n');
    expect([event, rest]).toEqual(['event: message', ['', '']]);
    const reply = JSON.parse((data ?? '').replace('data: ', '')) as Record<string, unknown>;
    const envelope = { success: true, data: expect.objectContaining({ name: 'Cold' }) };
    expect(reply).toEqual({
      jsonrpc: '2.0',
      id: ID,
      result: {
        content: [{ type: 'text', text: expect.any(String) }],
        structuredContent: envelope,
        isError: false,
      },
    });
    const { content, structuredContent } = reply.result as ReturnType<typeof toolOf>;
    expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent);
  });

  it('over a bare connection ends the stream with the reply', async () => {
    const body = JSON.stringify(toolCall('list_campaigns', {}));
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      [
        'POST /mcp HTTP/1.1',
        'Host: 127.0.0.1',
        `Authorization: Bearer ${await org.sharedKey()}`,
        'Content-Type: application/json',
        'Accept: application/json, text/event-stream',
        'Connection: close',
        `Content-Length: ${Buffer.byteLength(body)}`,
        '',
        body,
      ].join('\r\n'),
    );
    const text = await readToEnd(socket);
    const line = text.split('\n').find((one) => one.startsWith('data: '));
    expect(JSON.parse((line ?? '').slice(6))).toMatchObject({ id: ID, result: { isError: false } });
  });

  it.each([
    ['application/json'],
    ['*/*'],
    ['text/html'],
    [''],
    ['application/json, text/event-stream;q=0'],
    ['text/event-stream; q=0.0, text/*'],
    ['application/json;title="a, text/event-stream"'],
  ])('is answered by JSON where the caller accepts %s', async (accept) => {
    const { status, headers, json } = await ask(toolCall('list_campaigns'), { accept });
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'application/json; charset=utf-8',
      'no-store',
    ]);
    expect(json).toMatchObject({ jsonrpc: '2.0', id: ID, result: { isError: false } });
  });

  it('keeps answers apart when many come at once with the same id', async () => {
    const key = await org.sharedKey();
    const names = Array.from({ length: 20 }, (_, n) => `Twin ${n}`);
    const replies = await Promise.all(
      names.map((name) => postMcp(api.url, key, toolCall('create_buyer', { name }))),
    );
    const data = replies.map((reply): unknown => toolOf(reply).structuredContent.data);
    expect(data).toEqual(names.map((name): unknown => expect.objectContaining({ name })));
    expect(replies.map((reply) => replyOf(reply).id)).toEqual(names.map(() => ID));
  });

  it.each([[7], [0], [-1], [1.5], ['a-1'], [''], ['ü\u2028'], [Number.MAX_SAFE_INTEGER]])(
    'returns the id %j unchanged',
    async (id) => {
      expect(replyOf(await ask(toolCall('list_buyers', {}, id))).id).toBe(id);
    },
  );

  it('treats missing arguments as an empty input, and accepts camelCase keys', async () => {
    expect(await call('list_suppliers')).toMatchObject({ isError: false });
    expect(await call('list_suppliers', null)).toMatchObject({ isError: false });
    const shown = await call('create_campaign', { name: 'Camel', dailyCap: 7 });
    expect(shown.structuredContent.data).toMatchObject({ daily_cap: 7 });
  });

  it('carries every character over a stream that is read as Latin-1, line by line', async () => {
    const name = 'Ünï… \u0085\u2028\u2029 名前 😀';
    const reply = await ask(toolCall('create_supplier', { name }));
    expect(reply.text).toMatch(/^[\x20-\x7e\n]*$/);
    expect(toolOf(reply).structuredContent.data).toMatchObject({ name });
  });

  it('accepts a body up to the limit, and refuses a larger one', async () => {
    const wide = (length: number) => toolCall('create_buyer', { name: 'x'.repeat(length) });
    expect(toolOf(await ask(wide(250_000)))).toMatchObject({
      structuredContent: { code: 'invalid_input', details: [{ path: 'name', code: 'too_long' }] },
    });
    const { status, json } = await ask(wide(262_144));
    expect([status, json]).toMatchObject([413, { success: false, error: 'body_too_large' }]);
  });

  it('accepts a gzipped body', async () => {
    const body = gzipSync(JSON.stringify(toolCall('list_buyers')));
    const reply = await postMcp(api.url, await org.sharedKey(), body, {
      'content-encoding': 'gzip',
    });
    expect(toolOf(reply).isError).toBe(false);
  });
});

describe('a refusal of a tool is a result', () => {
  it.each([
    [
      ...(['create_campaign', { names: 'X' }] as const),
      {
        code: 'invalid_input',
        error:
          'name is required. names is not a key of this input. Did you mean name? Correct what details lists, and call ' +
          'again; describe_action { "name": "create_campaign" } shows the whole input.',
        details: [
          { path: 'name', code: 'required' },
          { path: 'names', code: 'not_allowed' },
        ],
      },
    ],
    [
      ...(['get_campaign', { campaign_id: 'none' }] as const),
      {
        code: 'record_not_found',
        error: 'There is no campaign none. The list_ tools return the existing ids.',
      },
    ],
  ])('%s %j', async (name, input, refusal) => {
    const { isError, content, structuredContent } = await call(name, input);
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({ success: false, ...refusal });
    expect(structuredContent.request_id).toEqual(expect.any(String));
    expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent);
  });

  it('for a change from an old version says what to do', async () => {
    const { structuredContent } = await call('create_campaign', { name: 'Old' });
    const { id: campaign_id } = structuredContent.data as { id: string };
    const late = { campaign_id, daily_cap: 1, expected_version: 99 };
    expect((await call('update_campaign', late)).structuredContent).toMatchObject({
      code: 'version_conflict',
      error: expect.stringMatching(/repeat the change with its current version\.$/),
    });
  });
});

describe('a web page', () => {
  const from = (origin: string) => ask(toolCall('list_buyers'), { origin });

  it.each([['https://evil.example'], ['http://127.0.0.1.evil.example'], ['null']])(
    'of %s may not call',
    async (origin) => {
      const { status, json } = await from(origin);
      expect([status, json?.error]).toEqual([403, 'forbidden']);
      expect(json?.message).toContain(`Pages of ${origin} may not call this.`);
    },
  );

  it.each([
    ['http://localhost:6274'],
    ['http://127.0.0.1:3000'],
    ['http://[::1]:8080'],
    ['vscode-file://vscode-app'],
  ])('of this machine, or an application, may call: %s', async (origin) => {
    expect(toolOf(await from(origin)).isError).toBe(false);
  });
});

describe('another method of HTTP', () => {
  it.each([['GET'], ['DELETE'], ['PUT']])('%s is a 405 that names POST', async (method) => {
    const { status, headers, json } = await send(`${api.url}/mcp`, { method });
    expect([status, headers.allow, json?.error]).toEqual([405, 'POST', 'method_not_allowed']);
  });
});

describe('a call that cannot be made is a result, whose text is the envelope', () => {
  it.each<[string, unknown, string, string]>([
    ['create_campain', {}, 'action_not_found', 'Did you mean create_campaign? tools/list'],
    ['constructor', {}, 'action_not_found', 'There is no tool constructor.'],
    ['list_buyers', 'x', 'invalid_input', 'must be an object; it is a string.'],
    ['list_buyers', [], 'invalid_input', 'it is an array'],
  ])('%s with %j is %s', async (name, input, code, message) => {
    const { content, structuredContent, isError } = await call(name, input);
    expect(isError).toBe(true);
    expect(structuredContent).toMatchObject({
      success: false,
      code,
      error: expect.stringContaining(message),
    });
    expect(JSON.parse(content[0]?.text ?? '')).toEqual(structuredContent);
  });
});
