/** Requests of browsers: cookies, pages of other sites, files, and client addresses. */
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoNetworkTimeoutError } from 'mongodb';
import { z } from 'zod';
import type { Call, Endpoint, Reply } from '../../../src/api/http/endpoint.js';
import type { HttpServer } from '../../../src/api/http/server.js';
import type { People } from '../../../src/people/people.js';
import type { SignedIn } from '../../../src/people/types.js';
import { send, startServer } from '../../support/http.js';

const TOKEN = 'a'.repeat(43);
const COOKIE = { cookie: `other=1; __Host-lw=${TOKEN}; __Host-lw=second` };
const FILE_MAX = 1_000;

const signedIn: SignedIn = {
  session_id: 'ses_1',
  person: { id: 'per_1', email: 'pat@example.com', name: 'Pat' },
  is_fresh: true,
  confirmed_at: new Date(),
  via: 'password',
  barred: [],
};
const timedOut = (): Error => new MongoNetworkTimeoutError('connection 7 timed out');

/** A session that the database is too busy to read, and one whose reading throws an unexpected error. */
const [BUSY, FAULTY] = ['busy', 'faulty'].map((token) => ({ cookie: `__Host-lw=${token}` }));
const people = {
  enter(token) {
    if (token === 'busy') return Promise.reject(timedOut());
    if (token === 'faulty') return Promise.reject(new TypeError('a fault of ours'));
    return Promise.resolve(token === TOKEN ? { signedIn, membership: null } : null);
  },
} as Partial<People> as People;

const shown = (call: Call): Reply => ({
  status: 200,
  body: {
    person: call.session?.person.id ?? null,
    cookie: call.cookie('__Host-lw') ?? null,
    header: call.header('cookie') ?? null,
    ip: call.ip,
  },
});
const endpoint = (path: `/${string}`, more: Partial<Endpoint>): Endpoint => ({
  id: path,
  method: 'post',
  path,
  summary: '',
  description: '',
  tag: 'api',
  auth: 'session',
  outputs: { 200: z.unknown() },
  errors: [],
  handle: (call) => Promise.resolve(shown(call)),
  ...more,
});
const upload: Endpoint['handle'] = async (call) => ({
  status: 200,
  body: { bytes: [...(await call.readBytes(FILE_MAX))].slice(-3), cookie: call.cookie('a') ?? '' },
});
const several: Endpoint['handle'] = () =>
  Promise.resolve({
    status: 303,
    headers: { location: '/choose' },
    cookies: ['a=1; Path=/', 'b=2; Path=/'],
    body: '',
  });
const streamed: Endpoint['handle'] = () =>
  Promise.resolve({
    status: 200,
    headers: { 'content-type': 'text/csv' },
    body: Readable.from(['id\n', '1\n']),
  });
const ENDPOINTS: Endpoint[] = [
  endpoint('/session', {}),
  endpoint('/session-read', { method: 'get' }),
  endpoint('/page', { auth: 'page' }),
  endpoint('/page-read', { method: 'get', auth: 'page' }),
  endpoint('/api/v1/public-echo', { method: 'get', auth: 'public' }),
  endpoint('/api/v1/supplier-echo', { auth: 'supplier' }),
  endpoint('/file', { handle: upload }),
  endpoint('/several', { method: 'get', auth: 'page', handle: several }),
  endpoint('/streamed', { method: 'get', handle: streamed }),
  endpoint('/busy', { method: 'get', auth: 'page', handle: () => Promise.reject(timedOut()) }),
  endpoint('/shown', {
    method: 'get',
    auth: 'page',
    handle: () => Promise.reject(new Error('a fault of ours')),
    refuse: ({ code, status }) => ({
      status,
      headers: { 'content-type': 'text/html' },
      body: code,
    }),
  }),
];

describe('requests of browsers', () => {
  let server: HttpServer;
  let behindProxy: HttpServer;
  beforeAll(async () => {
    const deps = { people, baseUrl: 'https://leads.example.com' };
    server = await startServer(deps, {}, { pages: ENDPOINTS });
    behindProxy = await startServer({ ...deps, trustProxy: true }, {}, { pages: ENDPOINTS });
  });
  afterAll(() => Promise.all([server.close(0), behindProxy.close(0)]));

  const post = (path: string, headers: Record<string, string>, on = server) =>
    send(`${on.url}${path}`, { method: 'POST', headers });
  const get = (path: string, headers: Record<string, string> = {}, on = server) =>
    send(`${on.url}${path}`, { headers });

  it('are accepted only with a session', async () => {
    expect((await get('/session-read', COOKIE)).json).toMatchObject({ person: 'per_1' });
    for (const cookie of ['', '__Host-lw=', '__Host-lw=unknown', `x__Host-lw=${TOKEN}`]) {
      const refused = await get('/session-read', { cookie });
      expect([refused.status, refused.json?.error]).toEqual([401, 'unauthorized']);
    }
    expect((await get('/page-read')).json).toMatchObject({ person: null });
  });

  it.each([
    [{ 'sec-fetch-site': 'same-origin' }, 200],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' }, 200],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'none' }, 403],
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://leads.example.com' }, 403],
    [{ origin: 'https://leads.example.com' }, 200],
    [{ origin: 'http://leads.example.com' }, 403],
    [{ origin: 'https://leads.example.com.evil.example' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: '' }, 403],
    [{}, 403],
  ])('that change something and come with %j are answered %i', async (headers: object, status) => {
    for (const path of ['/session', '/page']) {
      const answer = await post(path, { ...COOKIE, ...headers });
      expect([path, answer.status]).toEqual([path, status]);
      if (status === 403) expect(answer.json).toMatchObject({ error: 'forbidden' });
    }
    const own = await post('/session', { ...COOKIE, origin: server.url });
    expect(own.status).toBe(200);
  });

  it('show no cookie to the endpoints of programs', async () => {
    const none = { person: null, cookie: null, header: null };
    expect((await get('/api/v1/public-echo', COOKIE)).json).toMatchObject(none);
    const key = { 'x-api-key': 'k' };
    expect((await post('/api/v1/supplier-echo', { ...COOKIE, ...key })).json).toMatchObject(none);
    const whoami = await get('/api/v1/whoami', COOKIE);
    expect(whoami.status).toBe(401);
    expect((await get('/page-read', COOKIE)).json).toMatchObject({ cookie: TOKEN, header: null });
  });

  it('get pages by HTTPS and on the machine itself, and a hint elsewhere', async () => {
    const byName = { host: 'leads.example.com' };
    const refused = await get('/page-read', byName);
    expect(refused).toMatchObject({ status: 403 });
    expect(refused.json?.message).toMatch(/needs HTTPS/);
    expect((await get('/page-read', { host: 'localhost:8080' })).status).toBe(200);
    const byProxy = { ...byName, 'x-forwarded-proto': 'https' };
    expect((await get('/page-read', byProxy)).status).toBe(403);
    expect((await get('/page-read', byProxy, behindProxy)).status).toBe(200);
  });

  it('have the last address of X-Forwarded-For, only behind a trusted proxy', async () => {
    const claimed = { 'x-forwarded-for': '203.0.113.7, 198.51.100.9' };
    expect((await get('/page-read', claimed)).json?.ip).toMatch(/127\.0\.0\.1$/);
    expect((await get('/page-read', claimed, behindProxy)).json).toMatchObject({
      ip: '198.51.100.9',
    });
  });

  it('can get several cookies at once', async () => {
    const answer = await get('/several');
    expect(answer.status).toBe(303);
    expect(answer.headers['set-cookie']).toEqual(['a=1; Path=/', 'b=2; Path=/']);
    expect(answer.headers.location).toBe('/choose');
  });

  it('may upload files unchanged, up to a limit', async () => {
    const headers = { ...COOKIE, 'sec-fetch-site': 'same-origin', 'content-type': 'image/png' };
    const sendFile = (bytes: Buffer, more = {}) =>
      send(`${server.url}/file`, { method: 'POST', headers: { ...headers, ...more }, body: bytes });
    const all = Buffer.from(Array.from({ length: FILE_MAX }, (_, n) => n % 256));
    expect((await sendFile(all)).json).toMatchObject({ bytes: [229, 230, 231] });
    const over = await sendFile(Buffer.alloc(FILE_MAX + 1));
    expect([over.status, over.json?.error]).toEqual([413, 'body_too_large']);
    expect((await sendFile(all, { 'content-encoding': 'gzip' })).status).toBe(415);
    const stranger = await sendFile(all, { cookie: '' });
    expect(stranger.status).toBe(401);
  });

  it('can get a streamed answer', async () => {
    const answer = await get('/streamed', COOKIE);
    expect(answer).toMatchObject({ status: 200, text: 'id\n1\n' });
  });

  it('get 503 with Retry-After while the database cannot read the session', async () => {
    const call = await get('/session-read', BUSY);
    expect([call.status, call.json?.error]).toEqual([503, 'unavailable']);
    expect(call.headers['retry-after']).toBe('2');
    expect(call.text).not.toContain('connection 7');
    expect(await get('/shown', BUSY)).toMatchObject({ status: 503, text: 'unavailable' });
    expect(await get('/session-read', FAULTY)).toMatchObject({ status: 500 });
  });

  it('answers 503 when the database fails in the endpoint itself', async () => {
    const call = await get('/busy');
    expect([call.status, call.json?.error]).toEqual([503, 'unavailable']);
    expect(call.headers['retry-after']).toBe('2');
    expect(call.text).not.toContain('connection 7');
  });

  it('get refusals and internal errors in the form that the endpoint chooses', async () => {
    const refused = await get('/shown', { host: 'leads.example.com' });
    expect(refused).toMatchObject({ status: 403, text: 'forbidden' });
    expect(refused.headers['content-type']).toMatch(/^text\/html/);
    const fault = await get('/shown');
    expect(fault).toMatchObject({ status: 500, text: 'internal' });
  });
});
