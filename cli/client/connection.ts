/** The server that a command talks to, and its key. */
import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { CommandFailed, EXIT, UsageError } from '../terminal/errors.js';
import { isLoopback } from '../../src/lib/loopback.js';
import { didYouMean } from '../../src/lib/nearest.js';
import type { Environment } from '../output/paint.js';
import { readProfiles, type Profile } from './profiles.js';
import { getOwn } from '../../src/lib/getOwn.js';

export const DEFAULT_URL = 'http://127.0.0.1:8080';

export interface Connection {
  /** Without a slash at its end. */
  url: string;
  /** Where the address comes from: a profile's name, a variable, or `nothing` for the default. */
  urlSource: string;
  key: string;
  /** Where the key comes from: a profile's name, or a variable. */
  keySource: string;
}

/** The settings found, before it is checked that they are sufficient for a call. */
export interface Found {
  url: string;
  urlSource: string;
  key: string | null;
  /** `nothing` where there is no key. */
  keySource: string;
}

/**
 * `--profile` before the environment, the environment before the file. A stored key goes to the server it was stored
 * for and no other: with LEADWIRE_URL alone it is not sent there unless that is the same server.
 * @param named `--profile`
 * @throws {UsageError} for a profile that does not exist, or an invalid address
 */
export function findConnection(environment: Environment, named: string | undefined): Found {
  const { LEADWIRE_URL, LEADWIRE_API_KEY, LEADWIRE_PROFILE } = environment;
  if (named !== undefined) return ofProfile(environment, named);
  const address = LEADWIRE_URL
    ? { url: checkUrl(LEADWIRE_URL), urlSource: 'LEADWIRE_URL' }
    : { url: DEFAULT_URL, urlSource: 'nothing' };
  if (LEADWIRE_API_KEY)
    return { ...address, key: LEADWIRE_API_KEY.trim(), keySource: 'LEADWIRE_API_KEY' };
  const profile = LEADWIRE_PROFILE ? LEADWIRE_PROFILE : readProfiles(environment).current;
  const stored = profile === null ? null : ofProfile(environment, profile);
  if (stored && !LEADWIRE_URL) return stored;
  return stored?.url === address.url
    ? { ...stored, ...address }
    : { ...address, key: null, keySource: 'nothing' };
}

/** @throws {CommandFailed} with the exit code 4 where there is no key */
export function requireConnection(environment: Environment, named: string | undefined): Connection {
  const { key, ...found } = findConnection(environment, named);
  if (key !== null) return { ...found, key };
  const { url, urlSource } = found;
  const where = urlSource === 'LEADWIRE_URL' ? ` for ${url} (LEADWIRE_URL)` : '';
  throw new CommandFailed(
    `There is no key${where}.`,
    EXIT.needsLogin,
    `Log in: leadwire login${urlSource === 'LEADWIRE_URL' ? ` --url ${url}` : ''}, or set LEADWIRE_API_KEY.` +
      demoHint(environment),
  );
}

/** Where a demo has run from this folder, its key is available. */
function demoHint(environment: Environment): string {
  const path = demoPath(environment);
  return existsSync(path) ? `\nThe demo's key is in ${path}: leadwire login --demo` : '';
}

export const demoPath = ({ LEADWIRE_HOME }: Environment): string =>
  join(LEADWIRE_HOME ? LEADWIRE_HOME : '.leadwire', 'demo.json');

function ofProfile(environment: Environment, name: string): Found {
  const { url, api_key } = findProfile(environment, name);
  const source = `profile ${name}`;
  return { url, urlSource: source, key: api_key, keySource: source };
}

/** @throws {UsageError} naming the existing profiles */
export function findProfile(environment: Environment, name: string): Profile {
  const { profiles } = readProfiles(environment);
  const found = getOwn(profiles, name);
  if (found) return found;
  const names = Object.keys(profiles);
  const hint = didYouMean(name, names);
  const all = names.length === 0 ? 'None is stored yet' : `There are: ${names.join(', ')}`;
  throw new UsageError(
    `There is no profile ${name}.${hint} ${all}. leadwire login --profile NAME creates one.`,
  );
}

/** @throws {UsageError} unless it is the address of a server, without user, query and fragment */
export function checkUrl(text: string): string {
  const bad = (why: string) =>
    new UsageError(`The address of the server ${why}; such as ${DEFAULT_URL}.`);
  if (!URL.canParse(text)) throw bad(`must begin with http:// or https://, not "${text}"`);
  const { protocol, username, password, search, hash, href } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:')
    throw bad(`must begin with http:// or https://, not ${protocol}//`);
  if (username || password || search || hash) throw bad('must have no user, query or fragment');
  return href.replace(/\/+$/, '');
}

/** A key that is sent over a network unencrypted can be read on the way. */
export const isInTheClear = (url: string): boolean => {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !isLoopback(hostname.replace(/^\[|\]$/g, ''));
};
