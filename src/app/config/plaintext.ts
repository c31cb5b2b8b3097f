/** Leads, and the passwords of the servers, cross a network in the clear only where the operator allows it. */
import { isLoopback } from '../../lib/loopback.js';
import { readMongodbAddress } from './mongodbAddress.js';
import { readTemporalTls } from '../../platform/temporal/temporalTls.js';

/** What `ALLOW_PLAINTEXT` may name. */
export const PLAINTEXT_SERVERS = ['mongodb', 'temporal'] as const;
export type PlaintextServer = (typeof PLAINTEXT_SERVERS)[number];

export interface ServerAddresses {
  mongodbUri: string | undefined;
  temporalAddress: string | undefined;
  /** Servers that may be reached without TLS wherever they are. */
  allowed: readonly PlaintextServer[];
}

/**
 * @param environment holds Temporal's own TLS settings
 * @returns a sentence for each server that must not be reached as the settings say, with the setting first
 */
export function plaintextFaults(
  { mongodbUri, temporalAddress, allowed }: ServerAddresses,
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  return [
    ...(mongodbUri === undefined ? [] : mongodbFaults(mongodbUri, allowed)),
    ...(temporalAddress === undefined ? [] : temporalFaults(temporalAddress, allowed, environment)),
  ];
}

function mongodbFaults(uri: string, allowed: readonly PlaintextServer[]): string[] {
  const address = readMongodbAddress(uri);
  if (!address) {
    return [
      'MONGODB_URI: must be an address such as mongodb://user:password@db.example.com:27017/?replicaSet=rs0&tls=true',
    ];
  }
  const far = address.hosts.find((host) => !host.startsWith('/') && !isLoopback(host));
  if (address.tls || far === undefined || allowed.includes('mongodb')) return [];
  return [
    `MONGODB_URI: ${far} is another machine, and the connection is not encrypted. Add tls=true to the options of the ` +
      'address; if the network is safe without TLS, set ALLOW_PLAINTEXT=mongodb',
  ];
}

function temporalFaults(
  address: string,
  allowed: readonly PlaintextServer[],
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  const host = address.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  if (isLoopback(host) || allowed.includes('temporal')) return [];
  const tls = readTemporalTls(environment);
  if (typeof tls === 'string') return [tls];
  if (tls) return [];
  return [
    `TEMPORAL_ADDRESS: ${host} is another machine, and the connection is not encrypted. Set TEMPORAL_TLS=true (and ` +
      'TEMPORAL_TLS_SERVER_CA_CERT_PATH for your own certificate authority); if the network is safe without TLS, set ' +
      'ALLOW_PLAINTEXT=temporal',
  ];
}
