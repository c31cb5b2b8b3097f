/** The connection to Temporal, shared by client and workers of a process. */
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { NativeConnection } from '@temporalio/worker';

/**
 * Connects. TLS, API key and the rest come from Temporal's own environment variables
 * (`TEMPORAL_TLS…`, `TEMPORAL_API_KEY`, …), the address from us.
 */
export async function connectTemporal(address: string): Promise<NativeConnection> {
  const { connectionOptions } = loadClientConnectConfig();
  return NativeConnection.connect({
    ...connectionOptions,
    address,
    // On the same machine compression costs more than it saves; over TLS it is somebody else's network.
    ...(connectionOptions.tls ? {} : { grpcCompression: { codec: 'none' } }),
  });
}
