/** `leadwire up` with several processes, as a person runs it, on the servers of the test run. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDemoFile } from '../../../src/demo/file.js';
import { markProcess } from '../../../src/embedded/processes.js';
import { send } from '../../support/http.js';
import { startProgram, type Running } from '../../support/program.js';
import { testStack, type TestStack } from '../../support/stack.js';
import { supplierOf, type Supplier } from '../../support/supplier.js';
import { waitFor } from '../../support/waitFor.js';

/** The log message of a process that has started its work. */
interface Ready {
  role: string;
  pid: number;
  url: string | null;
  health_url: string;
}

let stack: TestStack;
let home: string;
let program: Running;

beforeAll(async () => {
  stack = testStack();
  home = await mkdtemp(join(tmpdir(), 'leadwire-up-'));
});
afterEach(() => void program.child.kill('SIGKILL'));
afterAll(async () => {
  await stack.drop();
  await rm(home, { recursive: true });
});

async function stayUp(): Promise<void> {
  program = startProgram(['up', '--demo', '--processes', '2'], {
    HOME: process.env.HOME,
    PORT: '0',
    HEALTH_PORT: '0',
    LOG_LEVEL: 'info',
    LEADWIRE_HOME: home,
    LEADWIRE_SECRET: 'a secret of the tests, which is long enough',
    MONGODB_URI: stack.mongodbUri,
    MONGODB_DATABASE: stack.database,
    TEMPORAL_ADDRESS: stack.temporalAddress,
    TEMPORAL_TASK_QUEUE_PREFIX: stack.taskQueuePrefix,
  });
  await program.said('Ctrl-C stops it');
}

const logged = (): object[] =>
  program
    .stderr()
    .split('\n')
    .flatMap((line) =>
      line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line) as object] : [],
    );
const readyOf = (role: string): Ready[] =>
  logged().filter(
    (line): line is Ready =>
      'msg' in line && line.msg === 'ready' && 'role' in line && line.role === role,
  );
const allPids = () => [...readyOf('intake'), ...readyOf('delivery')].map(({ pid }) => pid);
const living = () => allPids().filter((pid) => markProcess(pid));

/** A supplier of the demo that opens a connection for each lead. */
async function openSupplier(): Promise<Supplier> {
  const demo = await readDemoFile(home);
  if (!demo) throw new Error('there is no demo.json');
  const { ingest_url, campaigns, supplier } = demo;
  const suppliers = [{ id: supplier.id, key: supplier.api_key }];
  return supplierOf(ingest_url, {
    orgId: '',
    campaignId: campaigns.direct_post_id,
    buyers: {},
    suppliers,
  });
}

/** How many leads this process has answered. */
async function answeredBy({ health_url }: Ready): Promise<number> {
  const { text } = await send(`${health_url}/metrics`);
  const counts = text.matchAll(
    /^leadwire_http_requests_total\{.*endpoint="ingestLead".*\} (\d+)$/gm,
  );
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

describe('leadwire up --processes 2', () => {
  it('accepts leads in both on one port, replaces one that is killed, and stops in order at Ctrl-C', async () => {
    await stayUp();
    const [first, second] = readyOf('intake') as [Ready, Ready];
    expect(second.url).toBe(first.url);
    expect(readyOf('delivery')).toHaveLength(1);
    const supplier = await openSupplier();
    const post = (count: number) =>
      Promise.all(Array.from({ length: count }, () => supplier.postUntilTaken()));
    const answers = await post(20);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(await answeredBy(first)).toBeGreaterThan(0);
    expect(await answeredBy(second)).toBeGreaterThan(0);

    process.kill(first.pid, 'SIGKILL');
    await waitFor(() => readyOf('intake').length === 3, { message: 'it is replaced' });
    expect(logged()).toContainEqual(
      expect.objectContaining({ process: 'intake', pid: first.pid, how: 'SIGKILL' }),
    );
    const third = readyOf('intake')[2] as Ready;
    expect(third.url).toBe(first.url);
    await supplier.close();
    const next = await openSupplier();
    await Promise.all(Array.from({ length: 20 }, () => next.postUntilTaken()));
    expect(await answeredBy(third)).toBeGreaterThan(0);
    await next.close();

    // A terminal sends the signal to all processes, and a person may press Ctrl-C twice.
    for (const pid of [...living(), ...living()]) process.kill(pid, 'SIGINT');
    expect((await program.interrupted()).code).toBe(0);
    expect(living()).toEqual([]);
  }, 60_000);

  it('leaves no process behind when it is killed', async () => {
    await stayUp();
    expect(living()).toHaveLength(3);
    program.child.kill('SIGKILL');
    await waitFor(() => living().length === 0, { message: 'all have ended' });
  }, 60_000);

  it('stops at once at a later Ctrl-C, also with a process that hangs', async () => {
    await stayUp();
    process.kill(readyOf('intake')[0]?.pid ?? 0, 'SIGSTOP');
    await waitFor(
      () => {
        program.child.kill('SIGINT');
        return program.child.exitCode;
      },
      { message: 'it has ended', intervalMs: 200 },
    );
    expect((await program.ended).code).toBe(130);
    await waitFor(() => living().length === 0, { message: 'all have ended' });
  }, 60_000);
});
