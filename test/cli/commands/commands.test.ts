/** The commands as a person runs them: a process of their own, on the servers of the test run. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { demoFilePath, readDemoFile } from '../../../src/demo/file.js';
import { runToEnd, startProgram, type Running } from '../../support/program.js';
import { sideBySide } from '../../support/sideBySide.js';
import { testStack } from '../../support/stack.js';
import { supplierOf } from '../../support/supplier.js';
import type { TestStack } from '../../support/stack.js';

let stack: TestStack;
let home: string;
let environment: NodeJS.ProcessEnv;
const children: ChildProcess[] = [];

beforeAll(async () => {
  stack = testStack();
  home = await mkdtemp(join(tmpdir(), 'leadwire-cli-'));
  environment = {
    HOME: process.env.HOME,
    PORT: '0',
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
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(async () => {
  await stack.drop();
  await rm(home, { recursive: true });
});

/** Starts a command and waits until it reports that it is running. */
async function stayUp(args: string[]): Promise<Running> {
  const program = startProgram(args, environment);
  children.push(program.child);
  await program.said('Ctrl-C stops it');
  return program;
}

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
  it('exits with 0 and prints one JSON document in which everything agrees', async () => {
    const { code, stdout } = await runToEnd(['demo', '--json'], environment);
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
  it('prints a working curl line, accepts 150 leads at once, and stops cleanly at SIGTERM', async () => {
    const { child, ended, stdout: output } = await stayUp(['up', '--demo']);
    const line = output().slice(output().indexOf('curl '));
    const { stdout } = await promisify(execFile)('sh', ['-c', line]);
    expect(JSON.parse(stdout)).toMatchObject({ data: { status: 'ACCEPTED' } });
    // Within its supplier's limit of 200 at once: none is refused.
    const statuses = await sendAtOnce(150);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    // 200 is the answer to a resend whose first answer, 504, left its result open.
    expect(statuses.filter((status) => status !== 201 && status !== 200)).toEqual([]);
  });

  it('keeps account and keys for the next start, readable by their owner only', async () => {
    const known = await readDemoFile(home);
    const { child, ended } = await stayUp(['up', '--demo']);
    const again = await readDemoFile(home);
    child.kill('SIGINT');
    expect((await ended).code).toBe(0);
    const address = { base_url: '', ingest_url: '' };
    expect({ ...again, ...address }).toEqual({ ...known, ...address });
    expect((await stat(demoFilePath(home))).mode & 0o777).toBe(0o600);
  });
});

describe('leadwire up', () => {
  const together = sideBySide();

  together('fails with 1 when an outside MongoDB comes without a secret', async () => {
    const env = { ...environment, LEADWIRE_SECRET: '' };
    expect(await runToEnd(['up'], env)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^Error: LEADWIRE_SECRET is not set\./m),
    });
  });

  together('fails with 1 and one readable message when MongoDB cannot be reached', async () => {
    const env = { ...environment, MONGODB_URI: 'mongodb://127.0.0.1:1/?replicaSet=none' };
    expect(await runToEnd(['up'], env)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.not.stringContaining('    at '),
    });
  });
});
