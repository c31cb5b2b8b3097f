/** Opens sockets to public addresses only. The check is here, at connect, so that no later answer of the DNS gets past it. */
import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { ResolveName } from './names/names.js';
import { isPublicAddress, type AddressPolicy } from './publicAddress.js';

interface LookupOptions extends AddressPolicy {
  /** Called once per lookup; the connection goes to the addresses that were checked. */
  resolve: ResolveName;
  /** The organization for which a socket is being opened; '' for the installation itself. */
  asker: () => string;
}

interface ConnectorOptions extends LookupOptions {
  /** Name lookup, TCP and TLS together. */
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
 * Resolves a name and refuses it if any of its addresses is not public; the connection goes to the addresses it
 * returns. Sockets that one organization opens at once to one name share one lookup. Another organization's do not: it
 * would wait in the first one's line.
 */
export function createGuardedLookup({
  allowPrivate,
  resolve,
  asker,
}: LookupOptions): LookupFunction {
  const underWay = new Map<string, Promise<LookupAddress[]>>();

  const resolveOnce = (host: string): Promise<LookupAddress[]> => {
    const who = asker();
    const key = `${who} ${host}`;
    const joined = underWay.get(key);
    if (joined) return joined;
    const started = resolve(host, who).finally(() => underWay.delete(key));
    underWay.set(key, started);
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

function notPublic(host: string, address: string): NodeJS.ErrnoException {
  const shown = host === address ? host : `${host} (${address})`;
  return Object.assign(new Error(`${shown} is not a public address`), { code: 'NOT_PUBLIC' });
}
