/** Opens sockets to public addresses only. The check is here, at connect, so that no later answer of the DNS gets past it. */
import { lookup as resolveName } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isPublicAddress, type AddressPolicy } from './publicAddress.js';

/** Gives all addresses of a name, in the order they are to be tried. */
export type ResolveName = (host: string) => Promise<LookupAddress[]>;

interface LookupOptions extends AddressPolicy {
  /** Asked once per look-up, never again for what was checked. The system's look-up by default. */
  resolve?: ResolveName;
}

interface ConnectorOptions extends LookupOptions {
  /** Name look-up, TCP and TLS together. */
  connectTimeoutMs: number;
}

/** A connector for an undici dispatcher. Its errors all mean that nothing was written. */
export function createGuardedConnector(options: ConnectorOptions): buildConnector.connector {
  const lookup = createGuardedLookup(options);
  const connect = buildConnector({ timeout: options.connectTimeoutMs, lookup });
  return (target, callback) => {
    const literal = isIP(target.hostname) !== 0;
    if (literal && !options.allowPrivate && !isPublicAddress(target.hostname)) {
      queueMicrotask(() => callback(notPublic(target.hostname, target.hostname), null));
      return;
    }
    connect(target, callback);
  };
}

/**
 * Resolves a name and refuses it if any of its addresses is not public; what it returns is what is
 * connected to. Sockets opened at once to one name share one look-up, because the system's resolver
 * has few threads and one slow name would hold them all.
 */
export function createGuardedLookup({
  allowPrivate,
  resolve = resolveBySystem,
}: LookupOptions): LookupFunction {
  const underWay = new Map<string, Promise<LookupAddress[]>>();

  const resolveOnce: ResolveName = (host) => {
    const joined = underWay.get(host);
    if (joined) return joined;
    const started = resolve(host).finally(() => underWay.delete(host));
    underWay.set(host, started);
    return started;
  };

  return (host, options, callback) => {
    const fail = (error: NodeJS.ErrnoException): void => callback(error, '', 0);
    resolveOnce(host).then((addresses) => {
      const bad = allowPrivate
        ? undefined
        : addresses.find(({ address }) => !isPublicAddress(address));
      const wanted = addresses.find(({ family }) => !options.family || family === options.family);
      if (bad) fail(notPublic(host, bad.address));
      else if (!wanted) fail(new Error(`${host} has no address to connect to`));
      else if (options.all) callback(null, addresses);
      else callback(null, wanted.address, wanted.family);
    }, fail);
  };
}

const resolveBySystem: ResolveName = (host) => resolveName(host, { all: true });

function notPublic(host: string, address: string): NodeJS.ErrnoException {
  const shown = host === address ? host : `${host} (${address})`;
  return Object.assign(new Error(`${shown} is not a public address`), { code: 'NOT_PUBLIC' });
}
