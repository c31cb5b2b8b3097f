/** Funnels that have a host of their own are served there alone, the pages of people elsewhere alone. */
import { Agent } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { endpoints, pageCalls, pages } from '../../../src/api/endpoints/index.js';
import { hasBrowserDoor } from '../../../src/api/http/browserDoor.js';
import type { Endpoint } from '../../../src/api/http/endpoint.js';
import type { HttpServer } from '../../../src/api/http/server.js';
import { webEndpoints } from '../../../src/web/server/index.js';
import { send, startServer } from '../../support/http.js';

const FUNNELS = 'https://go.example.com';
const BASE = 'https://leads.example.com';
const ALL: readonly Endpoint[] = [...endpoints, ...pageCalls, ...webEndpoints, ...pages];
/** Of two at one path the first answers; a file of the documentation that is not there is answered like any path. */
const table = ALL.filter(
  ({ method, path }, at) =>
    path !== '/docs/:file' &&
    ALL.findIndex((one) => one.method === method && one.path === path) === at,
).map((one) => [one.method.toUpperCase(), one.path, one] as const);

const pathOf = (pattern: string): string =>
  pattern.replaceAll(/\{\/\*\w+\}/g, '').replaceAll(/:\w+/g, 'x');

const start = (baseUrl: string | undefined, ownFunnelsUrl: string | null) =>
  startServer({ baseUrl, ownFunnelsUrl }, {}, { pages: webEndpoints });

describe('a host of their own for funnels', () => {
  let server: HttpServer;
  let withoutBase: HttpServer;
  let shared: HttpServer;
  const agent = new Agent({ keepAlive: true });
  beforeAll(async () => {
    server = await start(BASE, FUNNELS);
    withoutBase = await start(undefined, FUNNELS);
    shared = await start(BASE, null);
  });
  afterAll(async () => {
    agent.destroy();
    for (const one of [server, withoutBase, shared]) await one.close(0);
  });

  /** What an endpoint is for this host: elsewhere, nowhere, or answered here. */
  async function at(where: HttpServer, host: string, { method, path }: Endpoint) {
    const { status, headers, text } = await send(where.url, {
      agent,
      method: method.toUpperCase(),
      path: `${pathOf(path)}?a=1`,
      headers: { host },
    });
    if (status === 308) return `at ${headers.location}`;
    return status === 404 && /Nothing exists at/.test(text) ? 'nowhere' : 'here';
  }

  it.each(table)('%s %s is served where it belongs, and nowhere else', async (_m, path, one) => {
    const isFunnel = path.startsWith('/f/');
    const isPeoples = hasBrowserDoor(one);
    expect(one.site === 'funnels').toBe(isFunnel);
    const moved = one.method === 'get' ? `at ${FUNNELS}${pathOf(path)}?a=1` : 'nowhere';
    for (const host of ['go.example.com', 'GO.example.com:443'])
      expect([host, await at(server, host, one)]).toEqual([host, isPeoples ? 'nowhere' : 'here']);
    for (const host of ['leads.example.com', 'leads.example.com:443', '127.0.0.1:8080', '[::1]'])
      expect([host, await at(server, host, one)]).toEqual([host, isFunnel ? moved : 'here']);
    for (const host of ['other.example.com', 'go.example.com.evil.example', 'go.example.com:8443'])
      expect([host, await at(server, host, one)]).toEqual([
        host,
        isFunnel ? moved : isPeoples ? 'nowhere' : 'here',
      ]);
    expect(await at(withoutBase, 'other.example.com', one)).toBe(isFunnel ? moved : 'here');
    expect(await at(withoutBase, 'go.example.com', one)).toBe(isPeoples ? 'nowhere' : 'here');
    expect(await at(shared, 'any.example.com', one)).toBe('here');
  });

  it('is meant by a path in capitals too', async () => {
    const ask = (path: string, host: string) =>
      send(server.url, { path, headers: { host } }).then(({ status }) => status);
    expect(await ask('/F/roofs', 'leads.example.com')).toBe(308);
    expect(await ask('/SIGN-IN', 'go.example.com')).toBe(404);
  });
});
