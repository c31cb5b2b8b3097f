/** The machine of a run. */
import { cpus, release, totalmem, type } from 'node:os';
import { NativeConnection } from '@temporalio/worker';
import { MongoClient } from 'mongodb';
import type { Stack } from '../../src/embedded/stack.js';
import { readVersion } from '../../src/lib/version.js';

export interface Machine {
  cpu: string;
  cores: number;
  memory_gib: number;
  system: string;
}

export interface Versions {
  leadwire: string;
  node: string;
  mongodb: string;
  temporal: string;
}

const BYTES_PER_GIB = 1_024 ** 3;

export const readMachine = (): Machine => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  memory_gib: Math.round(totalmem() / BYTES_PER_GIB),
  system: `${type()} ${release()}`,
});

export async function readVersions({ mongodbUri, temporalAddress }: Stack): Promise<Versions> {
  const mongo = await MongoClient.connect(mongodbUri);
  const temporal = await NativeConnection.connect({ address: temporalAddress });
  try {
    const { version } = (await mongo.db().admin().serverInfo()) as { version: string };
    const { serverVersion } = await temporal.workflowService.getClusterInfo({});
    return {
      leadwire: readVersion(),
      node: process.versions.node,
      mongodb: version,
      temporal: serverVersion,
    };
  } finally {
    await mongo.close();
    await temporal.close();
  }
}
