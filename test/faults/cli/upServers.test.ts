/** `leadwire up` whose servers are killed, as a person runs it, on servers of its own. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { readDemoFile } from '../../../src/demo/file.js';
import { readHolder } from '../../../src/embedded/fileLock.js';
import type { HomeLockData } from '../../../src/embedded/homeLock.js';
import { markProcess } from '../../../src/embedded/processes.js';
import { startProgram, type Running } from '../../support/program.js';
import { supplierOf, type Supplier } from '../../support/supplier.js';
import { waitFor } from '../../support/waitFor.js';

let home: string;
let program: Running;
let supplier: Supplier;
let mongodbUri: string;
/** The ids of all leads that were acknowledged. */
const acknowledged: string[] = [];

const lockOf = () => readHolder(join(home, 'lock.json')) as HomeLockData | null;
function pidOf(name: string): number {
  const server = lockOf()?.servers?.find((one) => one.name === name);
  if (!server) throw new Error(`${name} does not run`);
  return server.pid;
}
const says = (pattern: RegExp): number => [...program.stderr().matchAll(pattern)].length;

async function stayUp(): Promise<void> {
  const { HOME, LEADWIRE_CACHE, LEADWIRE_MONGOD, LEADWIRE_TEMPORAL } = process.env;
  program = startProgram(['up', '--demo', '--processes', '1'], {
    HOME,
    LEADWIRE_CACHE,
    LEADWIRE_MONGOD,
    LEADWIRE_TEMPORAL,
    PORT: '0',
    LEADWIRE_HOME: home,
  });
  await program.said('Ctrl-C stops it');
  const demo = await readDemoFile(home);
  if (!demo) throw new Error('there is no demo.json');
  mongodbUri = demo.mongodb_uri;
  const suppliers = [{ id: demo.supplier.id, key: demo.supplier.api_key }];
  const campaignId = demo.campaigns.direct_post_id;
  supplier = supplierOf(demo.ingest_url, { orgId: '', campaignId, buyers: {}, suppliers });
}

async function post(count: number): Promise<void> {
  const answers = await Promise.all(Array.from({ length: count }, () => supplier.postUntilTaken()));
  for (const { status, data } of answers) {
    expect([200, 201, 202]).toContain(status);
    acknowledged.push(data?.id ?? '');
  }
}

/** Kills the server, and waits until it answers again. */
async function kill(name: 'mongod' | 'temporal'): Promise<void> {
  const answers = () => says(new RegExp(`${name} answers again`, 'g'));
  const before = answers();
  process.kill(pidOf(name), 'SIGKILL');
  await waitFor(
    () => {
      if (answers() > before) return true;
      throw new Error(program.stderr());
    },
    { message: `${name} answers again`, timeoutMs: 60_000 },
  );
}

async function storedLeads(): Promise<string[]> {
  const client = await MongoClient.connect(mongodbUri);
  try {
    const leads = client.db('leadwire').collection<{ _id: string }>('leads');
    return await leads
      .find({ _id: { $in: acknowledged } })
      .map(({ _id }) => _id)
      .toArray();
  } finally {
    await client.close();
  }
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'leadwire-up-'));
  await stayUp();
}, 90_000);
afterAll(async () => {
  program.child.kill('SIGKILL');
  await supplier.close();
  await waitFor(() => (lockOf()?.servers ?? []).every(({ pid }) => markProcess(pid) === null));
  await rm(home, { recursive: true });
});

describe('leadwire up whose servers are killed', () => {
  it.each(['mongod', 'temporal'] as const)(
    'starts %s again at the same address, and leads are accepted as before',
    async (name) => {
      await post(5);
      const before = pidOf(name);
      await kill(name);
      expect(program.stderr()).toContain(
        `${name} does not run: it was ended by SIGKILL. It is started again, 1 of at most 5 times in 10 minutes.`,
      );
      expect(pidOf(name)).not.toBe(before);
      await post(5);
      expect((await storedLeads()).sort()).toEqual([...acknowledged].sort());
    },
    90_000,
  );

  it('has the same addresses after the next start', async () => {
    const before = await readDemoFile(home);
    expect((await program.interrupted()).code).toBe(0);
    await supplier.close();
    await stayUp();
    const { base_url, mongodb_uri, temporal_address, temporal_ui_url } = before ?? {};
    const same = { base_url, mongodb_uri, temporal_address, temporal_ui_url };
    expect(await readDemoFile(home)).toMatchObject(same);
    await post(1);
    expect((await storedLeads()).sort()).toEqual([...acknowledged].sort());
  }, 90_000);

  it('gives up after five restarts within ten minutes, says what to do, and fails', async () => {
    for (let restart = 1; restart <= 5; restart += 1) await kill('mongod');
    process.kill(pidOf('mongod'), 'SIGKILL');
    const { code, stderr } = await program.ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /mongod does not run: it was ended by SIGKILL\. It is not started again, because it was started again 5 times in 10 minutes\. Read the end of .+mongod\.log; .+ Then start Leadwire again/,
    );
    expect(lockOf()).toBeNull();
  }, 120_000);
});
