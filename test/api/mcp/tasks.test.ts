/** An account is set up, and an operator's tasks are done, with inputs that the list of tools alone shows. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { createOrgKey, permissionsOf } from '../../../src/account/keys/keys.js';
import type { JsonObject } from '../../../src/lib/jsonSchema.js';
import { accountOf, makeOrg } from '../../support/org.js';
import { startTestbed, type Testbed } from '../../support/testbed.js';
import { ID, postMcp, replyOf, toolCall, toolOf } from './post.js';
import { TASKS, type Ids } from './tasks.js';

let testbed: Testbed;
let key: string;
let ids: Ids;
const listed = new Map<string, JsonObject>();
const ajv = new Ajv2020({ strict: false });

type Data = Record<string, unknown> & { id: string };

/** The input is as the list describes it, and the service takes it at once. */
async function call(tool: string, input: object): Promise<Data> {
  const schema = listed.get(tool);
  expect([tool, schema && ajv.validate(schema, input)]).toEqual([tool, true]);
  // What is not an example of something deep is a key of the list.
  const unlisted = Object.keys(input).filter((one) => !(one in (schema?.properties as object)));
  expect([tool, unlisted]).toEqual([tool, []]);
  const reply = toolOf(await postMcp(testbed.url, key, toolCall(tool, input)));
  expect([tool, reply.structuredContent.error]).toEqual([tool, undefined]);
  return reply.structuredContent.data as Data;
}

beforeAll(async () => {
  testbed = await startTestbed();
  const { _id } = await makeOrg(testbed.collections, 'Assistants');
  const rights = { name: 'Assistant', permissions: permissionsOf('write') };
  key = (await createOrgKey(accountOf(testbed, _id), rights)).api_key;
  const list = await postMcp(testbed.url, key, { jsonrpc: '2.0', id: ID, method: 'tools/list' });
  const tools = replyOf(list).result.tools as { name: string; inputSchema: JsonObject }[];
  for (const { name, inputSchema } of tools) listed.set(name, inputSchema);
});
afterAll(() => testbed.stop());

describe('a campaign, its buyer and its supplier', () => {
  it('are set up, and a lead is sold, at the first try', async () => {
    const { id: campaign_id } = await call('create_campaign', {
      name: 'Auto insurance',
      status: 'ACTIVE',
      fields: [{ name: 'vehicle_year', type: 'Number', min: 1980 }],
    });
    const { id: buyer_id } = await call('create_buyer', { name: 'Acme' });
    await call('set_buyer_delivery', { buyer_id, method: 'STORE' });
    await call('update_buyer', { buyer_id, test_mode: true });
    const terms = { price: 25, daily_cap: 50, states: ['CA', 'TX'] };
    await call('add_buyer_to_campaign', { campaign_id, buyer_id, ...terms });
    const { id: supplier_id } = await call('create_supplier', { name: 'Search' });
    await call('add_supplier_to_campaign', { campaign_id, supplier_id, cost_per_lead: 12 });
    // A buyer in test mode takes no live leads.
    expect(await call('get_onboarding_status', { campaign_id })).toMatchObject({ ready: false });
    const fields = { state: 'CA', vehicle_year: 2015 };
    expect(await call('send_test_lead', { campaign_id, supplier_id, fields })).toMatchObject({
      status: 'ACCEPTED',
      sent: fields,
    });
    ids = { campaign_id, buyer_id, supplier_id };
  });
});

describe('an operator says', () => {
  it.each(TASKS.map((task) => [task.said, task] as const))('%s', async (_, { calls, shows }) => {
    const answers: Data[] = [];
    for (const [tool, input] of calls(ids)) answers.push(await call(tool, input));
    expect(answers.at(-1)).toMatchObject(shows);
  });
});
