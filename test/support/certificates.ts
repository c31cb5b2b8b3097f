/** Certificates made on demand, as weak as a test needs them. */
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

export interface Certificate {
  key: string;
  /** Followed by the certificates of its issuers. */
  cert: string;
}

interface Issuer {
  name: string;
  key: KeyObject;
  cert: string;
}

/** A certificate for localhost, signed by its own key, or by an authority with a key of the given size in bits. */
export function makeCertificate({
  bits = 2048,
  authorityBits = 0,
  hash = 'sha256',
  /** In ASN.1 UTCTime, years from 50 on belong to the last century. */
  until = '491231235959Z',
}): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  const issuer = authorityBits > 0 ? makeAuthority(authorityBits) : null;
  const cert = certify({
    subject: 'localhost',
    publicKey,
    hash,
    until,
    issuer: issuer?.name ?? 'localhost',
    issuerKey: issuer?.key ?? privateKey,
  });
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: cert + (issuer?.cert ?? ''),
  };
}

function makeAuthority(bits: number): Issuer {
  const { privateKey: key, publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  const name = 'authority';
  const cert = certify({
    subject: name,
    publicKey,
    hash: 'sha256',
    issuer: name,
    issuerKey: key,
    until: '491231235959Z',
  });
  return { name, key, cert };
}

interface Certified {
  subject: string;
  publicKey: KeyObject;
  issuer: string;
  issuerKey: KeyObject;
  hash: string;
  until: string;
}

/** X.509 version 1: names, times, and a key, signed. */
function certify({ subject, publicKey, issuer, issuerKey, hash, until }: Certified): string {
  const algorithm = sequence(HASHES[hash] ?? Buffer.alloc(0), tagged(0x05));
  const times = sequence(utcTime('200101000000Z'), utcTime(until));
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const serial = tagged(0x02, Buffer.from([1]));
  const body = sequence(serial, algorithm, nameOf(issuer), times, nameOf(subject), spki);
  const signature = tagged(0x03, Buffer.from([0]), sign(hash, body, issuerKey));
  const der = sequence(body, algorithm, signature).toString('base64');
  const lines = der.match(/.{1,64}/g)?.join('\n') ?? '';
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

/** The object identifiers of RSA signatures. */
const HASHES: Record<string, Buffer> = {
  sha256: Buffer.from('06092a864886f70d01010b', 'hex'),
  sha1: Buffer.from('06092a864886f70d010105', 'hex'),
};
const COMMON_NAME = Buffer.from('0603550403', 'hex');

function tagged(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}
const sequence = (...parts: Buffer[]): Buffer => tagged(0x30, ...parts);
const utcTime = (text: string): Buffer => tagged(0x17, Buffer.from(text));
const nameOf = (text: string): Buffer =>
  sequence(tagged(0x31, sequence(COMMON_NAME, tagged(0x0c, Buffer.from(text)))));
