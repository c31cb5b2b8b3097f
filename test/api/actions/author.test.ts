/** Every action that changes plans records its caller in the version it creates. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ActionName } from '../../../src/api/actions/names.js';
import { setUp, startActionsApi, type ActionsApi, type Org, type Row } from '../../support/api.js';

let api: ActionsApi;
let org: Org;
let ids: { campaign_id: string; buyer_id: string; supplier_id: string };
beforeAll(async () => {
  api = await startActionsApi();
  org = await api.org();
  const { campaign, buyer, supplier } = await setUp(api, org);
  ids = { campaign_id: campaign.id, buyer_id: buyer.id, supplier_id: supplier.id };
});
afterAll(() => api.stop());

type Ids = typeof ids;

// In this order: the last ones delete what earlier ones need.
const CHANGES: [ActionName, (made: Ids) => object | Promise<object>][] = [
  ['update_campaign', ({ campaign_id }) => ({ campaign_id, max_sells: 2 })],
  [
    'add_campaign_fields',
    ({ campaign_id }) => ({ campaign_id, fields: [{ name: 'roof', type: 'String' }] }),
  ],
  ['update_inbound_filters', ({ campaign_id }) => ({ campaign_id, filters: null })],
  ['update_campaign_buyer', ({ campaign_id, buyer_id }) => ({ campaign_id, buyer_id, price: 9 })],
  [
    'update_campaign_supplier',
    ({ campaign_id, supplier_id }) => ({ campaign_id, supplier_id, cost_per_lead: 3 }),
  ],
  ['update_buyer', ({ buyer_id }) => ({ buyer_id, test_mode: true })],
  [
    'set_buyer_delivery',
    ({ buyer_id }) => ({ buyer_id, method: 'WEBHOOK', url: 'https://buyer.example/leads' }),
  ],
  ['set_buyer_ping', ({ buyer_id }) => ({ buyer_id, url: 'https://buyer.example/pings' })],
  ['rotate_buyer_secret', ({ buyer_id }) => ({ buyer_id, secret: 'signing' })],
  ['update_supplier', ({ supplier_id }) => ({ supplier_id, test_mode: true })],
  [
    'upload_suppressions',
    ({ campaign_id }) => ({
      scope: 'campaign',
      campaign_id,
      name: 'List',
      csv: 'phone\n4155550134',
    }),
  ],
  [
    'delete_suppression_list',
    async () => {
      const [list] = await api.done<Row[]>(org, 'list_suppressions');
      return { list_id: list?.id };
    },
  ],
  ['delete_supplier', ({ supplier_id }) => ({ supplier_id })],
  ['revert_plan', ({ campaign_id }) => ({ campaign_id, version: 2 })],
];

it.each(CHANGES)('%s', async (action, inputOf) => {
  const { plans } = api.collections;
  const { campaign_id } = ids;
  const newest = () => plans.findOne({ campaign_id }, { sort: { version: -1 } });
  const before = await newest();
  await api.done(org, action, await inputOf(ids));
  const after = await newest();
  expect(after?.version).toBe((before?.version ?? 0) + 1);
  expect(after?.published).toMatchObject({ action, key: { name: expect.stringMatching(/^Key /) } });
});
