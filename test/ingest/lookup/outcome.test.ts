import { accountOf } from '../../support/org.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateCampaign } from '../../../src/account/campaigns/campaigns.js';
import { LookupResult } from '../../../src/ingest/schemas/lookup.js';
import { startTestbed, type Market, type Testbed } from '../../support/testbed.js';
import { send } from '../../support/http.js';

describe('the outcome in a lookup', () => {
  let testbed: Testbed;
  let second: string;
  beforeAll(async () => {
    testbed = await startTestbed();
    second = (await testbed.otherApi()).url;
  });
  afterAll(() => testbed.stop());

  /** The lookup answers of each process to the supplier. */
  const told = ({ account }: Market, id: string) =>
    Promise.all(
      [testbed.url, second].map(async (url) => {
        const headers = { 'x-api-key': account.suppliers[0]?.key ?? '' };
        const { json } = await send(`${url}/api/v1/leads/lookup?id=${id}`, { headers });
        return LookupResult.parse(json).data;
      }),
    );
  const share = ({ account }: Market, share_outcomes: boolean) =>
    updateCampaign(accountOf(testbed, account.orgId), account.campaignId, { share_outcomes });

  it('is present once the campaign shares it', async () => {
    const market = await testbed.market();
    const [converted = '', silent = ''] = await Promise.all(
      [1, 2].map(async () => (await market.post()).data?.id),
    );
    const changed = { $set: { outcome: 'converted' as const } };
    await testbed.collections.leads.updateOne({ _id: converted }, changed);
    for (const data of await told(market, converted)) expect(data).not.toHaveProperty('outcome');
    await share(market, true);
    for (const data of await told(market, converted))
      expect(data).toMatchObject({ status: 'ACCEPTED', outcome: 'converted' });
    for (const data of await told(market, silent)) expect(data.outcome).toBeNull();
    await share(market, false);
    for (const data of await told(market, converted)) expect(data).not.toHaveProperty('outcome');
  });
});
