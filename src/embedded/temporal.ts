import { Connection } from '@temporalio/client';
import type { Guard } from './guardClient.js';
import { launch } from './launch.js';
import { ensureSearchAttributes, SEARCH_ATTRIBUTES } from './searchAttributes.js';

export interface TemporalOptions {
  program: string;
  /** The SQLite file; made when absent. */
  dbFile: string;
  logFile: string;
  namespace: string;
  /** Ports to try first, of the server and of its UI; 0 for any. */
  ports: readonly [number, number];
  /** Those ports or none. */
  isFixed?: boolean;
}

/** How long a server that did not print that it serves must outlive its first answer, milliseconds. */
const SETTLED_AFTER_MS = 5_000;

/**
 * Starts Temporal and returns its ports, its own and that of its UI, when the namespace exists and its search attributes
 * are known.
 */
export async function startTemporal(
  guard: Guard,
  options: TemporalOptions,
): Promise<[port: number, uiPort: number]> {
  const firstAnswer = new Map<number, number>();
  const [port = 0, uiPort = 0] = await launch(guard, {
    name: 'temporal',
    program: options.program,
    logFile: options.logFile,
    ports: options.ports,
    isFixed: options.isFixed,
    args: ([port, uiPort]) => temporalArgs(options, port ?? 0, uiPort ?? 0),
    async isReady({ pid, ports: [port = 0], log }) {
      await checkNamespace(`127.0.0.1:${String(port)}`, options.namespace);
      // Another Temporal may have got the port first and be the one that answers. Ours then ends;
      // otherwise it prints its address.
      if (/^Server:/m.test(log())) return true;
      const since = firstAnswer.get(pid) ?? Date.now();
      firstAnswer.set(pid, since);
      return Date.now() - since > SETTLED_AFTER_MS;
    },
  });
  return [port, uiPort];
}

/** @throws {Error} while the namespace or its search attributes are not there */
async function checkNamespace(address: string, namespace: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: 2_000 });
  try {
    await connection.withDeadline(Date.now() + 3_000, async () => {
      await connection.workflowService.describeNamespace({ namespace });
      if (await ensureSearchAttributes(connection, namespace)) return;
      throw new Error(`the search attributes of namespace ${namespace} are not known yet`);
    });
  } finally {
    await connection.close();
  }
}

/** Raises limits that Temporal sets for shared servers, and tunes it for one shard on one machine. */
export const DYNAMIC_CONFIG = {
  'frontend.rps': 20_000,
  'frontend.namespaceRPS': 20_000,
  'history.rps': 20_000,
  'matching.rps': 20_000,
  // Each dispatch passes this queue; at the default of 20 one waits up to 50 ms.
  'history.transferProcessorMaxPollRPS': 200,
  'history.timerProcessorMaxPollRPS': 100,
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
  'system.enableActivityEagerExecution': true,
  // A group of leads is listed in one search attribute; 2 KB would hold 52.
  'frontend.searchAttributesSizeOfValueLimit': 16_384,
};

function temporalArgs(options: TemporalOptions, port: number, uiPort: number): string[] {
  const each = (flag: string, values: string[]) => values.flatMap((value) => [flag, value]);
  return [
    'server',
    'start-dev',
    '--ip',
    '127.0.0.1',
    '--port',
    String(port),
    '--ui-port',
    String(uiPort),
    '--db-filename',
    options.dbFile,
    '--namespace',
    options.namespace,
    '--log-level',
    'warn',
    '--color',
    'never',
    // A killed server loses nothing by synchronous=OFF, a power failure may: MongoDB is the record.
    ...each('--sqlite-pragma', ['journal_mode=WAL', 'synchronous=OFF']),
    ...each(
      '--dynamic-config-value',
      Object.entries(DYNAMIC_CONFIG).map(([key, value]) => `${key}=${String(value)}`),
    ),
    ...each(
      '--search-attribute',
      SEARCH_ATTRIBUTES.map((name) => `${name}=KeywordList`),
    ),
  ];
}
