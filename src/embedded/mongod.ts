/** Starts the embedded MongoDB, with a share of the machine's memory. */
import { totalmem } from 'node:os';
import { MongoClient, type Db } from 'mongodb';
import type { Guard } from './guardClient.js';
import { launch } from './launch.js';
import { isPrimary, REPLICA_SET } from './replicaSet.js';

export interface MongodOptions {
  program: string;
  dataDir: string;
  logFile: string;
  /** The port to try first; 0 for any. */
  port: number;
  /** That port or none. */
  isFixed?: boolean;
}

/** Starts mongod and returns its port when it takes writes. */
export async function startMongod(guard: Guard, options: MongodOptions): Promise<number> {
  const [port = 0] = await launch(guard, {
    name: 'mongod',
    program: options.program,
    logFile: options.logFile,
    ports: [options.port],
    isFixed: options.isFixed,
    args: ([port]) => mongodArgs(options.dataDir, port ?? 0),
    isReady: ({ pid, ports: [port = 0] }) =>
      withAdmin(port, async (admin) => {
        // Another mongod may have got the port first: never touch its configuration.
        if ((await admin.command({ serverStatus: 1 })).pid !== pid) return false;
        return isPrimary(admin, `127.0.0.1:${String(port)}`);
      }),
  });
  return port;
}

export const mongodUri = (port: number): string =>
  `mongodb://127.0.0.1:${String(port)}/?replicaSet=${REPLICA_SET}`;

/** A client of its own each time: one whose first connection failed stays closed. */
async function withAdmin<T>(port: number, ask: (admin: Db) => Promise<T>): Promise<T> {
  const client = new MongoClient(`mongodb://127.0.0.1:${String(port)}/?directConnection=true`, {
    serverSelectionTimeoutMS: 1_000,
    socketTimeoutMS: 5_000,
  });
  try {
    return await ask(client.db('admin'));
  } finally {
    await client.close();
  }
}

function mongodArgs(dataDir: string, port: number): string[] {
  return [
    '--replSet',
    REPLICA_SET,
    '--bind_ip',
    '127.0.0.1',
    '--port',
    String(port),
    '--dbpath',
    dataDir,
    '--wiredTigerCacheSizeGB',
    String(cacheGib(memoryBytes())),
    // It would else take 5 % of the free disk.
    '--oplogSize',
    '1024',
    // The socket in /tmp belongs to the process that used the port first, perhaps another user's.
    '--nounixsocket',
    '--quiet',
    // CVE-2025-14847 reads memory by a compressed message; on one machine compression gains nothing.
    '--networkMessageCompressors',
    'disabled',
    '--setParameter',
    'diagnosticDataCollectionEnabled=false',
  ];
}

const GIB = 2 ** 30;
/** The smallest cache that mongod accepts. */
const CACHE_MIN_GIB = 0.25;
const CACHE_MAX_GIB = 4;
/** The machine is shared with Temporal and the service: by itself mongod would take half of it. */
const SHARE = 1 / 4;

/**
 * The size of mongod's cache in GiB, 0.25 to 4: a quarter of the memory. Beyond a twentieth of the cache mongod writes
 * changed pages at once, each of them again and again, instead of once a minute: a small cache costs CPU for each write.
 */
export function cacheGib(memoryBytes: number): number {
  const share = Math.floor(((memoryBytes * SHARE) / GIB) * 100) / 100;
  return Math.min(CACHE_MAX_GIB, Math.max(CACHE_MIN_GIB, share));
}

/**
 * Memory that this process and the other processes of the stack may use, in bytes: of the machine, or of the container when that is less.
 * @param total of the machine
 * @param constrained of the container; 0, or more than there is, where nothing constrains it
 */
export const memoryBytes = (
  total: number = totalmem(),
  constrained: number = process.constrainedMemory(),
): number => (constrained > 0 ? Math.min(total, constrained) : total);
