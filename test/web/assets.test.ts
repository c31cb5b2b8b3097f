import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HttpServer } from '../../src/api/http/server.js';
import type { People } from '../../src/people/people.js';
import type { SignedIn } from '../../src/people/types.js';
import { webEndpoints } from '../../src/web/server/index.js';
import { send, startServer } from '../support/http.js';

/** Every request with the cookie is signed in. */
const people = {
  enter: (token) =>
    Promise.resolve(
      token === undefined
        ? null
        : { signedIn: { person: { id: 'per_1' } } as SignedIn, membership: null },
    ),
} as Partial<People> as People;
const cookie = '__Host-lw=token';

let server: HttpServer;
beforeAll(async () => {
  server = await startServer({ people }, {}, { pages: webEndpoints });
});
afterAll(() => server.close(0));

const get = (path: string, headers: Record<string, string> = {}) =>
  send(`${server.url}${path}`, { headers });

describe('the document of a membership', () => {
  it('names only hashed files of this host, and is not cached', async () => {
    const { status, headers, text } = await get('/portal/mem_1/sales?status=sold', { cookie });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path);
    expect(files.filter((path) => path?.startsWith('/assets/')).length).toBeGreaterThan(1);
    for (const path of files)
      expect(path).toMatch(
        /^(?:\/assets\/[\w-]+\.(?:js|css)|\/style\/leadwire-\w+\.svg|\/account)$/,
      );
  });

  it('may load and run only its own files, and may not be framed', async () => {
    const { headers } = await get('/org/mem_1', { cookie });
    expect(String(headers['content-security-policy']).split('; ').toSorted()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "font-src 'self'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "img-src 'self' data:",
      "require-trusted-types-for 'script'",
      "script-src 'self'",
      "style-src 'self'",
    ]);
  });

  it('redirects to the sign-in without a session, and back to the same address', async () => {
    const { status, headers } = await get('/portal/mem_1/sales/a%2Fb?status=sold');
    expect(status).toBe(303);
    const { pathname, searchParams } = new URL(headers.location ?? '', server.url);
    expect(pathname).toBe('/sign-in');
    expect(searchParams.get('next')).toBe('/portal/mem_1/sales/a/b?status=sold');
  });

  it.each(['/portal/other', '/portal/api/mem_1/unknown', '/portal/api/errors', '/org/..%2f'])(
    'is not served at another address: %s',
    async (path) => {
      expect((await get(path, { cookie })).status).toBe(404);
    },
  );
});

describe('the files of the pages', () => {
  const script = async (): Promise<string> => {
    const { text } = await get('/portal/mem_1', { cookie });
    return /src="(\/assets\/[^"]+)"/.exec(text)?.[1] ?? '';
  };

  it('are cached forever, because their names change with them', async () => {
    const { status, headers } = await get(await script());
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(headers['x-content-type-options']).toBe('nosniff');
    // A worker follows the policy of its own file, and a sandbox has no cryptography.
    expect(headers['content-security-policy']).toMatch(/^default-src 'none';(?!.*sandbox)/);
  });

  it('are compressed on request, with the same content in every encoding', async () => {
    const path = await script();
    const raw = async (coding: string): Promise<Buffer> => {
      const answer = await fetch(`${server.url}${path}`, {
        headers: { 'accept-encoding': coding },
      });
      return Buffer.from(await answer.arrayBuffer());
    };
    const [plain, gzip, brotli] = await Promise.all([raw('identity'), raw('gzip'), raw('br')]);
    // fetch decompresses the body.
    expect(gzip.equals(plain)).toBe(true);
    expect(brotli.equals(plain)).toBe(true);
    const coded = (coding: string) => get(path, { 'accept-encoding': coding });
    expect((await coded('identity')).headers['content-encoding']).toBeUndefined();
    expect((await coded('gzip')).headers['content-encoding']).toBe('gzip');
    expect((await coded('gzip, br')).headers['content-encoding']).toBe('br');
  });

  it('are not sent again to browsers that have them', async () => {
    const path = await script();
    const { headers } = await get(path);
    const again = await get(path, { 'if-none-match': headers.etag ?? '' });
    expect(again.status).toBe(304);
    expect(again.text).toBe('');
  });

  it.each(['/assets/none.js', '/assets/..%2fmanifest.json', '/assets/%2e%2e%2fmanifest.json'])(
    'are only the built ones: %s is not found',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );
});

describe('errors in scripts', () => {
  const tell = (body: object, site = 'same-origin') =>
    send(`${server.url}/portal/api/errors`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': site },
      body: JSON.stringify(body),
    });
  const told = { name: 'TypeError', screen: '/portal/:id/sales', at: ['main-Ab1.js:1:200'] };

  it('are accepted only from pages of this site, with only their location', async () => {
    expect((await tell(told)).status).toBe(204);
    expect((await tell(told, 'cross-site')).status).toBe(403);
    expect((await tell({ ...told, screen: '/portal/jane@example.com' })).status).toBe(422);
    expect((await tell({ ...told, at: ['Jane Doe is undefined'] })).status).toBe(422);
    expect((await tell({ ...told, at: Array(11).fill('a.js:1:1') })).status).toBe(422);
    expect((await tell({ ...told, filler: 'x'.repeat(5_000) })).status).toBe(413);
  });

  it('are accepted a few times a minute', async () => {
    const statuses = [];
    for (let nth = 0; nth < 70; nth++) statuses.push((await tell(told)).status);
    expect(statuses.at(-1)).toBe(429);
    expect(new Set(statuses)).toEqual(new Set([204, 429]));
  });
});

describe('the script that shows funnels on other sites', () => {
  it('has a permanent address, and may be loaded by any site', async () => {
    const { status, headers, text } = await get('/f/embed.js');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(headers['cache-control']).toBe('public, max-age=900');
    expect(headers['cross-origin-resource-policy']).toBe('cross-origin');
    expect(text).toContain('leadwire:');
  });
});
