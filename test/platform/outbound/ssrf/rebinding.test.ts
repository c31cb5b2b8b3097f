import { afterEach, describe, it, expect } from '@jest/globals';
import { Agent, request } from 'undici';
import { createGuardedLookup } from '../../../../src/platform/outbound/guardedConnector.js';
import { createOutboundHttp } from '../../../../src/platform/outbound/http.js';
import { post } from '../doorFixture.js';
import { OUTSIDE, watchAttempts } from './attempts.js';
import { startDnsServer, type DnsServer, type Zone } from './dnsServer.js';
import { useScene } from './scene.js';

const { at, listener, send } = useScene();
const PUBLIC = [`A ${OUTSIDE.four}`, `AAAA ${OUTSIDE.six}`];
const PRIVATE = ['A 127.0.0.1', 'AAAA ::1'];

let dns: DnsServer | undefined;
afterEach(() => dns?.close());
const serve = async (zone: Zone): Promise<DnsServer> => (dns = await startDnsServer(zone));

const CASES: [title: string, steps: string[][]][] = [
  ['at once', [PUBLIC, PRIVATE]],
  ['to loopback by IPv4', [PUBLIC, ['A 127.0.0.1']]],
  ['to loopback by IPv6', [PUBLIC, ['AAAA ::1']]],
  ['to mapped loopback', [PUBLIC, ['AAAA ::ffff:127.0.0.1']]],
  ['to 0.0.0.0', [PUBLIC, ['A 0.0.0.0']]],
  ['to a mixed answer', [PUBLIC, [...PUBLIC, ...PRIVATE]]],
  [
    'behind an alias',
    [
      ['CNAME a.test', ...PUBLIC],
      ['CNAME a.test', ...PRIVATE],
    ],
  ],
  ['and back', [PUBLIC, PRIVATE, PUBLIC, PRIVATE]],
];

describe('a name that turns private after the check', () => {
  it.each(CASES)('%s: is connected to as checked, and not asked again', async (_title, steps) => {
    const { questions, resolve } = await serve({ 'turns.test': steps });
    const { visits, attempts } = await send('http://turns.test:PORT/', { resolve });
    expect(visits).toEqual([]);
    expect(attempts).not.toEqual([]);
    expect(Object.values(OUTSIDE)).toEqual(expect.arrayContaining(attempts));
    expect([...questions].sort()).toEqual(['A turns.test', 'AAAA turns.test']);
  });

  it.each(CASES)('%s: is refused for the next connection', async (_title, steps) => {
    const { resolve } = await serve({ 'turns.test': steps });
    await send('http://turns.test:PORT/', { resolve });
    const { reply, visits, attempts } = await send('http://turns.test:PORT/', { resolve });
    expect(visits).toEqual([]);
    expect(attempts).toEqual([]);
    expect(reply).toMatchObject({ reason: expect.stringContaining('not a public') as unknown });
  });

  it('defeats a check before a separate connect', async () => {
    const { resolve } = await serve({ 'turns.test': [PUBLIC, PRIVATE] });
    const url = at('http://turns.test:PORT/');
    const checked = await resolve('turns.test');
    expect(checked.map(({ address }) => address).sort()).toEqual(Object.values(OUTSIDE).sort());
    const lookup = createGuardedLookup({ allowPrivate: true, resolve, asker: () => '' });
    const careless = new Agent({ connect: { lookup } });
    const { statusCode, body } = await request(url, { dispatcher: careless });
    await body.dump();
    await careless.close();
    expect(statusCode).toBe(200);
    expect(await listener().visits()).toHaveLength(1);
  });
});

describe('sockets opened at once to a name that turns private', () => {
  it('share one lookup, and connect to the checked address', async () => {
    const { questions, resolve } = await serve({ 'turns.test': [PUBLIC, PRIVATE] });
    const door = createOutboundHttp({ allowPrivate: false, connectTimeoutMs: 1_000, resolve });
    const watched = watchAttempts();
    const url = at('http://turns.test:PORT/');
    await Promise.all(Array.from({ length: 20 }, () => door.send(post(url))));
    await door.close();
    watched.stop();
    expect(await listener().visits()).toEqual([]);
    expect(Object.values(OUTSIDE)).toEqual(expect.arrayContaining(watched.addresses));
    expect(questions).toHaveLength(2);
  });
});
