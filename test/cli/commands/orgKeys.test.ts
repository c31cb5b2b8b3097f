/** `leadwire operator keys` as an operator calls it: with the database, and no key. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { runProgram } from '../../../cli/program.js';
import { permissionsOf } from '../../../src/account/keys/keys.js';
import { createOrg } from '../../../src/account/orgs.js';
import { createActionService } from '../../../src/api/actions/service.js';
import { NO_WITNESS } from '../../../src/api/http/witness.js';
import { actionDeps } from '../../support/api.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';
import { testStack } from '../../support/stack.js';
import { createTerminal } from '../testTerminal.js';

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
    org = (await createOrg(database.collections, { name: 'Acme' }))._id;
  });
  afterAll(() => database.drop());

  const run = async (...options: string[]): Promise<{ out: string; err: string }> => {
    const { terminal, out, err } = createTerminal({
      MONGODB_URI: testStack().mongodbUri,
      MONGODB_DATABASE: database.name,
    });
    await runProgram(['operator', 'keys', ...options], terminal);
    return { out: out.join('\n'), err: err.join('\n') };
  };
  const create = async (...options: string[]): Promise<MadeKey> =>
    JSON.parse((await run('create', '--json', ...options)).out) as MadeKey;
  const whoami = async (key: string) => {
    const service = createActionService(actionDeps(database.collections));
    return (await service.whoami(`Bearer ${key}`, NO_WITNESS)).data;
  };

  it('create a valid key, print it once, and record the operator', async () => {
    const { out, err } = await run('create', '--name', 'Owner', '--permissions', 'all');
    expect(out).toMatch(/^lw_live_[0-9A-Za-z]{38}$/);
    expect(err).toContain('shown only once');
    expect(err).not.toContain(out);
    expect(await whoami(out)).toMatchObject({
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
    expect(silent.err).toContain("required option '--permissions <list>' not specified");
    const bad = (...rest: string[]) => run('create', '--name', 'X', '--permissions', ...rest);
    await expect(bad('everything')).rejects.toThrow('--permissions must be all, read, or names');
    await expect(bad('leads:read,')).rejects.toThrow('--permissions must be all, read, or names');
    await expect(bad('read', '--expires-at', '2027')).rejects.toThrow('--expires-at must be');
    await expect(bad('read', '--expires-at', '2020-01-01T00:00:00Z')).rejects.toThrow(
      'expires_at must be in the future',
    );
    expect(await database.collections.apiKeys.countDocuments({})).toBe(0);
  });

  it('find the organization by id or name, and list all when several match', async () => {
    const other = (await createOrg(database.collections, { name: 'Bolt' }))._id;
    const read = ['--name', 'K', '--permissions', 'read'];
    await expect(run('create', ...read)).rejects.toThrow(/more than one organization.*--org ID/);
    await expect(run('list', '--org', 'Nobody')).rejects.toThrow(`${other} (Bolt)`);
    const named = await create(...read, '--org', 'Bolt');
    const byId = await create(...read, '--org', org);
    expect([named.organization.id, byId.organization.id]).toEqual([other, org]);
    await createOrg(database.collections, { name: 'Bolt' });
    await expect(run('create', ...read, '--org', 'Bolt')).rejects.toThrow('More than one');
    await database.collections.orgs.deleteMany({});
    await expect(run('create', ...read)).rejects.toThrow('leadwire init');
  });

  it('list keys by their first characters, and revoke all except the last with settings:write', async () => {
    const owner = await create('--name', 'Owner', '--permissions', 'all');
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const short = await create('--name', 'S', '--permissions', 'read', '--expires-at', expires_at);
    const listed = await run('list', '--json');
    expect(listed.out).not.toContain(owner.api_key);
    const document = JSON.parse(listed.out) as { keys: object[] };
    expect(document).toMatchObject({
      organization: { id: org },
      keys: [
        { id: owner.id, expires_at: null },
        { id: short.id, expires_at },
      ],
    });
    const table = await run('list');
    expect(table.err).toBe(`2 keys of Acme (${org}), oldest first.`);
    expect(table.out).toMatch(new RegExp(`${owner.id} +Owner +lw_live_\\w{4} +all +- +- +-`));
    expect((await run('revoke', short.id)).out).toContain(`Key ${short.id} was revoked at`);
    await expect(whoami(short.api_key)).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(run('revoke', owner.id)).rejects.toThrow('This is the last key');
    expect(await whoami(owner.api_key)).toMatchObject({ key: { id: owner.id } });
    const entry = { action: 'revoke_api_key', key_id: 'operator' };
    const entries = await database.collections.audit.find(entry).sort({ at: 1 }).toArray();
    expect(entries.map(({ outcome }) => outcome)).toEqual(['done', 'refused']);
  });
});
