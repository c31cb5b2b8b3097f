import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createCampaign, updateCampaign } from '../../../src/account/campaigns/campaigns.js';
import { createOrg } from '../../../src/account/orgs.js';
import type { Collections } from '../../../src/app/database.js';
import { createBuyer } from '../../../src/account/buyers/buyers.js';
import { linkBuyer, updateBuyerLink } from '../../../src/account/links/buyerLinks.js';
import type { FilterRuleInput } from '../../../src/fields/filterSchema.js';
import type { FieldRule } from '../../../src/fields/fieldRule.js';
import { publicOnly, refusal } from '../values.js';
import { openDatabase } from '../../support/database.js';
import { accountOf, makeOrg } from '../../support/org.js';

let database: Awaited<ReturnType<typeof openDatabase>>;
let db: Collections;

beforeAll(async () => {
  database = await openDatabase();
  db = database.collections;
});
afterAll(() => database.drop());

const newOrg = async () => (await makeOrg(db))._id;
async function newCampaign() {
  const org = await newOrg();
  return {
    org,
    campaign: (await createCampaign(accountOf({ collections: db }, org), { name: 'Solar' }))._id,
  };
}

describe('organizations', () => {
  it('begin in UTC and dollars', async () => {
    const org = await createOrg(db, { name: ' Org ' });
    expect(org).toMatchObject({ name: 'Org', time_zone: 'UTC', currency: 'USD' });
  });

  it('refuse a time zone or a currency that does not exist', async () => {
    for (const time_zone of ['Mars/Base', '+05:30', '-08', '\u221203:00', '+0530']) {
      await expect(createOrg(db, { name: 'Org', time_zone })).rejects.toMatchObject(
        refusal('time_zone', `must be an IANA name such as "America/New_York"; "${time_zone}"`),
      );
    }
    await expect(createOrg(db, { name: 'Org', currency: 'XQX' })).rejects.toMatchObject(
      refusal('currency', 'ISO 4217'),
    );
  });
});

describe('campaigns', () => {
  it('need only a name and begin paused, with the defaults of the contract', async () => {
    const org = await newOrg();
    const campaign = await createCampaign(accountOf({ collections: db }, org), { name: 'Solar' });
    expect(await db.campaigns.findOne({ _id: campaign._id })).toEqual(campaign);
    expect(campaign).toMatchObject({
      status: 'PAUSED',
      routing_method: 'DIRECT_POST',
      distribution_method: 'WATERFALL',
      answer_within_ms: 2_000,
      dedupe: { window_days: 30, fields: ['phone', 'email'], match: 'ANY', on_duplicate: 'REJECT' },
      plan_version: 1,
    });
  });

  it('refuse a name that another campaign of the organization has', async () => {
    const { org } = await newCampaign();
    await expect(
      createCampaign(accountOf({ collections: db }, org), { name: ' Solar ' }),
    ).rejects.toMatchObject(refusal('name', 'Another campaign is already named "Solar"'));
    await expect(
      createCampaign(accountOf({ collections: db }, await newOrg()), { name: 'Solar' }),
    ).resolves.toBeDefined();
  });

  it.each([
    ['name', { name: ' ' }, 'must not be empty'],
    ['name', { name: 'x'.repeat(121) }, 'at most 120'],
    ['answer_within_ms', { answer_within_ms: 5_000 }, '200 to 4000'],
    ['daily_cap', { daily_cap: 1.5 }, 'whole number'],
    ['weekly_budget', { weekly_budget: 0.00001 }, 'at most 4 decimals'],
    ['dedupe.window_days', { dedupe: { window_days: 0 } }, '1 to 3650'],
    ['dedupe.fields', { dedupe: { fields: ['Phone'] } }, 'Did you mean phone?'],
    ['dedupe.fields', { dedupe: { fields: ['email', 'ssn'] } }, 'names "ssn", which is neither'],
  ])('refuse a bad %s', async (field, changes, message) => {
    const { org, campaign } = await newCampaign();
    await expect(
      updateCampaign(accountOf({ collections: db }, org), campaign, changes),
    ).rejects.toMatchObject(refusal(field, message));
  });

  it('find duplicates by their own fields, and keep the fields by which they do', async () => {
    const { org, campaign } = await newCampaign();
    const ssn = { name: 'ssn', type: 'String' as const, required: false, ping_required: false };
    const dedupe = { fields: ['ssn'] };
    const changed = await updateCampaign(accountOf({ collections: db }, org), campaign, {
      fields: [ssn],
      dedupe,
    });
    expect(changed.dedupe).toMatchObject({ fields: ['ssn'], window_days: 30 });
    await expect(
      updateCampaign(accountOf({ collections: db }, org), campaign, { fields: [] }),
    ).rejects.toMatchObject(refusal('fields', 'must keep ssn, by which duplicates are found'));
    await updateCampaign(accountOf({ collections: db }, org), campaign, {
      fields: [],
      dedupe: { fields: ['phone'] },
    });
  });

  it('refuse a field mapping that cannot work', async () => {
    const { org, campaign } = await newCampaign();
    const fields = [
      { name: 'Roof Age', type: 'Number', required: true, ping_required: false },
    ] as const;
    await expect(
      updateCampaign(accountOf({ collections: db }, org), campaign, { fields: [...fields] }),
    ).rejects.toMatchObject(refusal('fields', 'snake_case'));
  });

  const age: FieldRule = { name: 'age', type: 'Number', required: false, ping_required: false };
  const adults: FilterRuleInput = { field: 'age', operator: '>=', value: '18' };

  it('keep filters over their own fields in the normal form, and publish them', async () => {
    const { org, campaign } = await newCampaign();
    const changed = await updateCampaign(accountOf({ collections: db }, org), campaign, {
      fields: [age],
      filters: [adults],
    });
    const filters = { all: [{ id: 'f1', field: 'age', operator: '>=', value: 18 }] };
    expect(changed.filters).toEqual(filters);
    expect(await db.campaigns.findOne({ _id: campaign })).toMatchObject({ filters });
    expect(await db.plans.findOne({ _id: `${campaign}:2` })).toMatchObject({ filters });
    expect(
      await updateCampaign(accountOf({ collections: db }, org), campaign, { filters: null }),
    ).toMatchObject({
      filters: null,
    });
  });

  it('report every problem of their filters', async () => {
    const { org, campaign } = await newCampaign();
    const filters = [adults, { field: 'state', operator: 'CONTAIN', value: 'C' }];
    await expect(
      updateCampaign(accountOf({ collections: db }, org), campaign, { filters }),
    ).rejects.toMatchObject({
      code: 'validation_failed',
      extras: {
        field_errors: [
          {
            field: 'filters',
            code: 'invalid_format',
            message:
              'filters[0].field "age" is neither a system field nor in the campaign\'s mapping.',
          },
          {
            field: 'filters',
            code: 'invalid_format',
            message: 'filters[1].operator "CONTAIN" is unknown; did you mean "CONTAINS"?',
          },
        ],
      },
    });
    expect(await db.campaigns.findOne({ _id: campaign })).toMatchObject({ filters: null });
  });

  it("keep the fields that their filters and their buyers' filters need", async () => {
    const { org, campaign } = await newCampaign();
    await updateCampaign(accountOf({ collections: db }, org), campaign, {
      fields: [age],
      filters: [adults],
    });
    await expect(
      updateCampaign(accountOf({ collections: db }, org), campaign, { fields: [] }),
    ).rejects.toMatchObject(refusal('filters', '"age" is neither'));
    const { buyer } = await createBuyer(accountOf({ collections: db, policy: publicOnly }, org), {
      name: 'B',
      delivery: { url: 'https://buyer.example/leads' },
    });
    const key = { org_id: org, campaign_id: campaign, buyer_id: buyer._id };
    await linkBuyer(accountOf({ collections: db }, key.org_id), key, { filters: [adults] });
    await expect(
      updateCampaign(accountOf({ collections: db }, org), campaign, { fields: [], filters: null }),
    ).rejects.toMatchObject(
      refusal('fields', `the filters of buyer ${buyer._id}; change those first`),
    );
    await updateBuyerLink(accountOf({ collections: db }, key.org_id), key, { filters: null });
    expect(
      await updateCampaign(accountOf({ collections: db }, org), campaign, {
        fields: [],
        filters: null,
      }),
    ).toMatchObject({
      fields: [],
    });
  });

  it('name every problem of a field mapping at once', async () => {
    const { org, campaign } = await newCampaign();
    const fields = [
      { name: 'Roof Age', type: 'Number', required: true, ping_required: false },
      { name: 'roof', type: 'String', strict: true, required: true, ping_required: false },
    ] as const;
    await expect(
      updateCampaign(accountOf({ collections: db }, org), campaign, { fields: [...fields] }),
    ).rejects.toMatchObject({
      extras: {
        field_errors: [
          { field: 'fields', message: expect.stringContaining('"Roof Age" is not a field name') },
          { field: 'fields', message: 'roof: strict is only allowed for the type Phone.' },
        ],
      },
    });
  });

  it('change only the keys given, and only within the own organization', async () => {
    const { org, campaign } = await newCampaign();
    const changed = await updateCampaign(accountOf({ collections: db }, org), campaign, {
      status: 'ACTIVE',
      dedupe: { window_days: 7 },
    });
    expect(changed).toMatchObject({ name: 'Solar', status: 'ACTIVE', plan_version: 2 });
    expect(changed.dedupe).toMatchObject({ window_days: 7, fields: ['phone', 'email'] });
    await expect(
      updateCampaign(accountOf({ collections: db }, await newOrg()), campaign, {}),
    ).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
