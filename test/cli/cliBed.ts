/** The program as a person and a script run it: a process of its own, with an account on a real server. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { permissionsOf } from '../../src/account/keys/keys.js';
import { setUp, startActionsApi, type ActionsApi, type Org } from '../api/actions/api.js';

const MAIN = join(import.meta.dirname, '..', '..', 'cli', 'main.js');

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface CliBed {
  api: ActionsApi;
  org: Org;
  /** A folder of the test file's own. */
  home: string;
  ids: { campaign: string; buyer: string; supplier: string };
  keys: { all: string; reads: string };
  /**
   * Runs the program with nothing of this process's surroundings.
   * @param environment beside the address of the server; without it, the key that may do everything
   * @param input what is sent to its standard input
   */
  run(args: string[], environment?: NodeJS.ProcessEnv, input?: string): Promise<Ended>;
  /** The same, to be met while it runs. */
  start(args: string[], environment?: NodeJS.ProcessEnv): Running;
  stop(): Promise<void>;
}

export interface Running {
  child: ChildProcessWithoutNullStreams;
  /** Settles once it has said this on standard error. */
  said(words: string): Promise<void>;
  ended: Promise<Ended>;
}

export async function startCliBed(): Promise<CliBed> {
  const home = await mkdtemp(join(tmpdir(), 'leadwire-cli-'));
  const api = await startActionsApi();
  const org = await api.org();
  const { campaign, buyer, supplier } = await setUp(api, org);
  const keys = { all: await org.key(), reads: await org.key(permissionsOf('read')) };
  return {
    ...{ api, org, home, keys },
    ids: { campaign: campaign.id, buyer: buyer.id, supplier: supplier.id },
    run(args, environment = { LEADWIRE_API_KEY: keys.all }, input = '') {
      const surroundings = { PATH: process.env.PATH, HOME: home, LEADWIRE_URL: api.url };
      return ended(args, { ...surroundings, ...environment }, input);
    },
    start(args, environment = { LEADWIRE_API_KEY: keys.all }) {
      const surroundings = { PATH: process.env.PATH, HOME: home, LEADWIRE_URL: api.url };
      return running(args, { ...surroundings, ...environment });
    },
    async stop() {
      await api.stop();
      await rm(home, { recursive: true });
    },
  };
}

async function ended(args: string[], env: NodeJS.ProcessEnv, input: string): Promise<Ended> {
  const { child, ended: end } = running(args, env);
  // It need not read what it is sent.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return end;
}

function running(args: string[], env: NodeJS.ProcessEnv): Running {
  const child = spawn(process.execPath, [MAIN, ...args], { env });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return {
    child,
    async said(words) {
      while (!stderr.includes(words)) await once(child.stderr, 'data');
    },
    ended: once(child, 'close').then(([code]: unknown[]) => ({
      ...{ code: code as number | null, stdout, stderr },
    })),
  };
}

/** A failure says why on standard error, and prints nothing. */
export const failed = (code: number, stderr: string | RegExp) => ({
  ...{ code, stdout: '' },
  stderr: typeof stderr === 'string' ? stderr : (expect.stringMatching(stderr) as string),
});
