/** The commands that start the service, on the servers of the test run. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { demoFilePath, readDemoFile, type DemoFile } from '../../../src/demo/file.js';
import { failed, runCli, startCli, type Ended, type RunningCli } from '../../support/cli.js';
import { sideBySide } from '../../support/sideBySide.js';
import { testStack } from '../../support/stack.js';
import { supplierOf } from '../../support/supplier.js';
import type { TestStack } from '../../support/stack.js';

let stack: TestStack;
let home: string;
let environment: NodeJS.ProcessEnv;
let demo: Ended;

beforeAll(async () => {
  stack = testStack();
  home = await mkdtemp(join(tmpdir(), 'leadwire-cli-'));
  environment = {
    PORT: '0',
    STOP_DELAY_MS: '0',
    LOG_LEVEL: 'silent',
    // Several have tests of their own.
    PROCESSES: '1',
    LEADWIRE_HOME: home,
    LEADWIRE_SECRET: 'a secret of the tests, which is long enough',
    MONGODB_URI: stack.mongodbUri,
    MONGODB_DATABASE: stack.database,
    TEMPORAL_ADDRESS: stack.temporalAddress,
    TEMPORAL_TASK_QUEUE_PREFIX: stack.taskQueuePrefix,
  };
});
// One waits for a server that does not answer, while the demo runs.
const together = sideBySide();
beforeAll(async () => {
  demo = await runCli(['demo', '--json'], environment);
});
afterAll(async () => {
  await stack.drop();
  await rm(home, { recursive: true });
});

/**
 * Posts leads with only the required fields (contract 2.2) to the campaign of demo.json; after a definitive refusal
 * (503) the lead is sent again.
 */
async function sendAtOnce(count: number): Promise<number[]> {
  const demo = await readDemoFile(home);
  if (!demo) throw new Error('there is no demo.json');
  const { ingest_url, campaigns, supplier } = demo;
  const account = {
    orgId: '',
    campaignId: campaigns.direct_post_id,
    buyers: {},
    suppliers: [{ id: supplier.id, key: supplier.api_key }],
  };
  const sender = supplierOf(ingest_url, account, count);
  const answers = await Promise.all(Array.from({ length: count }, () => sender.postUntilTaken()));
  await sender.close();
  return answers.map(({ status }) => status);
}

describe('leadwire demo --json', () => {
  it('exits with 0 and prints one JSON document in which everything agrees', () => {
    const { code, stdout } = demo;
    expect(code).toBe(0);
    const report = JSON.parse(stdout) as { ok: boolean; problems: string[]; leads: object[] };
    expect(report.problems).toEqual([]);
    expect(report).toMatchObject({
      ok: true,
      totals: [{ agrees: true }, { agrees: true }, { agrees: true }],
    });
    expect(report.leads).toHaveLength(25);
  });
});

describe('leadwire up --demo', () => {
  let known: DemoFile | null;
  let up: RunningCli;
  beforeAll(async () => {
    known = await readDemoFile(home);
    up = startCli(['up', '--demo'], environment);
    await up.said('Ctrl-C stops it');
  });

  it('keeps account and keys of the start before, readable by their owner only', async () => {
    expect(known).not.toBeNull();
    const address = { base_url: '', ingest_url: '' };
    expect({ ...(await readDemoFile(home)), ...address }).toEqual({ ...known, ...address });
    expect((await stat(demoFilePath(home))).mode & 0o777).toBe(0o600);
  });

  it('prints a working curl line, and accepts 60 leads at once', async () => {
    const line = up.stdout().slice(up.stdout().indexOf('curl '));
    const { stdout } = await promisify(execFile)('sh', ['-c', line]);
    expect(JSON.parse(stdout)).toMatchObject({ data: { status: 'ACCEPTED' } });
    expect(await sendAtOnce(60)).toEqual(Array.from({ length: 60 }, () => 201));
  });

  it('stops cleanly at SIGTERM', async () => {
    up.signal('SIGTERM');
    const { code, stderr } = await up.ended;
    expect([code, stderr.split('\n').at(-2)]).toEqual([0, 'Stopped.']);
  });
});

describe('leadwire up', () => {
  together('fails with 1 when an outside MongoDB comes without a secret', async () => {
    const env = { ...environment, LEADWIRE_SECRET: '' };
    expect(await runCli(['up'], env)).toEqual(failed(1, /^Error: LEADWIRE_SECRET is not set\./m));
  });

  together('fails with 1 and one readable message when MongoDB cannot be reached', async () => {
    const env = { ...environment, MONGODB_URI: 'mongodb://127.0.0.1:1/?replicaSet=none' };
    expect(await runCli(['up'], env)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.not.stringContaining('    at '),
    });
  });
});
