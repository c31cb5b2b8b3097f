/** An account on the Actions API, and the program as a person and a script run it with its keys. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { permissionsOf } from '../../src/account/keys/keys.js';
import { setUp, startActionsApi, type ActionsApi, type Org } from '../support/api.js';
import { runCli, type CliOptions, type Ended } from '../support/cli.js';

export interface CliAccount {
  api: ActionsApi;
  org: Org;
  /** A folder of the test file's own. */
  home: string;
  ids: { campaign: string; buyer: string; supplier: string };
  keys: { all: string; reads: string };
  /** What the program needs to find the server; a folder of its own is its home. */
  surroundings: NodeJS.ProcessEnv;
  /**
   * Runs the program to its end.
   * @param environment in addition to the server's address; default: a key with all permissions
   */
  run(args: string[], environment?: NodeJS.ProcessEnv, options?: CliOptions): Promise<Ended>;
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
    surroundings,
    run: (args, environment = { LEADWIRE_API_KEY: keys.all }, options) =>
      runCli(args, { ...surroundings, ...environment }, options),
    async stop() {
      await api.stop();
      await rm(home, { recursive: true });
    },
  };
}
