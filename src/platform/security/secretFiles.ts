/**
 * Secrets in files, as orchestrators provide them: `MONGODB_URI_FILE` holds the path of a file with the value of
 * `MONGODB_URI`.
 */
import { readFileSync } from 'node:fs';
import { getOwn } from '../../lib/getOwn.js';

/** Every setting that is a secret, and the one that names a file with it. */
export const SECRET_FILES: ReadonlyMap<string, string> = new Map([
  ['MONGODB_URI', 'MONGODB_URI_FILE'],
  ['LEADWIRE_SECRET', 'LEADWIRE_SECRET_FILE'],
  ['SMTP_URL', 'SMTP_URL_FILE'],
  ['GOOGLE_SERVICE_ACCOUNT_JSON', 'GOOGLE_SERVICE_ACCOUNT_FILE'],
  ['PING_TOKEN_KEYS', 'PING_TOKEN_KEYS_FILE'],
]);

/** Bytes; a larger file is not the intended one. */
const SECRET_FILE_MAX = 65_536;

export interface SecretFiles {
  /** The contents of the files, by setting. */
  values: Record<string, string>;
  /** One sentence each, with the setting first and never with anything from a file. */
  faults: string[];
}

/**
 * Reads the files that the environment names. One newline at the end of a file is no part of the secret.
 * @param files setting by setting, the one that names its file
 */
export function readSecretFiles(
  environment: Readonly<Record<string, string | undefined>>,
  files: ReadonlyMap<string, string>,
): SecretFiles {
  const read: SecretFiles = { values: {}, faults: [] };
  for (const [name, fileSetting] of files) {
    const path = getOwn(environment, fileSetting);
    if (!path) continue;
    if (getOwn(environment, name)) {
      read.faults.push(`${fileSetting}: ${name} is also set; set only one of the two`);
      continue;
    }
    const secret = readSecret(path);
    if ('fault' in secret) read.faults.push(`${fileSetting}: ${secret.fault}`);
    else read.values[name] = secret.text;
  }
  return read;
}

/** The fault does not name the path: it may be the secret itself, given in the wrong place. */
function readSecret(path: string): { text: string } | { fault: string } {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    return { fault: `the file cannot be read (${code}); it must be the path of a file` };
  }
  if (bytes.length > SECRET_FILE_MAX) {
    return { fault: `the file has more than ${SECRET_FILE_MAX} bytes` };
  }
  const text = textOf(bytes)?.replace(/\r?\n$/, '');
  if (text === undefined) return { fault: 'the file is not UTF-8 text' };
  return text === '' ? { fault: 'the file is empty' } : { text };
}

function textOf(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
