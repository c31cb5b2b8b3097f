import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Connection } from '@temporalio/client';
import { MongoClient } from 'mongodb';
import { markProcess } from '../../../src/embedded/processes.js';
import { startStack, type Stack } from '../../../src/embedded/stack.js';
import type { StackOptions } from '../../../src/embedded/stackOptions.js';
import type { ServerNews } from '../../../src/embedded/keepRunning.js';
import {
  recordingReporter,
  stackOptions,
  testFolder,
  type TestFolder,
} from '../../embedded/support.js';
import { waitFor } from '../../support/waitFor.js';

describe('startStack', () => {
  let folder: TestFolder;
  let home: string;
  const started: Stack[] = [];
  const start = async (more: Partial<StackOptions> = {}) => {
    const stack = await startStack({ ...stackOptions(home), ...more });
    started.push(stack);
    return stack;
  };

  beforeEach(() => {
    folder = testFolder();
    home = join(folder.path, 'home');
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((stack) => stack.stop()));
    folder.remove();
  });

  it('serves MongoDB and Temporal, and the data survives a restart, on the same ports or others', async () => {
    const first = await start();
    expect(first.secret).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(home).mode & 0o777).toBe(0o700);
    expect(statSync(join(home, 'secret')).mode & 0o777).toBe(0o600);
    expect(first.processes.map(({ name }) => name).sort()).toEqual(['mongod', 'temporal']);
    expect((await fetch(first.temporalUiUrl ?? '')).status).toBe(200);
    await withMongo(first, async (client) => {
      await client.db('kept').collection<{ _id: string }>('things').insertOne({ _id: 'thing' });
      const session = client.startSession();
      await session.withTransaction(async () => {
        await client
          .db('kept')
          .collection('things')
          .updateOne({}, { $set: { n: 1 } }, { session });
      });
      await session.endSession();
    });
    expect(await searchAttributes(first, 'leads')).toEqual(['CampaignId', 'LeadId', 'OrgId']);
    const workflowId = await startWorkflow(first);

    await expect(start()).rejects.toThrow(
      new RegExp(
        `home is in use by process ${String(process.pid)} on .+ since \\d{4}-.+Z: MongoDB at ` +
          `${escape(first.mongodbUri)}, Temporal at ${escape(first.temporalAddress)}, its UI at .+` +
          `Stop it \\(kill ${String(process.pid)}\\), or set LEADWIRE_HOME to another folder`,
      ),
    );

    await first.stop();
    expect(first.processes.filter(({ pid }) => markProcess(pid))).toEqual([]);
    expect(existsSync(join(home, 'lock.json'))).toBe(false);

    // Another program has taken the port of MongoDB in the meantime.
    const port = Number(new URL(first.mongodbUri).port);
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');
    const reporter = recordingReporter();
    const second = await start({ reporter });
    other.close();
    expect(second.mongodbUri).not.toBe(first.mongodbUri);
    expect(second.temporalAddress).toBe(first.temporalAddress);
    expect(second.temporalUiUrl).toBe(first.temporalUiUrl);
    expect(reporter.said).toContainEqual(
      expect.stringMatching(
        new RegExp(
          `^info: Port ${String(port)} of MongoDB is in use by another process: it is \\d+`,
        ),
      ),
    );
    expect(second.secret).toBe(first.secret);
    await withMongo(second, async (client) => {
      const things = client.db('kept').collection<{ _id: string }>('things');
      expect(await things.findOne({})).toEqual({ _id: 'thing', n: 1 });
    });
    expect(await searchAttributes(second, 'leads')).toEqual(['CampaignId', 'LeadId', 'OrgId']);
    await expect(describeWorkflow(second, workflowId)).resolves.toBe(workflowId);
  });

  it('has a MongoDB that accepts no compressed messages, which disclose memory before 7.0.28', async () => {
    const stack = await start({ temporalAddress: '127.0.0.1:1' });
    await withMongo(stack, async (client) => {
      const hello = { hello: 1, compression: ['zlib', 'snappy', 'zstd'] };
      expect(await client.db('admin').command(hello)).not.toHaveProperty('compression');
    });
  });

  it('starts only servers that are not given, and starts one again that ends by itself', async () => {
    const stack = await start({ temporalAddress: '127.0.0.1:1' });
    expect(stack.temporalAddress).toBe('127.0.0.1:1');
    expect(stack.temporalUiUrl).toBeNull();
    const news: ServerNews[] = [];
    stack.onNews((one) => news.push(one));
    const [mongod] = stack.processes;
    process.kill(mongod?.pid ?? 0, 'SIGKILL');
    await waitFor(() => news.length > 1);
    expect(news).toEqual([
      { kind: 'ended', name: 'mongod', how: 'it was ended by SIGKILL', restart: 1, of: 5 },
      { kind: 'back', name: 'mongod', afterMs: expect.any(Number) },
    ]);
    expect(stack.processes).toEqual([{ name: 'mongod', pid: expect.any(Number) }]);
    expect(stack.processes[0]?.pid).not.toBe(mongod?.pid);
    await withMongo(stack, async (client) => {
      await client.db('again').collection('things').insertOne({});
    });
  });

  it('touches no home when both addresses are given', async () => {
    const mongodbUri = 'mongodb://db.example:27017/?replicaSet=rs0';
    const stack = await start({ mongodbUri, temporalAddress: 'temporal.example:7233' });
    expect(stack).toMatchObject({ mongodbUri, secret: null, temporalUiUrl: null, processes: [] });
    expect(existsSync(home)).toBe(false);
  });

  it('reports why a server did not start, with the end of its log, and releases the home', async () => {
    const first = await start({ temporalAddress: '127.0.0.1:1' });
    await first.stop();
    const { rmSync, writeFileSync } = await import('node:fs');
    rmSync(join(home, 'mongodb', 'WiredTiger.turtle'));
    writeFileSync(join(home, 'mongodb', 'storage.bson'), 'broken');
    await expect(start({ temporalAddress: '127.0.0.1:1' })).rejects.toThrow(
      /mongod ended while starting .+Its log ends:\n.+mongod\.log/s,
    );
    expect(existsSync(join(home, 'lock.json'))).toBe(false);
    expect(readFileSync(join(home, 'secret'), 'utf8').trim()).toBe(first.secret);
  });
});

const escape = (text: string): string => text.replace(/[.?/]/g, '\\$&');

async function withMongo(stack: Stack, work: (client: MongoClient) => Promise<void>) {
  const client = await MongoClient.connect(stack.mongodbUri);
  try {
    await work(client);
  } finally {
    await client.close();
  }
}

async function withTemporal<T>(stack: Stack, work: (connection: Connection) => Promise<T>) {
  const connection = await Connection.connect({ address: stack.temporalAddress });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

const searchAttributes = (stack: Stack, namespace: string) =>
  withTemporal(stack, async ({ operatorService }) => {
    const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
    return Object.keys(customAttributes)
      .filter((name) => /^(Lead|Campaign|Org)Id$/.test(name))
      .sort();
  });

const startWorkflow = (stack: Stack) =>
  withTemporal(stack, async ({ workflowService }) => {
    await workflowService.startWorkflowExecution({
      namespace: 'leads',
      workflowId: 'kept',
      requestId: 'kept',
      workflowType: { name: 'anything' },
      taskQueue: { name: 'nobody' },
    });
    return 'kept';
  });

const describeWorkflow = (stack: Stack, workflowId: string) =>
  withTemporal(stack, async ({ workflowService }) => {
    const { workflowExecutionInfo } = await workflowService.describeWorkflowExecution({
      namespace: 'leads',
      execution: { workflowId },
    });
    return workflowExecutionInfo?.execution?.workflowId;
  });
