/** A machine's own files about names: hosts(5) and resolv.conf(5). */
import type { LookupAddress } from 'node:dns';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';

/** The addresses of each name, in lower case, in the order of the file. */
export function parseHosts(text: string): Map<string, LookupAddress[]> {
  const hosts = new Map<string, LookupAddress[]>();
  for (const line of linesOf(text)) {
    const [address = '', ...names] = line.split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names.map((one) => one.toLowerCase())) {
      hosts.set(name, [...(hosts.get(name) ?? []), { address, family }]);
    }
  }
  return hosts;
}

export interface Search {
  /** The search domains. */
  domains: string[];
  /** A name with at least this many dots is first tried as it is. */
  ndots: number;
}

const NDOTS = 1;
const NDOTS_MAX = 15;
/** As in the system's own resolver. */
const DOMAINS_MAX = 6;

/** The last `search` or `domain` line counts. */
export function parseSearch(text: string): Search {
  const search: Search = { domains: [], ndots: NDOTS };
  for (const line of linesOf(text)) {
    const [keyword, ...words] = line.split(/\s+/);
    if (keyword === 'search' || keyword === 'domain') {
      search.domains = words
        .map((word) => word.replace(/\.$/, ''))
        .filter(Boolean)
        .slice(0, DOMAINS_MAX);
    }
    const ndots = /\bndots:(\d+)/.exec(line)?.[1];
    if (keyword === 'options' && ndots) search.ndots = Math.min(Number(ndots), NDOTS_MAX);
  }
  return search;
}

/** The full names that a name may stand for, in the order they are tried. */
export function candidates(host: string, { domains, ndots }: Search): string[] {
  if (host.endsWith('.')) return [host.slice(0, -1)];
  const searched = domains.map((domain) => `${host}.${domain}`);
  const dots = host.split('.').length - 1;
  return dots >= ndots ? [host, ...searched] : [...searched, host];
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/[#;].*/, '').trim())
    .filter(Boolean);

/**
 * Reads a small local file as it is now: parses it again when its time, size or inode changes, and does not read it
 * otherwise. A missing or unreadable file is empty. Synchronous, on this thread: the others may all be held.
 */
export function watchedFile<T>(path: string, parse: (text: string) => T): () => T {
  let kept: { mark: string; value: T } | null = null;
  return () => {
    const mark = markOf(path);
    kept = kept?.mark === mark ? kept : { mark, value: parse(textOf(path)) };
    return kept.value;
  };
}

function markOf(path: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return [mtimeMs, size, ino].join(' ');
  } catch {
    return '';
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
