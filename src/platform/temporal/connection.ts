/** The connection to Temporal of a process without workers: the API, and commands on a running installation. */
import { Connection } from '@temporalio/client';
import { readTemporalConnection } from './temporalTls.js';

/** Maximum pause between calls to a server that was away, in milliseconds: by itself gRPC waits up to two minutes. */
const RECONNECT_MS = 500;

/** How long a process waits for the server at its start, in milliseconds. */
const CONNECT_MS = 5_000;

/** TLS, API key and the rest, from Temporal's own environment variables (`TEMPORAL_TLS…`, `TEMPORAL_API_KEY`, …). */
export function connectOptions(address: string) {
  return { ...readTemporalConnection(process.env), address };
}

/** @throws {Error} naming the address, when nothing answers there within five seconds */
export function connectTemporal(address: string): Promise<Connection> {
  return withAddress(address, () =>
    Connection.connect({
      ...connectOptions(address),
      connectTimeout: CONNECT_MS,
      channelArgs: {
        'grpc.initial_reconnect_backoff_ms': RECONNECT_MS / 5,
        'grpc.max_reconnect_backoff_ms': RECONNECT_MS,
      },
    }),
  );
}

/** @throws {Error} the one of `connect`, with the address before its message */
export async function withAddress<C>(address: string, connect: () => Promise<C>): Promise<C> {
  try {
    return await connect();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`Temporal does not answer at ${address}: ${reason}`, { cause });
  }
}
