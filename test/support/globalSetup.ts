import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config.js';
import { startStack } from '../../src/stack/stack.js';
import { createTerminalReporter } from '../../src/stack/terminalReporter.js';
import { STOP_TEST_STACK, type StackStop } from './globalTeardown.js';

/**
 * One MongoDB and one Temporal for the whole test run, named to the test files by environment
 * variables. With both addresses set already, those are used and nothing is started.
 */
export default async function globalSetup(): Promise<void> {
  const { TEST_MONGODB_URI, TEST_TEMPORAL_ADDRESS } = process.env;
  if (TEST_MONGODB_URI && TEST_TEMPORAL_ADDRESS) return;
  const config = readConfig(process.env);
  const home = mkdtempSync(join(tmpdir(), 'leadwire-test-'));
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
    const stop: StackStop = async () => {
      await stack.stop();
      removeHome();
    };
    Object.assign(globalThis, { [STOP_TEST_STACK]: stop });
  } catch (error) {
    removeHome();
    throw error;
  }
}
