import './environment.js';
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/app/config.js';
import { startStack } from '../../src/embedded/stack.js';
import { createTerminalReporter } from '../../src/embedded/terminalReporter.js';

/**
 * One MongoDB and one Temporal for the whole test run, named to the test files by environment
 * variables. With both addresses set already, those are used and nothing is started. Returns what ends them.
 */
export default async function globalSetup(): Promise<(() => Promise<void>) | undefined> {
  const { TEST_MONGODB_URI, TEST_TEMPORAL_ADDRESS } = process.env;
  if (TEST_MONGODB_URI && TEST_TEMPORAL_ADDRESS) return undefined;
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
    return async () => {
      await stack.stop();
      removeHome();
    };
  } catch (error) {
    removeHome();
    throw error;
  }
}

const MEMORY = '/dev/shm';
/** What the servers of a test run write at most, several times over. */
const ROOM_BYTES = 4 * 2 ** 30;

/**
 * Where the servers keep their data: in memory where there is room, for they wait for the disk with every write. Nobody
 * kills these servers; tests that do so start their own, on a disk.
 */
function folder(): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= ROOM_BYTES ? MEMORY : tmpdir();
}
