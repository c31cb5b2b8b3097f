import type { Programs } from './binaries/programs.js';
import { startGuard, type RunningServer } from './guardClient.js';
import type { ServerName } from './guardMessages.js';
import type { HomePaths } from './home.js';
import type { HomeLock, HomeLockData } from './homeLock.js';
import { keepPorts, readPorts, type HomePorts } from './homePorts.js';
import { keepRunning, type ServerNews } from './keepRunning.js';
import { mongodUri, startMongod } from './mongod.js';
import { signal, type ProcessMark } from './processes.js';
import type { Reporter } from './reporter.js';
import type { StackOptions } from './stackOptions.js';
import { startTemporal } from './temporal.js';

export type Embedded = Awaited<ReturnType<typeof startEmbedded>>;

const USUAL_PORTS = { mongodb: 27_017, temporal: 7_233, temporal_ui: 8_233 } as const;
const ANY_PORTS = { mongodb: 0, temporal: 0, temporal_ui: 0 } as const;

const markOf = ({ pid, process_start }: ProcessMark): ProcessMark => ({ pid, process_start });

/**
 * Starts the servers that are not given, side by side, on the ports that the home used last, and writes each into the
 * lock of the home as soon as it runs. One that ends by itself is started again. After a failure nothing is left running.
 */
export async function startEmbedded(
  home: HomePaths,
  lock: HomeLock,
  programs: Programs,
  options: StackOptions,
) {
  const { reporter } = options;
  const servers = new Map<ServerName, RunningServer>();
  const record = (more: HomeLockData = {}) => {
    const listed = Array.from(servers.values(), (one) => ({ name: one.name, ...markOf(one) }));
    lock.update({ guard: markOf(guard), servers: listed, ...more });
  };
  const guard = startGuard(home.logs.guard, (server) => {
    servers.set(server.name, server);
    record();
  });
  let isStopping = false;
  let isLost = false;
  // Another owner starts servers on the same files: these servers must not write one byte more.
  void lock.lost.then(() => {
    isLost = true;
    reporter.fail(
      `${home.lock} is gone or belongs to another process: this process was considered dead. Stopping`,
    );
    for (const server of servers.values()) signal(server, 'SIGKILL');
    return guard.stop();
  });
  const obstacle = (): string | null => {
    if (isLost) return 'another process owns its data';
    return guard.isGone() ? 'the process that starts the servers has ended' : null;
  };
  const starts = startsOf(guard, home, programs, options);
  const news = createNews();
  const what = [programs.mongod && 'MongoDB', programs.temporal && 'Temporal'].filter(Boolean);
  const title = what.join(' and ');
  const stop = async (): Promise<void> => {
    isStopping = true;
    await guard.stop();
  };
  try {
    record();
    reporter.start(`Starting ${title}`);
    const known = readPorts(home.ports);
    const wished = { ...(options.ports === 'any' ? ANY_PORTS : USUAL_PORTS), ...known };
    const [mongod, temporal] = await Promise.all([
      starts.mongod?.(wished),
      starts.temporal?.(wished),
    ]);
    const ports: HomePorts = { ...mongod, ...temporal };
    const uri = ports.mongodb === undefined ? undefined : mongodUri(ports.mongodb);
    const address = ports.temporal === undefined ? undefined : loopback(ports.temporal);
    const uiUrl = ports.temporal_ui === undefined ? null : `http://${loopback(ports.temporal_ui)}`;
    record({ mongodb_uri: uri, temporal_address: address, temporal_ui: uiUrl ?? undefined });
    reporter.done(`${title} ready`);
    tellMoved(known, ports, reporter);
    keepPorts(home.ports, ports);
    for (const server of [...servers.values()])
      void keepRunning(server, {
        start: async () => {
          await endOf(servers.get(server.name));
          await starts[server.name]?.(ports, true);
          return servers.get(server.name) ?? server;
        },
        tell: news.tell,
        isStopping: () => isStopping,
        obstacle,
      });
    return {
      mongodbUri: uri ?? options.mongodbUri ?? '',
      temporalAddress: address ?? options.temporalAddress ?? '',
      temporalUiUrl: uiUrl,
      /** Those that run now. */
      servers: () => [...servers.values()],
      onNews: news.listen,
      stop,
    };
  } catch (error) {
    reporter.fail(`Starting ${title}`);
    await stop();
    throw error;
  }
}

const loopback = (port: number): string => `127.0.0.1:${String(port)}`;

/** A server that ran before and does not answer must not keep its port and its files. */
async function endOf(server: RunningServer | undefined): Promise<void> {
  if (!server) return;
  signal(server, 'SIGKILL');
  await server.exited;
}

type Ports = Required<Omit<HomePorts, 'api'>>;
type Start = (ports: HomePorts, isFixed?: boolean) => Promise<Partial<Ports>>;

/**
 * How each server is started, given its ports; it returns those that it has.
 * @param isFixed those ports or none
 */
function startsOf(
  guard: Parameters<typeof startMongod>[0],
  home: HomePaths,
  programs: Programs,
  { temporalNamespace: namespace }: StackOptions,
): Record<ServerName, Start | undefined> {
  const { mongod, temporal } = programs;
  return {
    mongod:
      mongod === undefined
        ? undefined
        : async ({ mongodb: port = 0 }, isFixed) => ({
            mongodb: await startMongod(guard, {
              program: mongod,
              dataDir: home.mongodb,
              logFile: home.logs.mongod,
              port,
              isFixed,
            }),
          }),
    temporal:
      temporal === undefined
        ? undefined
        : async ({ temporal: port = 0, temporal_ui: uiPort = 0 }, isFixed) => {
            const ports = await startTemporal(guard, {
              program: temporal,
              dbFile: home.temporalDb,
              logFile: home.logs.temporal,
              namespace,
              ports: [port, uiPort],
              isFixed,
            });
            return { temporal: ports[0], temporal_ui: ports[1] };
          },
  };
}

const PORT_TITLES = {
  mongodb: 'MongoDB',
  temporal: 'Temporal',
  temporal_ui: 'the Temporal UI',
} as const satisfies Record<keyof Ports, string>;

/** Whoever uses an address of the last start must know that it has changed. */
function tellMoved(known: HomePorts, ports: HomePorts, reporter: Reporter): void {
  for (const name of ['mongodb', 'temporal', 'temporal_ui'] as const) {
    const [before, now] = [known[name], ports[name]];
    if (before === undefined || now === undefined || before === now) continue;
    reporter.info(
      `Port ${String(before)} of ${PORT_TITLES[name]} is in use by another process: it is ${String(now)} from now on`,
    );
  }
}

/** News for one listener, which also receives those from before it began to listen. */
function createNews() {
  const missed: ServerNews[] = [];
  let listener: ((news: ServerNews) => void) | null = null;
  return {
    tell: (news: ServerNews): void => {
      if (listener) listener(news);
      else missed.push(news);
    },
    listen: (next: (news: ServerNews) => void): void => {
      listener = next;
      missed.splice(0).forEach((news) => next(news));
    },
  };
}
