import { afterAll, beforeAll, describe, it, expect } from '@jest/globals';
import { OUTSIDE } from './attempts.js';
import { startDnsServer, type DnsServer } from './dnsServer.js';
import { useScene } from './scene.js';

const { send } = useScene();
let dns: DnsServer;
beforeAll(async () => {
  const outside = [[`A ${OUTSIDE.four}`, `AAAA ${OUTSIDE.six}`]];
  dns = await startDnsServer({ 'example.com': outside });
});
afterAll(() => dns.close());

const SCHEMES = [
  'ftp://127.0.0.1:PORT/',
  'ftps://127.0.0.1:PORT/',
  'sftp://127.0.0.1:PORT/',
  'ws://127.0.0.1:PORT/',
  'wss://127.0.0.1:PORT/',
  'gopher://127.0.0.1:PORT/_POST%20/',
  'dict://127.0.0.1:PORT/info',
  'ldap://127.0.0.1:PORT/',
  'tftp://127.0.0.1:PORT/a',
  'telnet://127.0.0.1:PORT/',
  'tcp://127.0.0.1:PORT',
  'file:///etc/passwd',
  'file://127.0.0.1/etc/passwd',
  'file:127.0.0.1',
  'data:text/plain,hello',
  'javascript:fetch("http://127.0.0.1:PORT/")',
  'http+unix://%2Fvar%2Frun%2Fdocker.sock/',
  'unix:/var/run/docker.sock',
  'blob:http://127.0.0.1:PORT/x',
  'url:http://127.0.0.1:PORT/',
  'jar:http://127.0.0.1:PORT/!/',
  'view-source:http://127.0.0.1:PORT/',
  'about:blank',
];

/** A user name that looks like a host, or the reverse. */
const CREDENTIALS = [
  'http://example.com@127.0.0.1:PORT/',
  'http://example.com:80@127.0.0.1:PORT/',
  'http://example.com;@127.0.0.1:PORT/',
  'http://1.2.3.4&@127.0.0.1:PORT/',
  'http://user@example.com@127.0.0.1:PORT/',
  'http://example.com\t@127.0.0.1:PORT/',
  'http://:secret@127.0.0.1:PORT/',
  'http://127.0.0.1:PORT@example.com/',
  'http://127.0.0.1:PORT%2f@example.com/',
];

/** By the standard, each of these is this machine. */
const HIDDEN = [
  'http://@127.0.0.1:PORT/',
  'http://:@127.0.0.1:PORT/',
  'http:127.0.0.1:PORT/',
  'http:/127.0.0.1:PORT/',
  'http:////127.0.0.1:PORT/',
  'http:\\\\127.0.0.1:PORT\\',
  'hTTp://127.0.0.1:PORT/',
  '  http://127.0.0.1:PORT/  ',
  '\u0000http://127.0.0.1:PORT/',
  'ht\ntp://127.0.0.1:PORT/',
  'http:/\r\n/127.0.0.1:PORT/',
  'http://127.0\n.0.1:PORT/',
  'http://127.0.0\t.1:PORT/',
  'http://127.0.0.1\r\n:PORT/',
  'http://127.0.0.1:\tPORT/',
  'http://127.0.0.1:0PORT/',
  'http://127.0.0.1:PORT\\@example.com/',
  'http://127.0.0.1:PORT#@example.com/',
  'http://127.0.0.1:PORT?@example.com/',
  'http://127.0.0.1:PORT/@example.com/',
];

const MALFORMED = [
  'http://example.com%40127.0.0.1:PORT/',
  'http://127.0.0.1 :PORT/',
  'http://example.com 127.0.0.1:PORT/',
  'http://example.com,127.0.0.1:PORT/',
  'http://example.com%00.127.0.0.1:PORT/',
  'http://example.com%0d%0aHost:127.0.0.1:PORT/',
  'http://example.com:80:PORT/',
  'http://[::1]example.com:PORT/',
  'http://example.com[::1]:PORT/',
  'http://127.0.0.1:PORT:80/',
  'http://127.0.0.1:65536/',
  'http://127.0.0.1:-1/',
  'http://',
  'http:///',
  '//127.0.0.1:PORT/',
  '/inside',
  '127.0.0.1:PORT',
];

/** By the standard, each of these is the public host. */
const OUTWARD = [
  'http://example.com:PORT\\@127.0.0.1:PORT/',
  'http://example.com:PORT#@127.0.0.1:PORT/',
  'http://example.com:PORT?@127.0.0.1:PORT/',
  'http://example.com:PORT/@127.0.0.1:PORT/',
  'http://example.com:PORT/http://127.0.0.1:PORT/',
  'http://example.com:PORT//127.0.0.1:PORT/',
  'http://example.com:PORT/\\127.0.0.1:PORT/',
  'http://example.com:PORT/..//127.0.0.1:PORT/',
  'http://EXAMPLE.com:PORT/',
  'http://ｅｘａｍｐｌｅ.com:PORT/',
  'http://example。com:PORT/',
];

describe('with private addresses allowed, the listener sees a request', () => {
  it.each(HIDDEN)('to %j', async (url) => {
    const { visits } = await send(url, { allowPrivate: true, resolve: dns.resolve });
    expect(visits).toHaveLength(1);
  });
});

const refused = (rule: string): unknown => ({
  kind: 'not_sent',
  reason: expect.stringContaining(`the URL ${rule}`) as unknown,
});

describe('the listener sees nothing', () => {
  it.each([
    ...SCHEMES.map((url) => [url, 'must begin with https:// or http://']),
    ...CREDENTIALS.map((url) => [url, 'must not carry a user name or password']),
    ...HIDDEN.map((url) => [url, 'must not point to 127.0.0.1']),
    ...MALFORMED.map((url) => [url, 'must be an absolute URL']),
  ] as [string, string][])('of %j, which %s', async (url, rule) => {
    const { reply, visits, attempts } = await send(url, { resolve: dns.resolve });
    expect(visits).toEqual([]);
    expect(attempts).toEqual([]);
    expect(reply).toEqual(refused(rule));
  });

  it.each([...SCHEMES, ...CREDENTIALS])(
    'of %j, even where private addresses are allowed',
    async (url) => {
      const { reply, visits, attempts } = await send(url, { allowPrivate: true });
      expect(visits).toEqual([]);
      expect(attempts).toEqual([]);
      expect(reply).toEqual(refused('must'));
    },
  );

  it.each(OUTWARD)('of %j, which leads to the public host', async (url) => {
    const { visits, attempts } = await send(url, { resolve: dns.resolve });
    expect(visits).toEqual([]);
    expect(attempts).not.toEqual([]);
    expect(Object.values(OUTSIDE)).toEqual(expect.arrayContaining(attempts));
  });
});
