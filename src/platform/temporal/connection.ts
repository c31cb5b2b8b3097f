/** The connection to Temporal of a process that only asks: the API, and commands on a running installation. */
import { Connection } from '@temporalio/client';
import { readTemporalConnection } from './temporalTls.js';

/** A server that was away is called again at least so often, in milliseconds: by itself gRPC waits up to two minutes. */
const RECONNECT_MS = 500;

/** A server is waited for so long at the start, in milliseconds. */
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

/** @throws {Error} what `connect` throws, with the address before it */
export async function withAddress<C>(address: string, connect: () => Promise<C>): Promise<C> {
  try {
    return await connect();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`Temporal does not answer at ${address}: ${reason}`, { cause });
  }
}
