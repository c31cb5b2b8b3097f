import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, it, expect } from '@jest/globals';
import { OUTSIDE } from './attempts.js';
import { startDnsServer, type DnsServer } from './dnsServer.js';
import { hasIpv6 } from './hosts.js';
import { useScene } from './scene.js';

const { send } = useScene();
const PUBLIC_4 = `A ${OUTSIDE.four}`;
const PUBLIC_6 = `AAAA ${OUTSIDE.six}`;
const MANY = Array.from({ length: 24 }, () => PUBLIC_4);

type Case = [title: string, lines: string[]];

const HERE: Case[] = [
  ['an A to loopback', ['A 127.0.0.1']],
  ['an A to the unspecified address', ['A 0.0.0.0']],
  ['an AAAA to loopback', ['AAAA ::1']],
  ['an AAAA to the unspecified address', ['AAAA ::']],
  ['an AAAA to mapped loopback', ['AAAA ::ffff:127.0.0.1']],
  ['an AAAA to mapped 0.0.0.0', ['AAAA ::ffff:0:0']],
  ['both families to loopback', ['A 127.0.0.1', 'AAAA ::1']],
  ['an alias to a private name', ['CNAME inside.test', 'A 127.0.0.1']],
  ['an alias to localhost', ['CNAME localhost', 'A 127.0.0.1', 'AAAA ::1']],
  ['a chain of aliases', ['CNAME a.example', 'CNAME b.example', 'CNAME c.test', 'A 127.0.0.1']],
];

const ELSEWHERE: Case[] = [
  ['an A to 10/8', ['A 10.0.0.1']],
  ['an A to 172.16/12', ['A 172.16.0.1']],
  ['an A to 192.168/16', ['A 192.168.0.1']],
  ['an A to 100.64/10', ['A 100.64.0.1']],
  ['an A to a metadata service', ['A 169.254.169.254']],
  ["an A to Azure's own services", ['A 168.63.129.16']],
  ['an A to broadcast', ['A 255.255.255.255']],
  ['an AAAA to a mapped metadata service', ['AAAA ::ffff:a9fe:a9fe']],
  ['an AAAA to compatible loopback', ['AAAA ::7f00:1']],
  ['an AAAA to NAT64', ['AAAA 64:ff9b::7f00:1']],
  ['an AAAA to 6to4', ['AAAA 2002:7f00:1::1']],
  ['an AAAA to Teredo', ['AAAA 2001:0:7f00:1::1']],
  ['an AAAA to a unique local address', ['AAAA fd00::2']],
  ['an AAAA to a link-local address', ['AAAA fe80::1']],
  ['an AAAA to multicast', ['AAAA ff02::1']],
];

const MIXED: Case[] = [
  ['a public A, then a private one', [PUBLIC_4, 'A 127.0.0.1']],
  ['a private A, then a public one', ['A 127.0.0.1', PUBLIC_4]],
  ['a public AAAA, then a private one', [PUBLIC_6, 'AAAA ::1']],
  ['a private AAAA, then a public one', ['AAAA ::1', PUBLIC_6]],
  ['a public A and a private AAAA', [PUBLIC_4, 'AAAA ::1']],
  ['a private A and a public AAAA', ['A 127.0.0.1', PUBLIC_6]],
  ['a public A and a mapped AAAA', [PUBLIC_4, 'AAAA ::ffff:127.0.0.1']],
  ['an alias to a mixed name', ['CNAME mixed.test', PUBLIC_4, 'A 127.0.0.1']],
  ['many public ones and a private one last', [...MANY, 'A 127.0.0.1']],
  ['many public ones around a private one', [...MANY, 'A 10.0.0.1', ...MANY]],
  ['many public ones of both families, one private', [...MANY, PUBLIC_6, 'AAAA ::1']],
];

const ALL = [...HERE, ...ELSEWHERE, ...MIXED];
const nameOf = (title: string): string => `n${ALL.findIndex(([of]) => of === title)}.test`;

let dns: DnsServer;
beforeAll(async () => {
  const answers = Object.fromEntries(ALL.map(([title, lines]) => [nameOf(title), [lines]]));
  dns = await startDnsServer({ ...answers, 'empty.test': [[]] });
});
afterAll(() => dns.close());

describe('with private addresses allowed, the listener sees a request to a name with', () => {
  const reachable = HERE.filter(([, lines]) => hasIpv6 || lines.some((line) => line[1] === ' '));

  it.each(reachable)('%s', async (title) => {
    const options = { allowPrivate: true, resolve: dns.resolve };
    const { reply, visits } = await send(`http://${nameOf(title)}:PORT/`, options);
    expect(reply).toMatchObject({ kind: 'answered', body: 'inside' });
    expect(visits).not.toEqual([]);
  });
});

it('with private addresses allowed, the listener sees a request to localhost', async () => {
  const { visits } = await send('http://localhost:PORT/', { allowPrivate: true });
  expect(visits).not.toEqual([]);
});

describe('the listener sees nothing of a request to a name with', () => {
  it.each(ALL)('%s', async (title) => {
    const { resolve } = dns;
    const { reply, visits, attempts } = await send(`http://${nameOf(title)}:PORT/`, { resolve });
    expect(visits).toEqual([]);
    expect(attempts).toEqual([]);
    expect(reply).toEqual({
      kind: 'not_sent',
      reason: expect.stringMatching(
        /^n\d+\.test \(.+\) is not a public address \(NOT_PUBLIC\)$/,
      ) as unknown,
    });
  });

  it.each(MIXED)('%s, in the other order', async (title) => {
    const resolve = async (host: string) => (await dns.resolve(host)).reverse();
    const { reply, visits, attempts } = await send(`http://${nameOf(title)}:PORT/`, { resolve });
    expect(visits).toEqual([]);
    expect(attempts).toEqual([]);
    expect(reply).toMatchObject({ reason: expect.stringContaining('not a public') as unknown });
  });

  it.each([
    ['no address', 'empty.test'],
    ['no entry', 'unknown.test'],
  ])('%s', async (_title, name) => {
    const { resolve } = dns;
    const { reply, visits } = await send(`http://${name}:PORT/`, { resolve });
    expect(visits).toEqual([]);
    expect(reply).toEqual({ kind: 'not_sent', reason: `${name} has no address to connect to` });
  });

  it.each(['::1%lo', 'fe80::1%br-lan', '3000::1%lo', '3000::1%eth0.1', '127.1', 'none', ''])(
    'an address that reads "%s"',
    async (address) => {
      const resolve = () => Promise.resolve([{ address, family: 6 }]);
      const { reply, visits, attempts } = await send('http://odd.test:PORT/', { resolve });
      expect(visits).toEqual([]);
      expect(attempts).toEqual([]);
      expect(reply).toEqual({
        kind: 'not_sent',
        reason: `odd.test (${address}) is not a public address (NOT_PUBLIC)`,
      });
    },
  );
});

describe('the listener sees nothing of a request to this machine by a name of the system', () => {
  /** Names that the hosts file gives this machine, usually including its own. */
  const ofHostsFile = readFileSync('/etc/hosts', 'utf8')
    .split('\n')
    .filter((line) => /^\s*(127\.|::1\s)/.test(line))
    .flatMap((line) => line.replace(/#.*/, '').trim().split(/\s+/).slice(1));
  const spelled = [
    'LOCALHOST',
    'ｌｏｃａｌｈｏｓｔ',
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'loc%61lhost',
    'lo\u00adcalhost',
  ];

  it.each([...new Set(['localhost', ...ofHostsFile, ...spelled])])('%s', async (name) => {
    const { reply, visits, attempts } = await send(`http://${name}:PORT/`);
    expect(visits).toEqual([]);
    expect(attempts).toEqual([]);
    expect(reply).toMatchObject({ reason: expect.stringContaining('not a public') as unknown });
  });

  // Whether these exist depends on the system; where they do, they are this machine.
  it.each(['localhost.', 'localhost..', '.localhost', 'sub.localhost', 'localhost.localdomain'])(
    '%s',
    async (name) => {
      const { reply, visits, attempts } = await send(`http://${name}:PORT/`);
      expect(visits).toEqual([]);
      expect(attempts).toEqual([]);
      expect(reply.kind).toBe('not_sent');
    },
  );
});
