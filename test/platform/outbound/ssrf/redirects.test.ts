import { afterEach, describe, it, expect } from '@jest/globals';
import { useDoor } from '../doorFixture.js';
import { answer } from '../../../support/peers.js';
import { useScene } from './scene.js';

const { at, listener, send } = useScene();
const { answering } = useDoor();
const TARGET = 'http://127.0.0.1:PORT/inside';
const FOLLOWED = [
  [301, 'Moved Permanently'],
  [302, 'Found'],
  [303, 'See Other'],
  [307, 'Temporary Redirect'],
  [308, 'Permanent Redirect'],
] as const;
afterEach(() => listener().visits());

type Case = [title: string, status: number, text: string];

const redirects = FOLLOWED.flatMap(([code, reason]): Case[] => [
  [
    `${code} with an absolute Location`,
    code,
    answer(`${code} ${reason}`, '', { Location: TARGET }),
  ],
  [
    `${code} with a Location without a scheme`,
    code,
    answer(`${code} ${reason}`, '', { Location: '//127.0.0.1:PORT/inside' }),
  ],
]);

const moved = (headers: Record<string, string>, body = ''): string =>
  answer('302 Found', body, headers);
const page = (body: string): string => answer('200 OK', body, { 'Content-Type': 'text/html' });
const fine = (headers: Record<string, string>): string => answer('200 OK', 'fine', headers);

const OTHERS: Case[] = [
  ['a redirect to a name of this machine', 302, moved({ Location: 'http://localhost:PORT/' })],
  ['a redirect to mapped IPv6', 302, moved({ Location: 'http://[::ffff:127.0.0.1]:PORT/' })],
  ['a redirect to https', 302, moved({ Location: 'https://127.0.0.1:PORT/' })],
  ['a redirect with credentials', 302, moved({ Location: 'http://a:b@127.0.0.1:PORT/' })],
  ['a redirect by backslashes', 302, moved({ Location: '\\\\127.0.0.1:PORT\\' })],
  ['a redirect with two Locations', 302, moved({ Location: `/a\r\nLocation: ${TARGET}` })],
  ['a redirect with URI', 302, moved({ URI: TARGET })],
  ['300 Multiple Choices', 300, answer('300 Multiple Choices', TARGET, { Location: TARGET })],
  ['304 Not Modified', 304, `HTTP/1.1 304 Not Modified\r\nLocation: ${TARGET}\r\n\r\n`],
  ['305 Use Proxy', 305, answer('305 Use Proxy', '', { Location: TARGET })],
  ['306 Switch Proxy', 306, answer('306 Switch Proxy', '', { 'Set-Proxy': TARGET })],
  ['399, a redirect nobody knows', 399, answer('399 Elsewhere', '', { Location: TARGET })],
  ['200 with Location', 200, fine({ Location: TARGET })],
  ['201 with Location', 201, answer('201 Created', '', { Location: TARGET })],
  ['202 with Location', 202, answer('202 Accepted', '', { Location: TARGET, 'Retry-After': '0' })],
  [
    '401 with a challenge',
    401,
    answer('401 No', '', { 'WWW-Authenticate': `B realm="${TARGET}"` }),
  ],
  ['407 with a challenge', 407, answer('407 No', '', { 'Proxy-Authenticate': `B r="${TARGET}"` })],
  ['421 Misdirected Request', 421, answer('421 Misdirected Request', '', { Location: TARGET })],
  ['426 Upgrade Required', 426, answer('426 Upgrade', '', { Upgrade: 'h2c', Location: TARGET })],
  ['503 with Location', 503, answer('503 Busy', '', { Location: TARGET, 'Retry-After': '0' })],
  ['a Refresh header', 200, fine({ Refresh: `0;url=${TARGET}` })],
  ['a Content-Location', 200, fine({ 'Content-Location': TARGET })],
  ['an Alt-Svc', 200, fine({ 'Alt-Svc': 'h2="127.0.0.1:PORT", http/1.1=":PORT"; ma=9' })],
  ['a Link to preload', 200, fine({ Link: `<${TARGET}>; rel=preload, <${TARGET}>; rel=next` })],
  ['reporting headers', 200, fine({ 'Report-To': TARGET, 'Reporting-Endpoints': `a="${TARGET}"` })],
  ['a policy that reports', 200, fine({ 'Content-Security-Policy': `report-uri ${TARGET}` })],
  ['a source map', 200, fine({ SourceMap: TARGET })],
  ['a cookie for another host', 200, fine({ 'Set-Cookie': 'a=b; Domain=127.0.0.1' })],
  ['a page that refreshes', 200, page(`<meta http-equiv="refresh" content="0;url=${TARGET}">`)],
  ['a page with a frame', 200, page(`<iframe src="${TARGET}"></iframe><img src="${TARGET}">`)],
  ['a page with a base and a form', 200, page(`<base href="${TARGET}"><form action="${TARGET}">`)],
  ['XML with an entity', 200, answer('200 OK', `<!DOCTYPE a [<!ENTITY b SYSTEM "${TARGET}">]>`)],
  ['JSON with a reference', 200, answer('200 OK', `{"$ref":"${TARGET}"}`)],
  [
    '103 Early Hints',
    200,
    `HTTP/1.1 103 Early Hints\r\nLink: <${TARGET}>; rel=preload\r\n\r\n${fine({})}`,
  ],
  [
    '102 and 103 with Location',
    200,
    `HTTP/1.1 102 P\r\nLocation: ${TARGET}\r\n\r\nHTTP/1.1 103 H\r\nLocation: ${TARGET}\r\n\r\n${fine({})}`,
  ],
];

describe('the listener sees nothing after an answer that points to it', () => {
  it.each([...redirects, ...OTHERS])('%s', async (_title, status, text) => {
    const peer = await answering(at(text));
    const { reply, visits } = await send(peer.url, { allowPrivate: true });
    expect(visits).toEqual([]);
    expect(reply).toMatchObject({ kind: 'answered', status });
    expect(peer.connections).toBe(1);
    expect(peer.received.match(/ HTTP\/1\.1\r\n/g)).toHaveLength(1);
  });

  it.each([
    ['101 Switching Protocols', `HTTP/1.1 101 S\r\nUpgrade: h2c\r\nConnection: upgrade\r\n`],
    ['an unasked-for 100 Continue', `HTTP/1.1 100 Continue\r\n`],
  ])('%s, which is no answer', async (_title, head) => {
    const peer = await answering(at(`${head}Location: ${TARGET}\r\n\r\n`));
    const { reply, visits } = await send(peer.url, { allowPrivate: true });
    expect(visits).toEqual([]);
    expect(reply).toMatchObject({ kind: 'no_answer' });
  });

  it.each(FOLLOWED)(
    '%d with a Location on the same host, which is not asked',
    async (code, text) => {
      const peer = await answering(answer(`${code} ${text}`, '', { Location: '/inside' }));
      const { reply } = await send(peer.url, { allowPrivate: true });
      expect(reply).toMatchObject({ kind: 'answered', status: code });
      expect(peer.received).not.toContain('/inside');
    },
  );
});

describe('the same redirect, to a client that follows it, leads to the listener', () => {
  it.each(redirects)('%s', async (_title, _status, text) => {
    const peer = await answering(at(text));
    const response = await fetch(peer.url, { method: 'POST', body: 'x' });
    expect(await response.text()).toBe('inside');
    expect(await listener().visits()).toHaveLength(1);
  });
});
