import type { Programs } from './binaries/programs.js';
import { startGuard, type RunningServer } from './guardClient.js';
import type { HomePaths } from './home.js';
import type { HomeLock, HomeLockData } from './homeLock.js';
import { startMongod } from './mongod.js';
import { signal, type ProcessMark } from './processes.js';
import type { StackOptions } from './stackOptions.js';
import { startTemporal } from './temporal.js';

export type Embedded = Awaited<ReturnType<typeof startEmbedded>>;

const USUAL_PORTS = { mongodb: 27_017, temporal: [7_233, 8_233] } as const;
const ANY_PORTS = { mongodb: 0, temporal: [0, 0] } as const;

const markOf = ({ pid, process_start }: ProcessMark): ProcessMark => ({ pid, process_start });

/**
 * Starts the servers that are not given, side by side, and writes each into the lock of the home as
 * soon as it runs. After a failure nothing is left running.
 */
export async function startEmbedded(
  home: HomePaths,
  lock: HomeLock,
  programs: Programs,
  options: StackOptions,
) {
  const { reporter, temporalNamespace: namespace } = options;
  const ports = options.ports === 'any' ? ANY_PORTS : USUAL_PORTS;
  const servers = new Map<string, RunningServer>();
  const record = (more: HomeLockData = {}) => {
    const listed = Array.from(servers.values(), (one) => ({ name: one.name, ...markOf(one) }));
    lock.update({ guard: markOf(guard), servers: listed, ...more });
  };
  const guard = startGuard(home.logs.guard, (server) => {
    servers.set(server.name, server);
    record();
  });
  // Another owner starts servers on the same files: these servers must not write one byte more.
  void lock.lost.then(() => {
    reporter.fail(
      `${home.lock} is gone or belongs to another process: this process was considered dead. Stopping`,
    );
    for (const server of servers.values()) signal(server, 'SIGKILL');
    return guard.stop();
  });
  const what = [programs.mongod && 'MongoDB', programs.temporal && 'Temporal'].filter(Boolean);
  const title = what.join(' and ');
  try {
    record();
    reporter.start(`Starting ${title}`);
    const [mongodbUri, temporal] = await Promise.all([
      programs.mongod === undefined
        ? undefined
        : startMongod(guard, {
            program: programs.mongod,
            dataDir: home.mongodb,
            logFile: home.logs.mongod,
            port: ports.mongodb,
          }),
      programs.temporal === undefined
        ? undefined
        : startTemporal(guard, {
            program: programs.temporal,
            dbFile: home.temporalDb,
            logFile: home.logs.temporal,
            namespace,
            ports: ports.temporal,
          }),
    ]);
    const { address, uiUrl } = temporal ?? {};
    record({ mongodb_uri: mongodbUri, temporal_address: address, temporal_ui: uiUrl });
    reporter.done(`${title} ready`);
    return {
      mongodbUri: mongodbUri ?? options.mongodbUri ?? '',
      temporalAddress: address ?? options.temporalAddress ?? '',
      temporalUiUrl: uiUrl ?? null,
      servers: [...servers.values()],
      stop: () => guard.stop(),
    };
  } catch (error) {
    reporter.fail(`Starting ${title}`);
    await guard.stop();
    throw error;
  }
}
