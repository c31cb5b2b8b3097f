import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/app/config.js';
import { startStack } from '../../src/embedded/stack.js';
import { createTerminalReporter } from '../../src/embedded/terminalReporter.js';

let stop = () => Promise.resolve();

/** Signals that end a run early. Jest dies of them, and would leave the servers running. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * One MongoDB and one Temporal for the whole test run, passed to the test files in environment
 * variables. If both addresses are already set, those are used and nothing is started.
 */
export default async function globalSetup(): Promise<void> {
  const { TEST_MONGODB_URI, TEST_TEMPORAL_ADDRESS } = process.env;
  if (TEST_MONGODB_URI && TEST_TEMPORAL_ADDRESS) return;
  const config = readConfig(process.env);
  const home = mkdtempSync(join(folder(), 'leadwire-test-'));
  const removeHome = () => rmSync(home, { recursive: true, force: true });
  try {
    const stack = await startStack({
      home,
      cacheDir: config.cacheDir,
      reporter: createTerminalReporter(),
      mongodbUri: TEST_MONGODB_URI,
      temporalAddress: TEST_TEMPORAL_ADDRESS,
      temporalNamespace: 'default',
      mongodPath: config.mongodPath,
      temporalPath: config.temporalPath,
      ports: 'any',
    });
    process.env.TEST_MONGODB_URI = stack.mongodbUri;
    process.env.TEST_TEMPORAL_ADDRESS = stack.temporalAddress;
    process.env.TEST_TEMPORAL_UI = stack.temporalUiUrl ?? '';
    stop = async () => {
      await stack.stop();
      removeHome();
    };
    for (const signal of SIGNALS)
      process.once(signal, () => void stop().finally(() => process.exit(1)));
  } catch (error) {
    removeHome();
    throw error;
  }
}

/** Stops what `globalSetup` started, in the same process. */
export async function stopServers(): Promise<void> {
  await stop();
}

const MEMORY = '/dev/shm';
/** Several times the maximum that the servers of a test run write. */
const ROOM_BYTES = 4 * 2 ** 30;

/**
 * Where the servers keep their data: in memory if there is room, because every write waits for the disk. No test
 * kills these servers; tests that kill servers start their own, on a disk.
 */
function folder(): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= ROOM_BYTES ? MEMORY : tmpdir();
}
