/** `leadwire operator key-limits` as an operator calls it. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runProgram } from '../../../cli/program.js';
import { createOrgKey, keyIdOf } from '../../../src/account/keys/keys.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';
import { testStack } from '../../support/stack.js';
import { createTerminal } from '../testTerminal.js';

describe('leadwire key-limits', () => {
  let database: TestDatabase;
  let key: string;
  beforeAll(async () => {
    database = await openDatabase();
    const made = await createOrgKey(database.collections, 'org', { name: 'Busy' });
    key = keyIdOf(made.key);
  });
  afterAll(() => database.drop());

  const run = async (...options: string[]): Promise<string> => {
    const { terminal, out } = createTerminal({
      MONGODB_URI: testStack().mongodbUri,
      MONGODB_DATABASE: database.name,
    });
    await runProgram(['operator', 'key-limits', '--org', 'org', ...options], terminal);
    return out.join('\n');
  };

  it('shows and sets the calls of a key per minute', async () => {
    const usual = `Key ${key}: 120 calls a minute, 30 of them writes.`;
    expect(await run('--key', key)).toBe(usual);
    const raised = await run('--key', key, '--calls', '600', '--writes', '300', '--json');
    expect(JSON.parse(raised)).toEqual({
      key_id: key,
      calls_per_minute: 600,
      writes_per_minute: 300,
    });
    expect(await run('--key', key)).toBe(`Key ${key}: 600 calls a minute, 300 of them writes.`);
    expect(await run('--key', key, '--default')).toBe(usual);
  });

  it('says what is wrong', async () => {
    await expect(run('--key', 'none')).rejects.toThrow('There is no key none.');
    await expect(run('--key', key, '--default', '--calls', '5')).rejects.toThrow(
      '--default cannot be combined',
    );
    await expect(run('--key', key, '--writes', '121')).rejects.toThrow(
      'writes_per_minute must be a whole number from 1 to 120; it is 121.',
    );
  });
});
