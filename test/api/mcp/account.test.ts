/** The demo account is the same on whichever surface it was set up. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createOrgKey, permissionsOf } from '../../../src/account/keys/keys.js';
import { DEMO_ORG_ID } from '../../../src/demo/names.js';
import { ensureDemoAccount } from '../../../src/demo/account.js';
import { keyring } from '../../account/values.js';
import { startActionsApi, type ActionsApi } from '../../support/api.js';
import { demoAccountFile, describeAccount, makeDemoAccount } from '../actions/demoAccount.js';
import type { CallAction } from '../actions/demoAccount.js';
import { runCli } from '../../support/cli.js';
import { postMcp, toolCall, toolOf } from './post.js';
import { accountOf } from '../../support/org.js';

let api: ActionsApi;
beforeAll(async () => {
  api = await startActionsApi();
});
afterAll(() => api.stop());

const buyerUrl = (key: string) => `http://127.0.0.1:9/${key}`;

const overHttp =
  (key: string): CallAction =>
  async (action, input) => {
    const { status, json, text } = await api.call(key, action, input);
    if (status !== 200) throw new Error(`${action}: ${text}`);
    return json?.data;
  };

const overMcp =
  (key: string): CallAction =>
  async (action, input) => {
    const { structuredContent } = toolOf(await postMcp(api.url, key, toolCall(action, input)));
    if (structuredContent.success !== true)
      throw new Error(`${action}: ${structuredContent.error as string}`);
    return structuredContent.data;
  };

/** JSON is YAML. */
async function apply(key: string, file: object): Promise<void> {
  const environment = { LEADWIRE_URL: api.url, LEADWIRE_API_KEY: key };
  const input = JSON.stringify(file);
  expect(await runCli(['apply', '-f', '-', '--yes'], environment, { input })).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/\nDone: the account matches the file\.\n$/),
  });
}

describe('the demo account', () => {
  it('is the same created over HTTP, by MCP, by leadwire apply, and by the demo', async () => {
    const [one, two, three] = [await api.org(), await api.org(), await api.org()];
    await makeDemoAccount(overHttp(await one.sharedKey()), buyerUrl);
    await makeDemoAccount(overMcp(await two.sharedKey()), buyerUrl);
    await apply(await three.sharedKey(), demoAccountFile(buyerUrl));
    const { collections } = api;
    await ensureDemoAccount(
      { collections, keyring, policy: { allowPrivate: true } },
      buyerUrl,
      null,
    );
    const { api_key: demoKey } = await createOrgKey(accountOf({ collections }, DEMO_ORG_ID), {
      name: 'Reader',
      permissions: permissionsOf('read'),
    });
    const made = await describeAccount(overMcp(await two.sharedKey()));
    expect(made).toEqual(await describeAccount(overHttp(await one.sharedKey())));
    expect(made).toEqual(await describeAccount(overHttp(await three.sharedKey())));
    expect(made).toEqual(await describeAccount(overHttp(demoKey)));
    expect(made).toMatchObject({
      campaigns: [
        {
          name: 'Demo: direct post',
          buyers: [
            { buyer_id: 'Open Market', price: 8.25 },
            { buyer_id: 'Premier Homes', price: 42.5, daily_cap: 10_000 },
            { buyer_id: 'Steady & Sons', price: 27 },
          ],
          suppliers: [{ cost_per_lead: 4 }, { revenue_share: 60 }],
        },
        { name: 'Demo: one buyer' },
        { name: 'Demo: ping post', routing_method: 'PING_POST' },
      ],
      buyers: [{ delivery: { url: 'http://127.0.0.1:9/open' } }, {}, {}],
      suppliers: [{ name: 'Bright Web Leads' }, { name: 'Partner Network' }],
    });
  });
});
