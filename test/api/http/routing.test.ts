import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { endpoints } from '../../../src/api/endpoints/index.js';
import type { HttpServer } from '../../../src/api/http/server.js';
import { ErrorBody } from '../../../src/api/schemas/error.js';
import { Liveness, Readiness, type HealthReport } from '../../../src/api/schemas/health.js';
import { openSocket, readToEnd, send, startServer } from '../../support/http.js';
import { readVersion } from '../../../src/lib/version.js';

describe('routing', () => {
  let report: HealthReport = { ok: true, dependencies: {} };
  let server: HttpServer;
  beforeAll(async () => {
    server = await startServer({ health: { check: () => Promise.resolve(report) } });
  });
  afterAll(() => server.close(0));

  it.each(['/nothing', '/api/v1', '/api/v2/ingest', '/%ff', '/api/v1/ingest/x'])(
    'answers 404 for the unknown path %s',
    async (path) => {
      const reply = await send(server.url, { path });
      expect(reply.status).toBe(404);
      expect(ErrorBody.parse(reply.json)).toMatchObject({
        error: 'not_found',
        message: `Nothing exists at ${path}.`,
      });
    },
  );

  it.each([
    ['GET', '/api/v1/ingest', 'POST'],
    ['PUT', '/api/v1/ingest', 'POST'],
    ['OPTIONS', '/api/v1/ingest', 'POST'],
    ['POST', '/healthz', 'HEAD, GET'],
    ['PROPFIND', '/metrics', 'HEAD, GET'],
  ])('answers 405 for %s %s and allows %s', async (method, path, allow) => {
    const reply = await send(server.url, { method, path });
    expect(reply.status).toBe(405);
    expect(reply.headers.allow).toBe(allow);
    expect(ErrorBody.parse(reply.json)).toMatchObject({
      error: 'method_not_allowed',
      message: `${method} is not allowed here; use ${allow}.`,
    });
  });

  it.each(endpoints.map(({ method, path }) => [method.toUpperCase(), path]))(
    'answers %s %s alike on every host name of the installation',
    async (method, pattern) => {
      const path = pattern.replaceAll(/:\w+/g, 'list_campaigns');
      const answers = await Promise.all(
        ['leads.example', 'in.example:8443', '127.0.0.1'].map(async (host) => {
          const { status, json } = await send(server.url, { method, path, headers: { host } });
          return { status, error: json?.error, message: json?.message };
        }),
      );
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      expect(answers[0]?.status).not.toBe(405);
      expect(String(answers[0]?.message)).not.toContain('Nothing exists at');
    },
  );

  it('tells browsers not to guess the type of any answer', async () => {
    const socket = await openSocket(server, 'nonsense\r\n\r\n');
    expect(await readToEnd(socket)).toContain('x-content-type-options: nosniff');
    for (const path of ['/healthz', '/nothing', '/metrics', '/docs']) {
      const { headers } = await send(server.url, { path });
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers).not.toHaveProperty('strict-transport-security');
    }
  });

  it('tells browsers on HTTPS to keep using it', async () => {
    const behindProxy = await startServer({ trustProxy: true });
    const headers = { 'x-forwarded-proto': 'https' };
    const reply = await send(behindProxy.url, { path: '/nothing', headers });
    expect(reply.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
    await behindProxy.close(0);
  });

  it('sends data with a policy against scripts, loads and frames, and with no-store', async () => {
    const policy =
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";
    for (const [method, path] of [
      ['GET', '/healthz'],
      ['GET', '/nothing'],
      ['GET', '/metrics'],
      ['POST', '/api/v1/ingest'],
      ['GET', '/api/v1/leads/lookup'],
      ['GET', '/api/v1/whoami'],
      ['PUT', '/mcp'],
    ] as const) {
      const { headers } = await send(server.url, { method, path });
      expect([path, headers]).toEqual([
        path,
        expect.objectContaining({
          'content-security-policy': policy,
          'referrer-policy': 'no-referrer',
          'cache-control': 'no-store',
        }),
      ]);
    }
    const text = await readToEnd(await openSocket(server, 'nonsense\r\n\r\n'));
    for (const line of [`content-security-policy: ${policy}`, 'cache-control: no-store'])
      expect(text).toContain(`\r\n${line}\r\n`);
  });

  it('forbids frames and referrers on every page', async () => {
    for (const path of ['/docs', '/docs/page.js', '/mail/confirm?token=x', '/']) {
      const { headers } = await send(server.url + path);
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'.*base-uri 'none'.*frame-ancestors 'none'/,
      );
      expect(headers['referrer-policy']).toBe('no-referrer');
    }
  });

  it('names the type of every body with its charset', async () => {
    for (const path of ['/healthz', '/nothing', '/metrics', '/docs', '/mail/confirm', '/']) {
      const { headers } = await send(server.url, { path });
      expect([path, headers['content-type']]).toEqual([
        path,
        expect.stringMatching(/^(application\/json|text\/(html|plain)).*; charset=utf-8/),
      ]);
    }
  });

  it('sends no header of CORS to any origin', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    for (const method of ['GET', 'POST', 'OPTIONS'])
      for (const path of ['/healthz', '/api/v1/ingest', '/api/v1/whoami', '/mcp', '/docs']) {
        const reply = await send(server.url, { method, path, headers });
        const named = Object.keys(reply.headers).filter((name) => name.startsWith('access-'));
        expect([method, path, named]).toEqual([method, path, []]);
      }
  });

  it('sets no cookie', async () => {
    for (const path of ['/', '/docs', '/mail/confirm', '/healthz', '/nothing']) {
      const { headers } = await send(server.url, { path, headers: { cookie: 'a=b' } });
      expect(headers).not.toHaveProperty('set-cookie');
    }
  });

  it('does not echo a TRACE request', async () => {
    for (const path of ['/', '/api/v1/ingest', '/nothing']) {
      const head = `TRACE ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: lw_live_secret`;
      const socket = await openSocket(server, `${head}\r\nconnection: close\r\n\r\n`);
      const text = await readToEnd(socket);
      expect(text).toMatch(/^HTTP\/1\.1 40[45] /);
      expect(text).not.toContain('lw_live_secret');
    }
  });

  it.each([
    ['GET http://[ HTTP/1.1\r\nhost: x', 'The target of the request is not a valid URL.'],
    ['GET /healthz HTTP/1.1', 'The Host header is missing; HTTP/1.1 requires it.'],
  ])('answers 400 for %j', async (head, message) => {
    const socket = await openSocket(server, `${head}\r\nconnection: close\r\n\r\n`);
    const text = await readToEnd(socket);
    expect(text).toContain('HTTP/1.1 400 Bad Request');
    expect(text).toContain(`{"error":"malformed_request","message":"${message}"`);
  });

  it.each([
    'GET /healthz HTTP/1.0',
    'GET http://other/healthz?x HTTP/1.1\r\nhost: x',
    'GET /healthz/ HTTP/1.1\r\nhost: [[[',
    'GET /healthz HTTP/1.1\r\nhost: x\r\nexpect: wonders',
  ])('understands %j', async (head) => {
    const socket = await openSocket(server, `${head}\r\nconnection: close\r\n\r\n`);
    expect(await readToEnd(socket)).toContain('HTTP/1.1 200 OK');
  });

  it('says that the process is alive', async () => {
    const reply = await send(`${server.url}/healthz`);
    expect(reply.status).toBe(200);
    expect(Liveness.parse(reply.json)).toEqual({ status: 'ok', version: readVersion() });
  });

  it('answers HEAD as GET, without the body', async () => {
    const [got, head] = [
      await send(`${server.url}/healthz`),
      await send(`${server.url}/healthz`, { method: 'HEAD' }),
    ];
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    expect(head.headers['content-length']).toBe(got.headers['content-length']);
    expect(head.headers['content-type']).toBe(got.headers['content-type']);
  });

  it('lists its dependencies when ready', async () => {
    report = { ok: true, dependencies: { mongodb: { state: 'ok', latency_ms: 2 } } };
    const reply = await send(`${server.url}/readyz`);
    expect(reply.status).toBe(200);
    expect(Readiness.parse(reply.json)).toEqual({
      status: 'ready',
      dependencies: report.dependencies,
    });
  });

  it('answers 503 with Retry-After when a dependency is down', async () => {
    report = { ok: false, dependencies: { temporal: { state: 'error', message: 'refused' } } };
    const reply = await send(`${server.url}/readyz`);
    expect(reply.status).toBe(503);
    expect(reply.headers['retry-after']).toBe('2');
    expect(Readiness.parse(reply.json)).toEqual({
      status: 'not_ready',
      dependencies: report.dependencies,
    });
  });

  it('counts requests by endpoint and status, unknown paths together', async () => {
    await send(`${server.url}/healthz?x=1`);
    await send(`${server.url}/one`);
    const reply = await send(`${server.url}/metrics`);
    expect(reply.headers['content-type']).toContain('text/plain');
    expect(reply.text).toMatch(
      /leadwire_http_requests_total\{endpoint="liveness",status="200"\} \d+/,
    );
    expect(reply.text).toMatch(/leadwire_http_requests_total\{endpoint="none",status="404"\} \d+/);
    expect(reply.text).toContain('leadwire_http_request_seconds_bucket');
    expect(reply.text).not.toContain('/one');
  });

  it.each(['abc-123', 'x'.repeat(100), '!~'])('uses the request id %s', async (id) => {
    const reply = await send(`${server.url}/nothing`, { headers: { 'x-request-id': id } });
    expect(reply.headers['x-request-id']).toBe(id);
    expect(reply.json?.request_id).toBe(id);
  });

  it.each(['', 'two words', 'x'.repeat(101), 'ümlaut'])(
    'generates a request id instead of "%s"',
    async (id) => {
      const socket = await openSocket(
        server,
        Buffer.from(
          `GET /nothing HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-request-id: ${id}\r\n\r\n`,
        ).toString('latin1'),
      );
      const text = await readToEnd(socket);
      const echoed = /x-request-id: (.+)\r\n/i.exec(text)?.[1];
      expect(echoed).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
      expect(text).toContain(`"request_id":"${echoed}"`);
    },
  );
});
