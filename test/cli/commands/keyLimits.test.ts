/** `leadwire operator key-limits` as an operator calls it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createOrgKey, keyIdOf } from '../../../src/account/keys/keys.js';
import { failed, runCli, type Ended } from '../../support/cli.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';
import { testStack } from '../../support/stack.js';
import { accountOf } from '../../support/org.js';

describe('leadwire key-limits', () => {
  let database: TestDatabase;
  let key: string;
  beforeAll(async () => {
    database = await openDatabase();
    const made = await createOrgKey(accountOf(database, 'org'), { name: 'Busy' });
    key = keyIdOf(made.key);
  });
  afterAll(() => database.drop());

  const run = (...options: string[]): Promise<Ended> =>
    runCli(['operator', 'key-limits', '--org', 'org', ...options], {
      MONGODB_URI: testStack().mongodbUri,
      MONGODB_DATABASE: database.name,
    });
  const printed = (stdout: string) => ({ code: 0, stdout: `${stdout}\n`, stderr: '' });

  it('shows and sets the calls of a key per minute', async () => {
    const usual = `Key ${key}: 120 calls a minute, 30 of them writes.`;
    expect(await run('--key', key)).toEqual(printed(usual));
    const raised = await run('--key', key, '--calls', '600', '--writes', '300', '--json');
    expect(JSON.parse(raised.stdout)).toEqual({
      key_id: key,
      calls_per_minute: 600,
      writes_per_minute: 300,
    });
    expect(await run('--key', key)).toEqual(
      printed(`Key ${key}: 600 calls a minute, 300 of them writes.`),
    );
    expect(await run('--key', key, '--default')).toEqual(printed(usual));
  });

  it('says what is wrong', async () => {
    expect(await run('--key', 'none')).toEqual(failed(1, 'Error: There is no key none.\n'));
    expect(await run('--key', key, '--default', '--calls', '5')).toEqual(
      failed(1, /--default cannot be combined/),
    );
    expect(await run('--key', key, '--writes', '121')).toEqual(
      failed(1, 'Error: writes_per_minute must be a whole number from 1 to 120; it is 121.\n'),
    );
  });
});
