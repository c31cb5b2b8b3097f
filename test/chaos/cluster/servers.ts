/** mongod and Temporal that can be killed at any moment and come back on the same port and data. */
import { rm } from 'node:fs/promises';
import { findPrograms } from '../../../src/embedded/binaries/programs.js';
import { startGuard, type Guard, type RunningServer } from '../../../src/embedded/guardClient.js';
import { prepareHome, type HomePaths } from '../../../src/embedded/home.js';
import { startMongod } from '../../../src/embedded/mongod.js';
import { choosePorts } from '../../../src/embedded/ports.js';
import type { Reporter } from '../../../src/embedded/reporter.js';
import { startTemporal } from '../../../src/embedded/temporal.js';
import { supervise, type Running, type Starter, type Victim } from './supervised.js';

export interface ServersOptions {
  home: string;
  cacheDir: string;
  reporter: Reporter;
}

export interface Servers {
  mongodbUri: string;
  temporalAddress: string;
  temporalNamespace: string;
  mongod: Victim;
  temporal: Victim;
  /** Kills Temporal and deletes its store; it comes back empty. False when it is down already. */
  deleteTemporal(): boolean;
  stop(): Promise<void>;
}

const NAMESPACE = 'default';
/**
 * Below the range that systems take for outgoing connections: otherwise another process may hold the port by the
 * time the server comes back, or the client that connects to it may even reach itself.
 */
const PORTS_FROM = 20_000;
const PORTS_TO = 31_000;

/** Ports that are free now, in a range that the system never assigns by itself. */
export async function fixedPorts(count: number): Promise<number[]> {
  const first = PORTS_FROM + Math.floor(Math.random() * (PORTS_TO - PORTS_FROM));
  const chosen: number[] = [];
  for (let port = first; chosen.length < count; port++) {
    const [free] = await choosePorts([port]);
    if (free === port) chosen.push(port);
    if (port > first + 1_000) throw new Error(`No free ports from ${first} on`);
  }
  return chosen;
}

export async function startServers(options: ServersOptions): Promise<Servers> {
  const home = prepareHome(options.home);
  const { mongod: mongodProgram = '', temporal: temporalProgram = '' } =
    await findPrograms(options);
  const [mongodPort = 0, temporalPort = 0, uiPort = 0] = await fixedPorts(3);
  const began = new Map<string, (running: Running) => void>();
  const guard = startGuard(home.logs.guard, (server) => began.get(server.name)?.(server));
  const starter = (
    name: RunningServer['name'],
    start: () => Promise<{ port: number; wanted: number }>,
  ): Starter => ({
    name,
    async start(hear) {
      began.set(name, hear);
      const { port, wanted } = await start();
      if (port !== wanted) throw new Error(`${name} came up on ${port}`);
    },
  });
  const mongod = supervise(
    starter('mongod', async () => {
      const port = await startMongod(guard, {
        program: mongodProgram,
        dataDir: home.mongodb,
        logFile: home.logs.mongod,
        port: mongodPort,
      });
      return { port, wanted: mongodPort };
    }),
  );
  const temporal = supervise(
    starter('temporal', async () => {
      const [port] = await startTemporal(guard, {
        program: temporalProgram,
        dbFile: home.temporalDb,
        logFile: home.logs.temporal,
        namespace: NAMESPACE,
        ports: [temporalPort, uiPort],
      });
      return { port, wanted: temporalPort };
    }),
  );
  await Promise.all([mongod.ready(), temporal.ready()]);
  return {
    mongodbUri: `mongodb://127.0.0.1:${mongodPort}/?replicaSet=leadwire`,
    temporalAddress: `127.0.0.1:${temporalPort}`,
    temporalNamespace: NAMESPACE,
    mongod,
    temporal,
    deleteTemporal: () => temporal.kill(() => removeStore(home)),
    stop: () => stopAll(guard, [temporal, mongod]),
  };
}

/** SQLite keeps two more files next to its own. */
async function removeStore({ temporalDb }: HomePaths): Promise<void> {
  await Promise.all(['', '-wal', '-shm'].map((end) => rm(`${temporalDb}${end}`, { force: true })));
}

async function stopAll(guard: Guard, victims: readonly Victim[]): Promise<void> {
  await Promise.all(victims.map((victim) => victim.end(0)));
  await guard.stop();
}
