import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readCertificate, type Certificate } from '../../../src/api/http/certificate.js';
import type { HttpServer } from '../../../src/api/http/server.js';
import { makeCertificate } from '../../support/certificates.js';
import {
  accepted,
  defer,
  fakeIntake,
  openSocket,
  readToEnd,
  send,
  startServer,
} from '../../support/http.js';
import { waitFor } from '../../support/waitFor.js';
import { startServiceBed, type ServiceBed } from '../../support/service.js';

const one = makeCertificate({});
const other = makeCertificate({});
let folder = '';
let files = { cert: '', key: '' };
let served: Certificate;
let next: Certificate;

async function stored(made: { cert: string; key: string }): Promise<Certificate> {
  writeFileSync(files.cert, made.cert);
  writeFileSync(files.key, made.key);
  return readCertificate(files);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'leadwire-https-'));
  files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  next = await stored(other);
  served = await stored(one);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Asked {
  ca?: string;
  agent?: Agent;
  method?: string;
  body?: string;
  headers?: Record<string, string>;
}

async function ask(url: string, { ca = one.cert, body, ...options }: Asked = {}) {
  const outgoing = request(url, { agent: false, ca, servername: 'localhost', ...options });
  outgoing.end(body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  incoming.resume();
  await once(incoming, 'end');
  return { status: incoming.statusCode, headers: incoming.headers };
}

async function handshake(server: HttpServer, options: object = {}): Promise<TLSSocket> {
  const socket = connect({
    port: server.port,
    host: '127.0.0.1',
    rejectUnauthorized: false,
    ...options,
  });
  await once(socket, 'secureConnect');
  return socket;
}

const fingerprint = (socket: TLSSocket): string => socket.getPeerCertificate().fingerprint256;

describe('the API over HTTPS', () => {
  it('answers at an https address, and tells browsers to keep using it', async () => {
    const server = await startServer({}, { certificate: served });
    expect(server.url).toBe(`https://127.0.0.1:${server.port}`);
    const reply = await ask(`${server.url}/healthz`);
    expect(reply.status).toBe(200);
    expect(reply.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
    await expect(ask(`${server.url}/healthz`, { ca: other.cert })).rejects.toThrow();
    await server.close(0);
  });

  it('speaks TLS 1.2 and 1.3, and nothing older', async () => {
    const server = await startServer({}, { certificate: served });
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const socket = await handshake(server, { minVersion: version, maxVersion: version });
      expect(socket.getProtocol()).toBe(version);
      socket.destroy();
    }
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
    await expect(handshake(server, old)).rejects.toThrow();
    await server.close(0);
  });

  it('accepts only ciphers with forward secrecy and authenticated encryption, the strongest first', async () => {
    const server = await startServer({}, { certificate: served });
    const old = { maxVersion: 'TLSv1.2' } as const;
    const offered = 'ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384';
    const rsa = offered.replaceAll('ECDSA', 'RSA');
    const socket = await handshake(server, { ...old, ciphers: `${offered}:${rsa}` });
    expect(socket.getCipher().name).toMatch(/^ECDHE-(ECDSA|RSA)-AES256-GCM-SHA384$/);
    socket.destroy();
    for (const weak of [
      'ECDHE-ECDSA-AES256-SHA384:ECDHE-RSA-AES256-SHA384',
      'ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES128-SHA',
      'AES256-GCM-SHA384',
    ])
      await expect(handshake(server, { ...old, ciphers: weak })).rejects.toThrow();
    const modern = await handshake(server, { minVersion: 'TLSv1.3' });
    expect(modern.getCipher().name).toBe('TLS_AES_256_GCM_SHA384');
    modern.destroy();
    await server.close(0);
  });

  it('tells clients on plain HTTP to use HTTPS', async () => {
    const server = await startServer({}, { certificate: served });
    const reply = await send(`http://127.0.0.1:${server.port}/api/v1/ingest`, { method: 'POST' });
    expect(reply.status).toBe(400);
    expect(reply.json).toMatchObject({
      error: 'malformed_request',
      message: 'This port speaks HTTPS: send it to https://, not to http://.',
    });
    const noise = await openSocket(server, 'nothing that anybody understands\r\n\r\n');
    expect(await readToEnd(noise).catch(() => '')).toBe('');
    expect((await ask(`${server.url}/healthz`)).status).toBe(200);
    await server.close(0);
  });

  it('answers requests that are not HTTP as it does without TLS', async () => {
    const server = await startServer({}, { certificate: served });
    const socket = await handshake(server);
    socket.write('nonsense\r\n\r\n');
    const text = await readToEnd(socket);
    expect(text).toMatch(/^HTTP\/1\.1 400 [^]*malformed_request/);
    expect(text).toContain('strict-transport-security: max-age=31536000; includeSubDomains');
    await server.close(0);
  });

  it('closes a connection that never ends the negotiation', async () => {
    const server = await startServer({}, { certificate: served, requestTimeoutMs: 200 });
    const silent = await openSocket(server);
    expect(await readToEnd(silent).catch(() => '')).toBe('');
    await server.close(0);
  });

  it('serves a renewed certificate to new connections, and loses none that is open', async () => {
    const decision = defer<undefined>();
    const intake = fakeIntake(async () => {
      await decision.promise;
      return accepted;
    });
    const server = await startServer({ intake }, { certificate: served });
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: one.cert });
    const post = {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'key' },
      body: JSON.stringify({ flo_campaign_id: 'campaign' }),
    };
    const inFlight = ask(`${server.url}/api/v1/ingest`, { ...post, agent });
    await waitFor(() => intake.requests.length === 1);
    const idle = await handshake(server);
    server.useCertificate(next);
    const renewed = await handshake(server);
    expect(fingerprint(renewed)).not.toBe(fingerprint(idle));
    expect((await ask(`${server.url}/healthz`, { ca: other.cert })).status).toBe(200);
    decision.resolve(undefined);
    expect((await inFlight).status).toBe(201);
    // The earlier connection still works, under its certificate.
    expect((await ask(`${server.url}/healthz`, { agent })).status).toBe(200);
    idle.write('GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    expect(await readToEnd(idle)).toMatch(/^HTTP\/1\.1 200 /);
    agent.destroy();
    renewed.destroy();
    await server.close(0);
  });

  it('ends in order: idle connections at once, requests in flight with their answer', async () => {
    const decision = defer<undefined>();
    const intake = fakeIntake(async () => {
      await decision.promise;
      return accepted;
    });
    const server = await startServer({ intake }, { certificate: served });
    const idle = await handshake(server);
    const negotiating = connectTcp(server.port, '127.0.0.1');
    await once(negotiating, 'connect');
    negotiating.on('error', () => undefined);
    const inFlight = ask(`${server.url}/api/v1/ingest`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': 'key' },
      body: JSON.stringify({ flo_campaign_id: 'campaign' }),
    });
    await waitFor(() => intake.requests.length === 1);
    const gone = Promise.all([once(idle, 'close'), once(negotiating, 'close')]);
    const closed = server.close(5_000);
    await gone;
    decision.resolve(undefined);
    const reply = await inFlight;
    expect(reply.status).toBe(201);
    expect(reply.headers.connection).toBe('close');
    await closed;
  });
});

describe('a process with TLS_CERT and TLS_KEY', () => {
  let bed: ServiceBed;
  beforeAll(async () => {
    bed = await startServiceBed();
  });
  afterAll(() => bed.stop());

  it('serves the API by HTTPS, its health by HTTP, and loads a renewed certificate at SIGHUP', async () => {
    await stored(one);
    const settings = { TLS_CERT: files.cert, TLS_KEY: files.key, HEALTH_PORT: '0' };
    const api = await bed.spawn('api', settings);
    expect(api.url).toMatch(/^https:/);
    expect(api.healthUrl).toMatch(/^http:/);
    expect((await send(`${api.healthUrl}/healthz`)).status).toBe(200);
    const path = `${api.url}/api/v1/openapi.json`;
    expect((await ask(path)).status).toBe(200);
    await stored(other);
    api.kill('SIGHUP');
    const isRenewed = async () => (await ask(path, { ca: other.cert })).status === 200;
    await waitFor(isRenewed, { timeoutMs: 5_000, message: 'the new certificate is served' });
    api.kill('SIGTERM');
    expect(await api.exited).toBe(0);
  });

  it('does not start with files that cannot be served', async () => {
    await stored(one);
    const started = bed.start('api', { TLS_CERT: files.cert, TLS_KEY: files.cert });
    await expect(started).rejects.toThrow('TLS_KEY: must be a PEM file with a private key');
  });
});
