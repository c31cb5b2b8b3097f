/** The API description and the reference page, as served. */
import { gunzipSync } from 'node:zlib';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HttpServer } from '../../../src/api/http/server.js';
import { expectDescribed } from '../../support/contract.js';
import { send, startServer } from '../../support/http.js';

let server: HttpServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close(0));

const get = (path: string, headers: Record<string, string> = {}) =>
  send(`${server.url}${path}`, { headers });

/** The bytes as received. */
const raw = (path: string, headers: Record<string, string>): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    request(`${server.url}${path}`, { headers, agent: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => resolve(Buffer.concat(chunks)));
    })
      .on('error', reject)
      .end();
  });

describe('GET /api/v1/openapi.json', () => {
  it('needs no key, and may be cached', async () => {
    const reply = await get('/api/v1/openapi.json');
    expect(reply.status).toBe(200);
    expect(reply.json).toMatchObject({ openapi: '3.1.0', info: { title: 'Leadwire API' } });
    expect(reply.headers).toMatchObject({
      'cache-control': 'public, max-age=300',
      'content-type': 'application/json; charset=utf-8',
      vary: 'accept-encoding',
    });
    expectDescribed('get', `${server.url}/api/v1/openapi.json`, reply);
  });

  it('is 304 for a current copy, compressed or not', async () => {
    const { etag = '' } = (await get('/api/v1/openapi.json')).headers;
    for (const known of [etag, etag.replace('W/', ''), `"x", ${etag}`, '*']) {
      const reply = await get('/api/v1/openapi.json', { 'if-none-match': known });
      expect([reply.status, reply.text, reply.headers.etag]).toEqual([304, '', etag]);
    }
    const other = await get('/api/v1/openapi.json', { 'if-none-match': '"other"' });
    expect(other.status).toBe(200);
  });

  it('is compressed for clients that support it', async () => {
    const plain = await raw('/api/v1/openapi.json', {});
    for (const accepted of [
      'br, gzip;q=0.8',
      'gzip',
      'X-Gzip',
      'identity, GZIP;q=0.001',
      '*;q=0,gzip',
    ]) {
      const packed = await raw('/api/v1/openapi.json', { 'accept-encoding': accepted });
      expect(gunzipSync(packed).equals(plain)).toBe(true);
    }
    for (const refused of ['gzip;q=0', 'gzip; q=0.000, *', 'br', '*', '', 'identity;q=0']) {
      const sent = await raw('/api/v1/openapi.json', { 'accept-encoding': refused });
      expect(sent.equals(plain)).toBe(true);
    }
  });
});

describe('the reference page', () => {
  it('loads nothing from elsewhere and runs no script of the page itself', async () => {
    const { status, text, headers } = await get('/docs');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).not.toMatch(/(src|href)="(https?:)?\/\//);
    expect(text).not.toMatch(/<script>|<style|\son\w+=/);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).not.toContain('unsafe-eval');
    expect(policy).not.toContain('http');
  });

  it('keeps a key in memory only', async () => {
    const { text } = await get('/docs/page.js');
    expect(text).toContain('persistAuthorization: false');
    expect(text).not.toMatch(/localStorage|sessionStorage|indexedDB|cookie/);
  });

  it('has every file it refers to', async () => {
    const { text } = await get('/docs');
    const parts = [...text.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, path]) => path!);
    expect(parts).toHaveLength(4);
    for (const path of parts) {
      const { status, headers } = await get(path);
      const type = path.endsWith('.js') ? 'text/javascript' : 'text/css';
      expect([path, status, headers['content-type']]).toEqual([
        path,
        200,
        `${type}; charset=utf-8`,
      ]);
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
    }
  });

  it.each(['/docs/package.json', '/docs/..%2fpackage.json', '/docs/toString', '/docs/a/b'])(
    'returns 404 at %s',
    async (path) => {
      const { status, json } = await get(path);
      expect([status, json?.error]).toEqual([404, 'not_found']);
    },
  );

  it('is where the root address redirects to', async () => {
    const { status, headers, json } = await get('/');
    expect([status, headers.location, json?.see]).toEqual([302, '/docs', '/docs']);
  });
});
