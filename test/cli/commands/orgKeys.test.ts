/** `leadwire operator keys` as an operator calls it: with the database, and no key. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { permissionsOf } from '../../../src/account/keys/keys.js';
import { createActionService } from '../../../src/api/actions/service.js';
import { NO_WITNESS } from '../../../src/api/http/witness.js';
import { actionDeps } from '../../support/api.js';
import { failed, runCli, type Ended } from '../../support/cli.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';
import { testStack } from '../../support/stack.js';
import { makeOrg } from '../../support/org.js';

interface MadeKey {
  id: string;
  api_key: string;
  organization: { id: string; name: string };
  created_by: object;
}

describe('leadwire operator keys', () => {
  let database: TestDatabase;
  let org: string;
  beforeAll(async () => {
    database = await openDatabase();
  });
  beforeEach(async () => {
    const { orgs, apiKeys, audit } = database.collections;
    await Promise.all([orgs.deleteMany({}), apiKeys.deleteMany({}), audit.deleteMany({})]);
    org = (await makeOrg(database.collections, 'Acme'))._id;
  });
  afterAll(() => database.drop());

  const run = (...options: string[]): Promise<Ended> =>
    runCli(['operator', 'keys', ...options], {
      MONGODB_URI: testStack().mongodbUri,
      MONGODB_DATABASE: database.name,
    });
  const create = async (...options: string[]): Promise<MadeKey> =>
    JSON.parse((await run('create', '--json', ...options)).stdout) as MadeKey;
  const whoami = async (key: string) => {
    const service = createActionService(actionDeps(database.collections));
    return (await service.whoami(`Bearer ${key}`, NO_WITNESS)).data;
  };

  it('create a valid key, print it once, and record the operator', async () => {
    const ended = await run('create', '--name', 'Owner', '--permissions', 'all');
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^lw_live_\w{38}\n$/) });
    const key = ended.stdout.trim();
    expect(ended.stderr).toContain('shown only once');
    expect(ended.stderr).not.toContain(key);
    expect(await whoami(key)).toMatchObject({
      organization: { id: org, name: 'Acme' },
      permissions: permissionsOf('write'),
    });
    const made = await create(
      '--name',
      'CI',
      '--permissions',
      'leads:read,reports:read',
      '--by',
      'Ada',
    );
    expect(made).toMatchObject({
      organization: { id: org, name: 'Acme' },
      permissions: ['leads:read', 'reports:read'],
      created_by: { kind: 'operator', name: 'Ada' },
      expires_at: null,
    });
    expect(await whoami(made.api_key)).toMatchObject({ key: { id: made.id, name: 'CI' } });
    const entries = await database.collections.audit
      .find({ org_id: org })
      .sort({ at: 1 })
      .toArray();
    expect(entries).toMatchObject([
      { action: 'create_api_key', key_id: 'operator', key_name: 'operator', outcome: 'done' },
      { action: 'create_api_key', key_id: 'operator', key_name: 'Ada', outcome: 'done' },
    ]);
    expect(JSON.stringify(entries)).not.toContain(made.api_key);
  });

  it('require permissions, and an exact expiry', async () => {
    const silent = await run('create', '--name', 'X');
    expect(silent).toEqual(failed(1, /required option '--permissions <list>' not specified/));
    const bad = (...rest: string[]) => run('create', '--name', 'X', '--permissions', ...rest);
    const list = failed(1, /^Error: --permissions must be all, read, or names/);
    expect(await bad('everything')).toEqual(list);
    expect(await bad('leads:read,')).toEqual(list);
    expect(await bad('read', '--expires-at', '2027')).toEqual(failed(1, /--expires-at must be/));
    expect(await bad('read', '--expires-at', '2020-01-01T00:00:00Z')).toEqual(
      failed(1, /expires_at must be in the future/),
    );
    expect(await database.collections.apiKeys.countDocuments({})).toBe(0);
  });

  it('find the organization by id or name, and list all when several match', async () => {
    const other = (await makeOrg(database.collections, 'Bolt'))._id;
    const read = ['--name', 'K', '--permissions', 'read'];
    expect(await run('create', ...read)).toEqual(failed(1, /more than one organization.*--org ID/));
    const nobody = await run('list', '--org', 'Nobody');
    expect(nobody).toMatchObject({ code: 1, stderr: expect.stringContaining(`${other} (Bolt)`) });
    const named = await create(...read, '--org', 'Bolt');
    const byId = await create(...read, '--org', org);
    expect([named.organization.id, byId.organization.id]).toEqual([other, org]);
    await makeOrg(database.collections, 'Bolt');
    expect(await run('create', ...read, '--org', 'Bolt')).toEqual(failed(1, /More than one/));
    await database.collections.orgs.deleteMany({});
    expect(await run('create', ...read)).toEqual(failed(1, /leadwire init/));
  });

  it('list keys by their first characters, and revoke all except the last with settings:write', async () => {
    const owner = await create('--name', 'Owner', '--permissions', 'all');
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const short = await create('--name', 'S', '--permissions', 'read', '--expires-at', expires_at);
    const listed = await run('list', '--json');
    expect(listed.stdout).not.toContain(owner.api_key);
    const document = JSON.parse(listed.stdout) as { keys: object[] };
    expect(document).toMatchObject({
      organization: { id: org },
      keys: [
        { id: owner.id, expires_at: null },
        { id: short.id, expires_at },
      ],
    });
    const table = await run('list');
    expect(table.stderr).toBe(`2 keys of Acme (${org}), oldest first.\n`);
    expect(table.stdout).toMatch(new RegExp(`${owner.id} +Owner +lw_live_\\w{4} +all +- +- +-`));
    expect((await run('revoke', short.id)).stdout).toContain(`Key ${short.id} was revoked at`);
    await expect(whoami(short.api_key)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await run('revoke', owner.id)).toEqual(failed(1, /This is the last key/));
    expect(await whoami(owner.api_key)).toMatchObject({ key: { id: owner.id } });
    const entry = { action: 'revoke_api_key', key_id: 'operator' };
    const entries = await database.collections.audit.find(entry).sort({ at: 1 }).toArray();
    expect(entries.map(({ outcome }) => outcome)).toEqual(['done', 'refused']);
  });
});
