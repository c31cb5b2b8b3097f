/** An account on the Actions API, and the program as a person and a script run it with its keys. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { permissionsOf } from '../../src/account/keys/keys.js';
import { setUp, startActionsApi, type ActionsApi, type Org } from '../support/api.js';
import { runToEnd, startProgram, type Ended, type Running } from '../support/program.js';

export interface CliAccount {
  api: ActionsApi;
  org: Org;
  /** A folder of the test file's own. */
  home: string;
  ids: { campaign: string; buyer: string; supplier: string };
  keys: { all: string; reads: string };
  /**
   * Runs the program without the environment of this process.
   * @param environment in addition to the server's address; default: a key with all permissions
   * @param input sent to its standard input
   */
  run(args: string[], environment?: NodeJS.ProcessEnv, input?: string): Promise<Ended>;
  /** The same, for tests that talk to it while it runs. */
  start(args: string[], environment?: NodeJS.ProcessEnv): Running;
  stop(): Promise<void>;
}

export async function startCliAccount(): Promise<CliAccount> {
  const home = await mkdtemp(join(tmpdir(), 'leadwire-cli-'));
  const api = await startActionsApi();
  const org = await api.org();
  const { campaign, buyer, supplier } = await setUp(api, org);
  const keys = { all: await org.key(), reads: await org.key(permissionsOf('read')) };
  const surroundings = { HOME: home, LEADWIRE_URL: api.url };
  return {
    api,
    org,
    home,
    keys,
    ids: { campaign: campaign.id, buyer: buyer.id, supplier: supplier.id },
    run: (args, environment = { LEADWIRE_API_KEY: keys.all }, input) =>
      runToEnd(args, { ...surroundings, ...environment }, input),
    start: (args, environment = { LEADWIRE_API_KEY: keys.all }) =>
      startProgram(args, { ...surroundings, ...environment }),
    async stop() {
      await api.stop();
      await rm(home, { recursive: true });
    },
  };
}

/** A failure is explained on standard error, with nothing on standard output. */
export const failed = (code: number, stderr: string | RegExp) => ({
  code,
  stdout: '',
  stderr:
    typeof stderr === 'string' ? stderr : (expect.stringMatching(stderr) as unknown as string),
});
