/** The certificate and key of the API: read, checked, and read again when they are renewed. */
import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Log } from '../../lib/log.js';

/** Paths of PEM files. */
export interface TlsFiles {
  cert: string;
  key: string;
}

export interface Certificate {
  /** With its chain. */
  cert: string;
  key: string;
  validFrom: Date;
  validTo: Date;
}

/**
 * The TLS that the API speaks: of TLS 1.2 the suites with forward secrecy and authenticated encryption (RFC 9325,
 * section 4.2), the strongest first; those of TLS 1.3 are all of that kind.
 */
export const SPOKEN_TLS = {
  minVersion: 'TLSv1.2',
  honorCipherOrder: true,
  ciphers: [
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'TLS_AES_128_GCM_SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
  ].join(':'),
} as const;

/**
 * Errors quote neither the paths nor the files' content: one may have been given in the place of the other.
 * @throws {Error} with the setting first, and what is wrong with its file
 */
export async function readCertificate(files: TlsFiles): Promise<Certificate> {
  const [cert, keyText] = await Promise.all([
    readPem('TLS_CERT', files.cert),
    readPem('TLS_KEY', files.key),
  ]);
  const own = parseCertificate(cert);
  if (!own.checkPrivateKey(parseKey(keyText))) {
    throw new Error(
      "TLS_KEY: is not the key of the first certificate in TLS_CERT; the server's own certificate must come first",
    );
  }
  try {
    createSecureContext({ cert, key: keyText, ...SPOKEN_TLS });
  } catch (cause) {
    throw new Error(`TLS_CERT: cannot be served (${(cause as Error).message})`, { cause });
  }
  const { validFromDate: validFrom, validToDate: validTo } = own;
  return { cert, key: keyText, validFrom, validTo };
}

async function readPem(setting: string, path: string): Promise<string> {
  const read = await readFile(path, 'utf8').catch((error: unknown) => ({ error }));
  if (typeof read === 'string') return read;
  const { code = 'unknown error' } = read.error as NodeJS.ErrnoException;
  throw new Error(
    `${setting}: the file cannot be read (${code}); it must be the path of a PEM file`,
  );
}

function parseCertificate(pem: string): X509Certificate {
  try {
    if (pem.includes('-----BEGIN CERTIFICATE-----')) return new X509Certificate(pem);
  } catch {
    // Reported below.
  }
  throw new Error('TLS_CERT: must be a PEM file with the certificate and its chain');
}

function parseKey(pem: string): KeyObject {
  if (/-----BEGIN ENCRYPTED|^Proc-Type: 4,ENCRYPTED/m.test(pem)) {
    throw new Error('TLS_KEY: must not be protected by a passphrase');
  }
  try {
    return createPrivateKey(pem);
  } catch {
    throw new Error('TLS_KEY: must be a PEM file with a private key');
  }
}

/** Renewals come weeks before; nearer than this, an automatic renewal has failed. */
const EXPIRES_SOON_MS = 7 * 86_400_000;

/** A warning for the operator at that time; null when all is well. */
function validityWarning({ validFrom, validTo }: Certificate, now: Date): string | null {
  if (now < validFrom) return 'the certificate in TLS_CERT is not valid yet';
  if (now >= validTo) return 'the certificate in TLS_CERT has expired';
  const isNear = Number(validTo) - Number(now) < EXPIRES_SOON_MS;
  return isNear ? 'the certificate in TLS_CERT expires within a week' : null;
}

export interface RenewalOptions {
  files: TlsFiles;
  /** The certificate served now. */
  current: Certificate;
  /** Serves another from the next connection on. */
  use: (certificate: Certificate) => void;
  log: Log;
  /** Milliseconds between two checks of the files. */
  everyMs?: number;
}

export interface Renewal {
  /** Checks the files now. Never rejects: an unusable certificate is logged, and the present one stays. */
  look(): Promise<void>;
  stop(): void;
}

const POLL_INTERVAL_MS = 10_000;

/**
 * Files are compared by content: a mounted secret is replaced by moving links, which no watcher sees everywhere. When
 * one file is replaced before the other, they do not fit until the next check.
 */
export function watchCertificate(options: RenewalOptions): Renewal {
  const { files, use, log, everyMs = POLL_INTERVAL_MS } = options;
  let { current } = options;
  let warned = '';
  const warn = (problem: string | null): void => {
    const subject = `${current.validTo.toISOString()} ${problem ?? ''}`;
    if (problem !== null && warned !== subject) log.warn({ valid_to: current.validTo }, problem);
    warned = subject;
  };
  const look = async (): Promise<void> => {
    try {
      const found = await readCertificate(files);
      if (found.cert !== current.cert || found.key !== current.key) {
        use(found);
        current = found;
        log.info({ valid_to: found.validTo }, 'the certificate was renewed');
      }
      warn(validityWarning(current, new Date()));
    } catch (error) {
      warn(`the certificate is not renewed: ${(error as Error).message}`);
    }
  };
  warn(validityWarning(current, new Date()));
  const timer = setInterval(() => void look(), everyMs).unref();
  return { look, stop: () => clearInterval(timer) };
}
