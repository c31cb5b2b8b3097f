import { createPrivateKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../src/app/config.js';
import {
  watchCertificate,
  readCertificate,
  type Certificate,
} from '../../../src/api/http/certificate.js';
import { createLog } from '../../../src/lib/log.js';
import { makeCertificate } from '../../support/certificates.js';
import { waitFor } from '../../support/waitFor.js';

let folder = '';
const one = makeCertificate({});
const other = makeCertificate({});
const expired = makeCertificate({ until: '210101000000Z' });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'leadwire-tls-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
function filesOf(cert: string, key: string) {
  count += 1;
  const files = { cert: join(folder, `${count}.pem`), key: join(folder, `${count}.key`) };
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key);
  return files;
}

/** A log that records its lines. */
function heard() {
  const lines: { level: number; msg: string }[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]);
  return { lines, log: createLog('info', 'api', { write }) };
}

describe('TLS_CERT and TLS_KEY', () => {
  it('are settings that need each other', () => {
    expect(readConfig({}).tls).toBeNull();
    expect(readConfig({ TLS_CERT: '/c', TLS_KEY: '/k' }).tls).toEqual({ cert: '/c', key: '/k' });
    expect(() => readConfig({ TLS_CERT: '/c' })).toThrow('TLS_KEY: required with TLS_CERT');
    expect(() => readConfig({ TLS_KEY: '/k' })).toThrow('TLS_CERT: required with TLS_KEY');
  });

  it('are read from files, with the certificates above', async () => {
    const chain = makeCertificate({ authorityBits: 2048 });
    const read = await readCertificate(filesOf(chain.cert, chain.key));
    expect(read).toMatchObject(chain);
    expect(read.validTo.getUTCFullYear()).toBe(2049);
  });

  const locked = createPrivateKey(one.key)
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
    .toString();
  const weak = makeCertificate({ bits: 1024 });
  it.each([
    ['no certificate', 'hunter2', one.key, 'TLS_CERT: must be a PEM file with the certificate'],
    [
      'a broken one',
      '-----BEGIN CERTIFICATE-----\nhunter2\n-----END CERTIFICATE-----',
      one.key,
      'TLS_CERT: must be a PEM file',
    ],
    ['the key in both', one.key, one.key, 'TLS_CERT: must be a PEM file'],
    ['no key', one.cert, 'hunter2', 'TLS_KEY: must be a PEM file with a private key'],
    ['an empty key', one.cert, '', 'TLS_KEY: must be a PEM file with a private key'],
    ['a key that is locked', one.cert, locked, 'TLS_KEY: must not be protected by a passphrase'],
    ['another’s key', one.cert, other.key, 'TLS_KEY: is not the key of the first certificate'],
    ['a key too weak to serve', weak.cert, weak.key, 'TLS_CERT: cannot be served'],
  ])('are refused with %s, and not shown', async (_what, cert, key, message) => {
    const error = await readCertificate(filesOf(cert, key)).catch((thrown: unknown) => thrown);
    expect((error as Error).message).toContain(message);
    expect((error as Error).message).not.toMatch(/hunter2|BEGIN/);
  });

  it('are refused by name when a file cannot be read', async () => {
    const files = filesOf(one.cert, one.key);
    await expect(readCertificate({ ...files, cert: 'hunter2' })).rejects.toThrow(
      /^TLS_CERT: the file cannot be read \(ENOENT\); it must be the path of a PEM file$/,
    );
    await expect(readCertificate({ ...files, key: folder })).rejects.toThrow(
      /^TLS_KEY: the file cannot be read \(EISDIR\)/,
    );
  });
});

describe('a certificate in use', () => {
  async function keep(first: { cert: string; key: string }, everyMs = 60_000) {
    const files = filesOf(first.cert, first.key);
    const used: Certificate[] = [];
    const { lines, log } = heard();
    const current = await readCertificate(files);
    const use = (next: Certificate) => void used.push(next);
    const renewal = watchCertificate({ files, current, use, log, everyMs });
    return { files, used, lines, renewal };
  }

  it('is replaced only when both files are', async () => {
    const { files, used, lines, renewal } = await keep(one);
    await renewal.look();
    writeFileSync(files.cert, other.cert);
    await renewal.look();
    await renewal.look();
    expect(used).toEqual([]);
    expect(
      lines.filter(({ msg }) => msg.includes('is not renewed: TLS_KEY: is not the key')),
    ).toHaveLength(1);
    writeFileSync(files.key, other.key);
    await renewal.look();
    await renewal.look();
    expect(used).toMatchObject([other]);
    expect(lines.map(({ msg }) => msg)).toContain('the certificate was renewed');
    renewal.stop();
  });

  it('is checked automatically', async () => {
    const { files, used, renewal } = await keep(one, 20);
    writeFileSync(files.cert, other.cert);
    writeFileSync(files.key, other.key);
    await waitFor(() => used.length > 0);
    renewal.stop();
    expect(used).toMatchObject([other]);
  });

  it('causes one warning when it has expired', async () => {
    const { lines, renewal } = await keep(expired);
    await renewal.look();
    renewal.stop();
    expect(lines).toMatchObject([{ level: 40, msg: 'the certificate in TLS_CERT has expired' }]);
  });
});
