/** The records of a fuzz run: without them all calls would end before anything is sold, and nothing would fail. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from '../../cli/client/client.js';
import { createOrgKey, permissionsOf } from '../../src/account/keys/keys.js';
import { createOrg } from '../../src/account/orgs.js';
import { send } from '../support/http.js';
import { startServiceBed, type ServiceBed } from '../support/service.js';
import { makeRecords, type FuzzRecords } from './records.js';
import { accountOf } from '../support/org.js';

let bed: ServiceBed;
let url: string;
let records: FuzzRecords;
beforeAll(async () => {
  bed = await startServiceBed();
  ({ url } = await bed.start());
  const org = await createOrg(bed.collections, { name: 'Fuzz', time_zone: 'UTC', currency: 'USD' });
  const { api_key: key } = await createOrgKey(accountOf(bed, org._id), {
    name: 'All',
    permissions: permissionsOf('write'),
    created_by: { kind: 'operator', name: 'a test' },
  });
  const make = () => makeRecords(url, createClient({ url, key }));
  await make();
  records = await make();
});
afterAll(() => bed.stop());

const post = (path: string, headers: Record<string, string>, body: object) =>
  send(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

describe('the records of a second run', () => {
  it('have a lead that the buyer may report on', async () => {
    const headers = { 'x-buyer-secret': records.buyer_secret };
    const body = { lead_id: records.ids.lead_id, outcome: 'converted' };
    const reply = await post('/api/webhooks/buyer-outcome', headers, body);
    expect([reply.status, reply.text]).toEqual([200, expect.stringContaining('"converted"')]);
  });

  it('have a campaign whose buyer bids', async () => {
    const headers = { 'x-api-key': records.supplier_key };
    const body = {
      flo_campaign_id: records.ping_post_id,
      flo_supplier_id: records.ids.supplier_id,
    };
    const reply = await post('/api/v1/ping', headers, body);
    expect(reply.json).toMatchObject({
      accepted: true,
      buyers: [{ buyer_id: records.ids.buyer_id, bid_price: 25 }],
    });
  });
});
