/**
 * MongoDB as docker-compose.yml starts it, with the secrets of deploy/make-secrets, and the roles configured as in that
 * file. Temporal is the one of the test run, behind TLS that requires a client certificate like the one in the file.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { connect as connectTcp, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { createServer } from 'node:tls';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../src/app/config.js';
import { findPrograms } from '../../../src/embedded/binaries/programs.js';
import { choosePorts } from '../../../src/embedded/ports.js';
import { silentReporter } from '../../support/silentReporter.js';
import { ensureIndexes } from '../../../src/app/ensureIndexes.js';
import { SUPERSEDED_LEAD_INDEX } from '../../../src/leads/store/leadIndexes.js';
import { nameOf } from '../../app/queries/explain.js';
import { createAccount } from '../../support/account.js';
import { startFakeBuyer, YES } from '../../support/fakeBuyer.js';
import { startServiceBed, type ServiceBed } from '../../support/service.js';
import { testStack } from '../../support/stack.js';
import { supplierOf } from '../../support/supplier.js';
import { waitFor } from '../../support/waitFor.js';
import { interpolate, parseCompose, SECRETS } from '../../deploy/compose.js';
import { makeSecrets, type MadeSecrets } from '../../deploy/madeSecrets.js';
import { COMPILED, readRoot } from '../../deploy/repository.js';

const { services } = parseCompose(readRoot('docker-compose.yml'));
const MODULE = join(COMPILED, 'src/setup/mongodb.js');

let secrets: MadeSecrets;
let mongod: ChildProcess;
let port = 0;

/** The environment of a service in the file, with the paths of its secrets on this machine. */
const environmentOf = (name: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(services[name]?.environment ?? {}).map(([key, value]) => [
      key,
      interpolate(value, {}).replace(SECRETS, `${secrets.path}/`),
    ]),
  );

async function startMongod(auth = true): Promise<void> {
  const { cacheDir, mongodPath } = readConfig(process.env);
  const { mongod: program = '' } = await findPrograms({
    cacheDir,
    mongodPath,
    temporalAddress: 'none',
    reporter: silentReporter,
  });
  const home = dirname(secrets.path);
  mkdirSync(join(home, 'data'), { recursive: true });
  mkdirSync(join(home, 'run'), { recursive: true });
  const place = `--bind_ip 127.0.0.1 --port ${port} --dbpath ${home}/data --nounixsocket`;
  const script = interpolate(services.mongodb?.command?.[0] ?? '', {})
    .replaceAll(SECRETS, `${secrets.path}/`)
    .replaceAll('/run/leadwire/', `${home}/run/`)
    .replace('exec mongod', `exec ${program}`)
    .replace('--bind_ip_all', place)
    .replace(auth ? '' : /--auth[^]*$/, '');
  const [, ...args] = services.mongodb?.entrypoint ?? [];
  mongod = spawn('bash', [...args, script], { stdio: 'ignore' });
  await waitFor(
    async () => {
      const socket = connectTcp(port, '127.0.0.1');
      return once(socket, 'connect').then(
        () => Boolean(socket.destroy()),
        () => false,
      );
    },
    { message: 'mongod listens' },
  );
}

async function stopMongod(): Promise<void> {
  const gone = once(mongod, 'exit');
  mongod.kill('SIGTERM');
  await gone;
}

async function setUp(database: string): Promise<{ code: number; said: string }> {
  const env = { ...environmentOf('mongodb-setup'), MONGODB_DATABASE: database };
  const child = spawn(process.execPath, [MODULE], { env, stdio: ['ignore', 'inherit', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, said };
}

/** Runs a command at the database of that URI, as its user. */
async function ask(uri: string, command: object, database = 'leadwire'): Promise<object> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 3_000 });
  try {
    return await client.db(database).command(command);
  } finally {
    await client.close();
  }
}

/** Client certificates are required, like with TEMPORAL_TLS_REQUIRE_CLIENT_AUTH. */
async function startTemporalDoor(address: string): Promise<{ port: number; close(): void }> {
  const [host = '', at = ''] = address.split(':');
  const pem = (name: string) => readFileSync(join(secrets.path, name));
  const door = createServer(
    {
      cert: pem('temporal_cert'),
      key: pem('temporal_key'),
      ca: pem('ca'),
      requestCert: true,
      rejectUnauthorized: true,
      ALPNProtocols: ['h2'],
    },
    (socket) => {
      const inner = connectTcp(Number(at), host);
      socket.pipe(inner).pipe(socket);
      socket.on('error', () => inner.destroy());
      inner.on('error', () => socket.destroy());
    },
  );
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  return { port: (door.address() as AddressInfo).port, close: () => void door.close() };
}

beforeAll(async () => {
  secrets = makeSecrets();
  [port = 0] = await choosePorts([0]);
  for (const name of ['mongodb_uri', 'mongodb_admin_uri'])
    secrets.replace(name, (text) => text.replace(/@\w+:27017/, `@localhost:${port}`));
  await startMongod();
}, 60_000);
afterAll(async () => {
  await stopMongod();
  secrets.remove();
});

describe('MongoDB as the compose file starts it', () => {
  const database = 'leadwire';

  it('is set up once, again without a change, and refuses other passwords', async () => {
    expect(await setUp(database)).toEqual({ code: 0, said: 'MongoDB is ready.\n' });
    expect(await setUp(database)).toEqual({ code: 0, said: 'MongoDB is ready.\n' });
    const right = secrets.read('mongodb_admin_uri');
    secrets.replace('mongodb_admin_uri', (text) => text.replace(/root:\w+@/, 'root:wrong@'));
    const { code, said } = await setUp(database);
    expect(code).toBe(1);
    expect(said).toContain('refuses the password of its administrator in MONGODB_ADMIN_URI');
    expect(said).not.toContain('wrong');
    secrets.replace('mongodb_admin_uri', () => right);
  });

  it('reports what is missing when it is set up without settings', async () => {
    const child = spawn(process.execPath, [MODULE], {
      env: {},
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(said).toBe(
      'MONGODB_ADMIN_URI: required, or MONGODB_ADMIN_URI_FILE\nMONGODB_URI: required, or MONGODB_URI_FILE\n',
    );
  });

  it('refuses clients without TLS or without the right password', async () => {
    const uri = secrets.read('mongodb_uri');
    const find = { find: 'leads' };
    await expect(ask(uri.replace(/&tls=.*/, ''), find)).rejects.toThrow();
    await expect(ask(uri.replace(/&tlsCAFile=.*/, ''), find)).rejects.toThrow();
    await expect(ask(uri.replace(/leadwire:\w+@/, ''), find)).rejects.toThrow('authentication');
    const wrong = uri.replace(/leadwire:\w+@/, 'leadwire:wrong@');
    await expect(ask(wrong, find)).rejects.toThrow('Authentication failed');
    await expect(ask(uri, find)).resolves.toMatchObject({ ok: 1 });
  });

  it.each([
    ['read another database', { find: 'secrets' }, 'other'],
    ['make users', { createUser: 'eve', pwd: 'x', roles: ['root'] }, 'admin'],
    ['read the passwords of others', { find: 'system.users' }, 'admin'],
    ['stop the server', { shutdown: 1 }, 'admin'],
    ['change the replica set', { replSetReconfig: {} }, 'admin'],
    ['read the oplog', { find: 'oplog.rs' }, 'local'],
  ])('does not let Leadwire %s', async (_what, command, of) => {
    await expect(ask(secrets.read('mongodb_uri'), command, of)).rejects.toThrow('not authorized');
  });

  it('lets Leadwire create its indexes, and drop those that are no longer needed', async () => {
    const client = new MongoClient(secrets.read('mongodb_uri'));
    try {
      const leads = client.db(database).collection('leads');
      await leads.createIndex(SUPERSEDED_LEAD_INDEX);
      const { inBackground } = await ensureIndexes(client.db(database), { keptMs: 0 });
      await inBackground;
      const names = (await leads.indexes()).map(({ name }) => name);
      expect(names.length).toBeGreaterThan(1);
      expect(names).not.toContain(nameOf(SUPERSEDED_LEAD_INDEX));
    } finally {
      await client.close();
    }
  });

  it('sells a lead with its roles, with Temporal behind TLS', async () => {
    const { temporalAddress } = testStack();
    const door = await startTemporalDoor(temporalAddress);
    const buyer = await startFakeBuyer(() => YES);
    const ofRoles = {
      ...environmentOf('intake'),
      TEMPORAL_ADDRESS: `localhost:${door.port}`,
      HEALTH_PORT: '0',
      PORT: '0',
      MONGODB_URI: '',
      // The test bed has one of its own.
      LEADWIRE_SECRET_FILE: '',
    };
    let bed: ServiceBed | undefined;
    try {
      bed = await startServiceBed({ mongodbUri: secrets.read('mongodb_uri'), database });
      await bed.spawn('delivery', ofRoles);
      const intake = await bed.spawn('intake', ofRoles);
      const account = await createAccount(bed, {
        buyers: { one: { delivery: { url: buyer.url } } },
      });
      const answer = await supplierOf(intake.url, account).post();
      expect(answer).toMatchObject({ status: 201, data: { delivery: 'delivered' } });
      const without = Object.fromEntries(
        Object.entries(ofRoles).filter(([name]) => !name.startsWith('TEMPORAL_TLS_CLIENT_')),
      );
      await expect(bed.spawn('intake', without)).rejects.toThrow(
        'Temporal does not answer at localhost',
      );
    } finally {
      await bed?.stop();
      await buyer.stop();
      door.close();
    }
  }, 60_000);
});

describe('MongoDB of an installation that had no passwords', () => {
  it('has them after the setup, and keeps its data', async () => {
    await stopMongod();
    const uri = `mongodb://127.0.0.1:${port}/?directConnection=true`;
    const { path } = secrets;
    secrets.remove();
    secrets = makeSecrets();
    expect(secrets.path).not.toBe(path);
    for (const name of ['mongodb_uri', 'mongodb_admin_uri'])
      secrets.replace(name, (text) => text.replace(/@\w+:27017/, `@localhost:${port}`));
    await startMongod(false);
    const members = [{ _id: 0, host: `localhost:${port}` }];
    await ask(uri, { replSetInitiate: { _id: 'leadwire', members } }, 'admin');
    await waitFor(
      async () =>
        ((await ask(uri, { hello: 1 }, 'admin')) as { isWritablePrimary: boolean })
          .isWritablePrimary,
      { message: 'it takes writes' },
    );
    await ask(uri, { insert: 'leads', documents: [{ _id: 'old' }] });
    await stopMongod();
    await startMongod();
    expect(await setUp('leadwire')).toMatchObject({ code: 0 });
    const found = await ask(secrets.read('mongodb_uri'), { find: 'leads', filter: {} });
    expect(found).toMatchObject({ cursor: { firstBatch: [{ _id: 'old' }] } });
  }, 60_000);
});
