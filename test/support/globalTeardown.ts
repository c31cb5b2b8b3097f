import { endShared } from './processEnd.js';
import { stopServers } from './globalSetup.js';

/** What the files shared that ran in Jest's own process, and then the servers of the run. */
export default async function globalTeardown(): Promise<void> {
  await endShared();
  await stopServers();
}
