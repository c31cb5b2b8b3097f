/** Changes and reads of operators, as the organization can list them. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createOrgKey, keyIdOf, permissionsOf } from '../../../src/account/keys/keys.js';
import { startActionsApi, type ActionsApi, type Org } from '../../support/api.js';
import { failed, runCli, type Ended } from '../../support/cli.js';
import { aLead } from '../../support/storedRows.js';
import { testStack } from '../../support/stack.js';
import { accountOf } from '../../support/org.js';

describe('the record of an organization', () => {
  let api: ActionsApi;
  let org: Org;
  let lead: string;
  beforeAll(async () => {
    api = await startActionsApi();
    org = await api.org();
    const made = aLead({ org_id: org.id });
    lead = made._id;
    await api.collections.leads.insertOne(made);
  });
  afterAll(() => api.stop());

  const run = (...args: string[]): Promise<Ended> =>
    runCli(['operator', ...args], {
      MONGODB_URI: testStack().mongodbUri,
      MONGODB_DATABASE: api.collections.leads.dbName,
    });
  const listed = async (input: object): Promise<unknown> => {
    const answer = await api.call(await org.key(), 'list_audit', input);
    return (answer.json as { data: unknown }).data;
  };

  it('has the trails that an operator read', async () => {
    expect(await run('leads', 'trail', lead, '--by', 'ada')).toMatchObject({ code: 0 });
    expect(await run('leads', 'trail', lead, '--json')).toMatchObject({ code: 0 });
    const input = { lead_id: lead };
    expect(await listed({ of: 'reads', action: 'get_lead_distribution_trail' })).toMatchObject([
      { key: { id: 'operator', name: 'operator' }, input, outcome: 'done' },
      { key: { id: 'operator', name: 'ada' }, input, outcome: 'done' },
    ]);
  });

  it('has the limits that an operator set for a key, and no reads of them', async () => {
    const { key } = await createOrgKey(accountOf(api, org.id), {
      name: 'Busy',
      permissions: permissionsOf('read'),
    });
    const limits = ['key-limits', '--org', org.id, '--key', keyIdOf(key), '--by', 'ada'];
    expect(await run(...limits)).toMatchObject({ code: 0 });
    expect(await run(...limits, '--calls', '600')).toMatchObject({ code: 0 });
    expect(await run(...limits, '--writes', '5000')).toEqual(failed(1, /from 1 to 600/));
    expect(await run(...limits, '--default')).toMatchObject({ code: 0 });
    const key_id = keyIdOf(key);
    expect(await listed({ action: 'set_key_limits' })).toMatchObject([
      { key: { id: 'operator', name: 'ada' }, input: { key_id, default: true }, outcome: 'done' },
      { input: { key_id, writes_per_minute: 5_000 }, outcome: 'refused' },
      { input: { key_id, calls_per_minute: 600 }, outcome: 'done' },
    ]);
  });
});
