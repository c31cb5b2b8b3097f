import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, it, expect } from '@jest/globals';
import { startHttpPeer, type HttpPeer } from './httpPeer.js';
import { useScene } from './scene.js';

const { at, send } = useScene();
const allowed = { allowPrivate: true };
let peer: HttpPeer;
beforeEach(async () => {
  peer = await startHttpPeer();
});
afterEach(() => peer.close());
const toPeer = (path: string): string => at(`http://127.0.0.1:${peer.port}${path}`);

const SECOND = 'GET /smuggled HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n';

describe('a path that points elsewhere stays a path, and the listener sees nothing', () => {
  it.each([
    ['//127.0.0.1:PORT/', '//127.0.0.1:PORT/'],
    ['///127.0.0.1:PORT/', '///127.0.0.1:PORT/'],
    ['/http://127.0.0.1:PORT/', '/http://127.0.0.1:PORT/'],
    ['/@127.0.0.1:PORT/', '/@127.0.0.1:PORT/'],
    ['/..//127.0.0.1:PORT/', '//127.0.0.1:PORT/'],
    ['/\\127.0.0.1:PORT/', '//127.0.0.1:PORT/'],
    ['/%2f%2f127.0.0.1:PORT/', '/%2f%2f127.0.0.1:PORT/'],
    ['?http://127.0.0.1:PORT/', '/?http://127.0.0.1:PORT/'],
    ['/a?url=//127.0.0.1:PORT/#http://127.0.0.1:PORT/', '/a?url=//127.0.0.1:PORT/'],
    [`/ HTTP/1.1\r\n\r\n${SECOND}`, undefined],
    [`/ HTTP/1.1\n\n${SECOND.replaceAll('\r', '')}`, undefined],
    ['/%20HTTP/1.1%0d%0a%0d%0aGET%20/smuggled%20HTTP/1.1', undefined],
    ['/ĠHTTP/1.1čĊčĊGETĠ/smuggledĠHTTP/1.1čĊčĊ', undefined],
    ['/\u0000\u0085\u2028/smuggled', undefined],
  ])('%j', async (path, target) => {
    const { reply, visits, attempts } = await send(toPeer(path), allowed);
    expect(visits).toEqual([]);
    expect(attempts).toEqual(['127.0.0.1']);
    expect(reply).toMatchObject({ kind: 'answered', body: 'outside' });
    expect(peer.requests).toEqual([expect.stringMatching(/^POST \/\S*$/)]);
    if (target) expect(peer.requests).toEqual([`POST ${at(target)}`]);
  });
});

type Headers = Record<string, string>;

describe('a header that could begin a second request is not sent', () => {
  it.each<[string, Headers]>([
    ['a line break', { 'x-a': `b\r\n\r\n${SECOND}` }],
    ['a bare line feed', { 'x-a': `b\n\n${SECOND.replaceAll('\r', '')}` }],
    ['a bare carriage return', { 'x-a': `b\r\r${SECOND}` }],
    ['a NUL', { 'x-a': 'b\u0000' }],
    ['letters whose low byte is a line break', { 'x-a': `bčĊčĊ${SECOND}` }],
    ['a line break in the name', { [`x-a: b\r\n\r\n${SECOND}x-c`]: 'd' }],
    ['a space in the name', { 'x a': 'b' }],
    ['a colon in the name', { 'transfer-encoding:': 'chunked' }],
    ['a pseudo header', { ':authority': '127.0.0.1:PORT' }],
    ['an empty name', { '': 'b' }],
    ['a line break in the host', { host: `127.0.0.1\r\n\r\n${SECOND}` }],
    ['chunked encoding', { 'transfer-encoding': 'chunked' }],
    ['disguised chunked encoding', { 'Transfer-Encoding': 'xchunked' }],
    ['a shorter length', { 'content-length': '0' }],
    ['a longer length', { 'content-length': '4000' }],
    ['a length that is none', { 'content-length': '+2' }],
    ['two lengths', { 'content-length': '2, 20' }],
    ['two lengths by case', { 'content-length': '2', 'Content-Length': '20' }],
    ['an upgrade', { upgrade: 'h2c' }],
    ['a connection option that is none', { connection: 'close\r\n\r\n' }],
    ['an expectation', { expect: '100-continue' }],
    ['a keep-alive', { 'keep-alive': 'timeout=900' }],
  ])('%s', async (_title, given) => {
    const headers = Object.fromEntries(Object.entries(given).map(([n, v]) => [at(n), at(v)]));
    const { reply, visits } = await send(toPeer('/'), allowed, { headers, body: at(SECOND) });
    expect(visits).toEqual([]);
    expect(peer.requests).toEqual([]);
    expect(reply.kind).toBe('not_sent');
  });
});

describe('a body that reads like a second request is only a body', () => {
  it.each<[string, { method?: 'GET' | 'POST'; headers?: Headers }]>([
    ['of a POST', {}],
    ['of a GET', { method: 'GET' }],
    ['of a GET that says it has none', { method: 'GET', headers: { 'content-length': '0' } }],
    ['of a POST that closes', { headers: { connection: 'close' } }],
    ['of a POST that asks for an upgrade', { headers: { connection: 'upgrade' } }],
  ])('%s', async (_title, request) => {
    const { visits } = await send(toPeer('/'), allowed, { ...request, body: at(SECOND) });
    expect(visits).toEqual([]);
    expect(peer.requests.filter((line) => line.includes('smuggled'))).toEqual([]);
  });

  it('although the peer would read it as one without its framing', async () => {
    const socket = connect(peer.port, '127.0.0.1');
    socket.end(at(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n${SECOND}`));
    await once(socket.resume(), 'close');
    expect(peer.requests).toEqual(['POST /', 'GET /smuggled']);
  });
});

describe('a header that names the listener does not lead there', () => {
  it.each([
    ['host'],
    ['Host'],
    ['x-forwarded-host'],
    ['x-forwarded-for'],
    ['x-real-ip'],
    ['forwarded'],
    ['x-original-url'],
    ['x-rewrite-url'],
    ['proxy'],
    ['proxy-connection'],
    ['proxy-authorization'],
    ['destination'],
    ['alt-used'],
    ['location'],
    ['origin'],
    ['referer'],
    ['via'],
  ])('%s', async (name) => {
    const headers = { [name]: at('127.0.0.1:PORT') };
    const { reply, visits, attempts } = await send(toPeer('/a'), allowed, { headers });
    expect(visits).toEqual([]);
    expect(attempts).toEqual(['127.0.0.1']);
    expect(reply).toMatchObject({ kind: 'answered', body: 'outside' });
    expect(peer.requests).toEqual(['POST /a']);
  });

  it.each([['host'], ['HOST']])('%s, of a private address', async (name) => {
    const headers = { [name]: 'example.com' };
    const { reply, visits, attempts } = await send('http://127.0.0.1:PORT/', {}, { headers });
    expect(visits).toEqual([]);
    expect(attempts).toEqual([]);
    expect(reply.kind).toBe('not_sent');
  });
});
