import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, it, expect } from '@jest/globals';
import { EnvHttpProxyAgent, request } from 'undici';
import { createOutboundHttp, type OutboundHttp } from '../../../../src/platform/outbound/http.js';
import { post } from '../doorFixture.js';
import { startDnsServer, type DnsServer } from './dnsServer.js';
import { startHttpPeer, type HttpPeer } from './httpPeer.js';
import { useScene } from './scene.js';

const { at, listener } = useScene();
let peer: HttpPeer;
beforeEach(async () => {
  peer = await startHttpPeer();
});
afterEach(() => peer.close());

describe('a proxy named by the environment is not followed', () => {
  const script = fileURLToPath(new URL('./doorProcess.js', import.meta.url));

  it.each([
    [['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy']],
    [['HTTP_PROXY', 'http_proxy', 'NODE_USE_ENV_PROXY']],
  ])('%j', async (names) => {
    const proxy = at('http://127.0.0.1:PORT');
    const set = names.map((name) => [name, name === 'NODE_USE_ENV_PROXY' ? '1' : proxy]);
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [script, `http://127.0.0.1:${peer.port}/`],
      { env: { ...Object.fromEntries(set), NO_PROXY: '', no_proxy: '' } as NodeJS.ProcessEnv },
    );
    expect(await listener().visits()).toEqual([]);
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'answered', body: 'outside' });
    expect(peer.requests).toEqual(['POST /']);
  });

  it('although the listener would see it', async () => {
    const httpProxy = at('http://127.0.0.1:PORT');
    const follower = new EnvHttpProxyAgent({ httpProxy, noProxy: '', proxyTunnel: false });
    const url = `http://127.0.0.1:${peer.port}/`;
    const { body } = await request(url, { dispatcher: follower });
    expect(await body.text()).toBe('inside');
    await follower.close();
    expect(await listener().visits()).toHaveLength(1);
    expect(peer.requests).toEqual([]);
  });
});

describe('a connection that is kept', () => {
  let dns: DnsServer;
  let door: OutboundHttp;
  beforeEach(async () => {
    dns = await startDnsServer({
      'one.test': [['A 127.0.0.1'], ['A 127.0.0.2']],
      'two.test': [['A 127.0.0.1']],
    });
    const { resolve } = dns;
    door = createOutboundHttp({ allowPrivate: true, connectionsPerOrigin: 1, resolve });
  });
  afterEach(async () => {
    await door.close();
    await dns.close();
  });
  const ask = async (host: string, path: string): Promise<void> => {
    const reply = await door.send(post(`http://${host}:${peer.port}${path}`));
    expect(reply).toMatchObject({ kind: 'answered', body: 'outside' });
  };

  it('serves the same name again, at the checked address, without a new lookup', async () => {
    await ask('one.test', '/1');
    await ask('ONE.test', '/2');
    expect(peer.requests).toEqual(['POST /1', 'POST /2']);
    expect(peer.connections()).toBe(1);
    expect([...dns.questions].sort()).toEqual(['A one.test', 'AAAA one.test']);
  });

  it.each(['two.test', 'two.test.', '127.0.0.1', '127.1'])(
    'does not serve %s, though the address is the same',
    async (host) => {
      await ask('one.test', '/1');
      await ask(host, '/2');
      expect(peer.requests).toEqual(['POST /1', 'POST /2']);
      expect(peer.connections()).toBe(2);
    },
  );
});
