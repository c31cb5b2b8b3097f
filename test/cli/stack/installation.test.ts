/** Commands of operators find the servers of a running stack by its home. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRunning, readHomeSecret } from '../../../src/embedded/running.js';
import { markProcess } from '../../../src/embedded/processes.js';
import { createOrg } from '../../../src/account/orgs.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';
import { failed, runCli } from '../../support/cli.js';
import { testStack } from '../../support/stack.js';

let database: TestDatabase;
let home: string;
let environment: NodeJS.ProcessEnv;
beforeAll(async () => {
  database = await openDatabase();
  await createOrg(database.collections, { name: 'Acme', time_zone: 'America/New_York' });
});
afterAll(() => database.drop());
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'leadwire-home-'));
  environment = { LEADWIRE_HOME: home, MONGODB_DATABASE: database.db.databaseName };
});
afterEach(() => rm(home, { recursive: true }));

const { mongodbUri, temporalAddress } = testStack();
const addresses = { mongodb_uri: mongodbUri, temporal_address: temporalAddress };

/** As the process that holds a home writes it. */
const hold = (more: object = addresses, owner: object = {}) =>
  writeFile(
    join(home, 'lock.json'),
    JSON.stringify({
      ...markProcess(process.pid),
      token: 't',
      host: hostname(),
      ...owner,
      ...more,
    }),
  );

const KEYS = ['operator', 'keys', 'list'];
const DROP = ['operator', 'deliveries', 'drop', '--buyer', 'nobody', '--wait', '1'];

describe('commands of operators', () => {
  it('work on the stack of the home, without an address by hand', async () => {
    await hold();
    expect(await runCli(KEYS, environment)).toMatchObject({ code: 0, stderr: expect.any(String) });
    // It needs Temporal too, and is refused by what it finds there.
    expect(await runCli(DROP, environment)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/nobody/),
    });
  });

  it('prefer the settings', async () => {
    await hold({ mongodb_uri: 'mongodb://127.0.0.1:1/' });
    expect(await runCli(KEYS, { ...environment, MONGODB_URI: mongodbUri })).toMatchObject({
      code: 0,
    });
  });

  it.each([
    ['there is no home', () => Promise.resolve()],
    ['its owner is dead', () => hold(addresses, { pid: 2 ** 22 + 1, process_start: 'x' })],
    ['its lock is damaged', () => writeFile(join(home, 'lock.json'), '{"pid":')],
  ])('say what to do when %s', async (_what, prepare) => {
    await prepare();
    expect(await runCli(KEYS, environment)).toEqual(
      failed(
        1,
        `Error: MONGODB_URI is not set, and no stack runs in ${home}. Start one with leadwire up, set LEADWIRE_HOME to the home of the running one, or set MONGODB_URI to the address of your own server.\n`,
      ),
    );
  });

  it('say so while the stack is starting', async () => {
    await hold({});
    expect(await runCli(KEYS, environment)).toEqual(
      failed(1, /^Error: MONGODB_URI is not set, and the stack has no address for it yet in /),
    );
  });
});

describe('a home', () => {
  it('names the servers of a stack on another machine as it wrote them', async () => {
    await hold({ ...addresses, temporal_ui: 'http://ui' }, { host: 'elsewhere', pid: 1 });
    expect(findRunning(home)).toEqual({ mongodbUri, temporalAddress, temporalUiUrl: 'http://ui' });
  });

  it('has a secret once it was used', async () => {
    expect(readHomeSecret(home)).toBeNull();
    await writeFile(join(home, 'secret'), 'abc\n');
    expect(readHomeSecret(home)).toBe('abc');
  });
});
