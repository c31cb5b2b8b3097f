/**
 * Finds the addresses of names, for every outbound connection. It does not use the system's getaddrinfo, which holds
 * one of the process's four threads for each slow name: twenty of one organization would stop all others.
 */
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { performance } from 'node:perf_hooks';
import { ask, isNotSaid, type Found } from './ask.js';
import { candidates, parseHosts, parseSearch, watchedFile } from './systemFiles.js';
import { createLookupQueue, LookupQueueFullError } from './lookupQueue.js';
import { lruMap } from '../../../lib/lruMap.js';

/**
 * Returns all addresses of a name, in the order they are to be tried.
 * @param asker the organization whose lookup it is; '' for lookups of the installation
 * @throws {Error} `ENOTFOUND`: there is no such name, or it has no address. `EAI_AGAIN`: no name server answered in
 * time.
 */
export type ResolveName = (host: string, asker: string) => Promise<LookupAddress[]>;

interface NamesOptions {
  /** Used instead of the servers of resolv.conf: `127.0.0.1:5353`. */
  servers?: string[];
  hostsFile?: string;
  resolvConf?: string;
  /** The first try of each server, milliseconds; the second takes twice as long. Default 1,500. */
  timeoutMs?: number;
  /** Lookups at once, for each organization. Default 16. */
  atOnceMax?: number;
  /** Milliseconds, on a clock that never goes back. */
  now?: () => number;
}

const TRIES = 2;
/** As in the system's own resolver. */
const SERVERS_MAX = 3;
/** After this time no further name of the search list is tried, milliseconds. */
const SEARCH_MS = 5_000;
/** As long as a connection may take in all. */
const WAIT_MS = 5_000;
const WAITING_MAX = 1_000;
const AT_ONCE_MAX = 16;
const KEPT_MAX = 10_000;
/** An answer is kept for its TTL, but no longer than this: a change is seen soon. */
const KEPT_MS_MAX = 30_000;
/** A name that failed is looked up again after this time. */
const FAILED_MS = 3_000;

const LOOPBACK: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

export type Names = ReturnType<typeof createNames>;

export function createNames({
  servers,
  hostsFile = '/etc/hosts',
  resolvConf = '/etc/resolv.conf',
  timeoutMs = 1_500,
  atOnceMax = AT_ONCE_MAX,
  now = () => performance.now(),
}: NamesOptions = {}) {
  const turns = createLookupQueue({ atOnceMax, waitingMax: WAITING_MAX, waitMs: WAIT_MS });
  const answers = lruMap<string, Answer & { until: number }>(KEPT_MAX);
  const hosts = watchedFile(hostsFile, parseHosts);
  let inUse: Resolver[] = [];
  // A resolver reads the servers when it is created: new servers need a new one.
  const settings = watchedFile(resolvConf, (text) => {
    inUse = resolversFor(servers, timeoutMs);
    return { search: parseSearch(text), resolvers: inUse };
  });

  const ofThisMachine = (host: string): LookupAddress[] | undefined => {
    const name = host.replace(/\.$/, '').toLowerCase();
    const isLocal = name === 'localhost' || name.endsWith('.localhost');
    return hosts().get(name) ?? (isLocal ? LOOPBACK : undefined);
  };

  const search = async (host: string): Promise<Found | null> => {
    const { search: list, resolvers } = settings();
    const until = now() + SEARCH_MS;
    let notSaid: Error | null = null;
    for (const name of candidates(host, list)) {
      if (now() > until) throw Object.assign(new Error('no time is left'), { code: 'ETIMEOUT' });
      try {
        const found = await ask(resolvers, name);
        if (found) return found;
      } catch (error) {
        // A domain of the search list that no server here knows must not hide the name itself.
        if (!isNotSaid(error)) throw error;
        notSaid = error as Error;
      }
    }
    if (notSaid) throw notSaid;
    return null;
  };

  const keep = (host: string, answer: Answer, forMs: number): void =>
    answers.set(host, { ...answer, until: now() + forMs });
  const keepFound = (host: string, { addresses, ttl }: Found): void =>
    keep(host, { addresses }, Math.min(ttl * 1_000, KEPT_MS_MAX));

  const askAndKeep = async (host: string): Promise<LookupAddress[]> => {
    try {
      const found = await search(host);
      if (!found) throw nameError('ENOTFOUND', `no address is known for ${host}`);
      keepFound(host, found);
      void found.later?.then((whole) => keepFound(host, whole));
      return found.addresses;
    } catch (error) {
      const failed = describe(host, error as NodeJS.ErrnoException);
      keep(host, { failed }, FAILED_MS);
      throw failed;
    }
  };

  const kept = (host: string): LookupAddress[] | null => {
    const answer = answers.get(host);
    if (!answer || now() >= answer.until) return null;
    if ('failed' in answer) throw answer.failed;
    return answer.addresses;
  };

  return {
    resolve: async (host: string, asker: string): Promise<LookupAddress[]> => {
      const known = ofThisMachine(host) ?? kept(host);
      if (known) return known;
      try {
        // Another lookup of the same name may have stored the answer while this one waited.
        return await turns.take(asker, async () => kept(host) ?? (await askAndKeep(host)));
      } catch (error) {
        if (error instanceof LookupQueueFullError) {
          throw nameError('EAI_AGAIN', `${host} was not looked up: ${error.message}`);
        }
        throw error;
      }
    },
    /** Cancels the lookups in flight. */
    close: (): void => inUse.forEach((resolver) => resolver.cancel()),
  };
}

/** One that asks all servers, and for each server but the first one that starts with it. */
function resolversFor(given: readonly string[] | undefined, timeout: number): Resolver[] {
  const all = new Resolver({ timeout, tries: TRIES });
  if (given) all.setServers(given);
  const servers = all.getServers();
  const further = servers.slice(1, SERVERS_MAX).map((_, index) => {
    const resolver = new Resolver({ timeout, tries: TRIES });
    resolver.setServers(servers.slice(index + 1));
    return resolver;
  });
  return [all, ...further];
}

const nameError = (code: 'ENOTFOUND' | 'EAI_AGAIN', message: string): Error =>
  Object.assign(new Error(message), { code });

const describe = (host: string, error: NodeJS.ErrnoException): Error =>
  error.code === 'ENOTFOUND'
    ? error
    : nameError(
        'EAI_AGAIN',
        `no name server could say what ${host} is (${error.code ?? error.message})`,
      );

type Answer = { addresses: LookupAddress[] } | { failed: Error };
