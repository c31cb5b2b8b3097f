import { supplierKeyPlace } from '../../../src/account/rules/sealedPlaces.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createCampaign } from '../../../src/account/campaigns/campaigns.js';
import { createOrgKey, keyIdOf, permissionsOf, revokeKey } from '../../../src/account/keys/keys.js';
import { linkSupplier, updateSupplierLink } from '../../../src/account/links/supplierLinks.js';
import {
  createSupplier,
  deleteSupplier,
  updateSupplier,
} from '../../../src/account/suppliers/suppliers.js';
import { hashKey, isWellFormedKey } from '../../../src/platform/security/keys.js';
import type { Collections } from '../../../src/app/database.js';
import { keyring, refusal } from '../values.js';
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
const versionOf = async (org: string) => (await db.versions.findOne({ _id: org }))?.version ?? 0;
async function newCampaign() {
  const org = await newOrg();
  return {
    org,
    campaign: (await createCampaign(accountOf({ collections: db }, org), { name: 'Solar' }))._id,
  };
}

describe('suppliers', () => {
  it('get a key that is stored hashed and sealed, and the default rates', async () => {
    const org = await newOrg();
    const { supplier, api_key: key } = await createSupplier(accountOf({ collections: db }, org), {
      name: 'S',
    });
    expect(isWellFormedKey(key)).toBe(true);
    expect(supplier.rate_limit).toEqual({
      per_second: 100,
      burst_per_second: 200,
      burst_seconds: 10,
    });
    expect(keyring.open(supplier.api_key, supplierKeyPlace(supplier._id))).toBe(key);
    expect(await db.apiKeys.findOne({ _id: hashKey(key) })).toMatchObject({
      kind: 'supplier',
      org_id: org,
      supplier_id: supplier._id,
    });
  });

  it('accept a partial rate limit, and refuse a burst below the rate', async () => {
    const org = await newOrg();
    const { supplier } = await createSupplier(accountOf({ collections: db }, org), { name: 'S' });
    const changed = await updateSupplier(accountOf({ collections: db }, org), supplier._id, {
      rate_limit: { per_second: 150 },
    });
    expect(changed.rate_limit).toEqual({
      per_second: 150,
      burst_per_second: 200,
      burst_seconds: 10,
    });
    await expect(
      updateSupplier(accountOf({ collections: db }, org), supplier._id, {
        rate_limit: { burst_per_second: 10 },
      }),
    ).rejects.toMatchObject(refusal('rate_limit.burst_per_second', '150 to'));
  });

  it('notify every process when only the rate limit changes', async () => {
    const org = await newOrg();
    const { supplier } = await createSupplier(accountOf({ collections: db }, org), { name: 'S' });
    const before = await versionOf(org);
    await updateSupplier(accountOf({ collections: db }, org), supplier._id, {
      rate_limit: { per_second: 50 },
    });
    expect(await versionOf(org)).toBeGreaterThan(before);
  });

  it('lose key and links when deleted', async () => {
    const { org, campaign } = await newCampaign();
    const { supplier, api_key: key } = await createSupplier(accountOf({ collections: db }, org), {
      name: 'S',
    });
    const link = { org_id: org, campaign_id: campaign, supplier_id: supplier._id };
    await linkSupplier(accountOf({ collections: db }, link.org_id), link, { cost_per_lead: 4 });
    const before = await versionOf(org);
    await deleteSupplier(accountOf({ collections: db }, org), supplier._id);
    const now = await db.campaigns.findOne({ _id: campaign });
    const plan = await db.plans.findOne({ _id: `${campaign}:${now?.plan_version ?? 0}` });
    expect(plan?.suppliers).toEqual({});
    expect((await db.apiKeys.findOne({ _id: hashKey(key) }))?.revoked_at).toBeInstanceOf(Date);
    expect(await db.campaignSuppliers.countDocuments({ campaign_id: campaign })).toBe(0);
    expect(await versionOf(org)).toBeGreaterThan(before);
  });

  it('refuse a share over 100 percent', async () => {
    const { org, campaign } = await newCampaign();
    const { supplier } = await createSupplier(accountOf({ collections: db }, org), { name: 'S' });
    const link = { org_id: org, campaign_id: campaign, supplier_id: supplier._id };
    await linkSupplier(accountOf({ collections: db }, link.org_id), link, {});
    await expect(
      updateSupplierLink(accountOf({ collections: db }, link.org_id), link, { revenue_share: 101 }),
    ).rejects.toMatchObject(refusal('revenue_share', '0 to 100'));
  });
});

describe('the creation of a supplier', () => {
  it('that is interrupted before its key is stored leaves no supplier, and is made by the next call', async () => {
    const org = await newOrg();
    const died = new Error('the process died');
    const apiKeys = new Proxy(db.apiKeys, {
      get: (of, name) =>
        name === 'updateOne' ? () => Promise.reject(died) : (Reflect.get(of, name) as unknown),
    });
    await expect(
      createSupplier(accountOf({ collections: { ...db, apiKeys } }, org), { name: 'S' }),
    ).rejects.toBe(died);
    expect(await db.suppliers.countDocuments({ org_id: org })).toBe(0);
    const { supplier, api_key } = await createSupplier(accountOf({ collections: db }, org), {
      name: 'S',
    });
    expect(await db.apiKeys.findOne({ _id: hashKey(api_key) })).toMatchObject({
      kind: 'supplier',
      supplier_id: supplier._id,
    });
  });

  it('gives one of many that are created at once a name, and each its key', async () => {
    const org = await newOrg();
    const names = [...Array.from({ length: 8 }, (_, n) => `S${n}`), 'Same', 'Same'];
    const made = await Promise.allSettled(
      names.map((name) => createSupplier(accountOf({ collections: db }, org), { name })),
    );
    const refused = made.flatMap((one) =>
      one.status === 'rejected' ? [one.reason as unknown] : [],
    );
    expect(refused).toMatchObject([refusal('name', 'already named "Same"')]);
    expect(await db.suppliers.countDocuments({ org_id: org })).toBe(9);
    expect(await db.apiKeys.countDocuments({ org_id: org, kind: 'supplier' })).toBe(9);
  });
});

describe('keys of the Actions API', () => {
  it('are read-only by default', async () => {
    const org = await newOrg();
    const { key, api_key: text } = await createOrgKey(accountOf({ collections: db }, org), {
      name: 'K',
    });
    expect(key.permissions).toEqual(permissionsOf('read'));
    expect(key._id).toBe(hashKey(text));
  });

  it('are revoked once, by their own organization, and every process is notified', async () => {
    const org = await newOrg();
    const { key } = await createOrgKey(accountOf({ collections: db }, org), { name: 'K' });
    await expect(
      revokeKey(accountOf({ collections: db }, await newOrg()), keyIdOf(key)),
    ).rejects.toMatchObject({
      code: 'not_found',
    });
    const before = await versionOf(org);
    await revokeKey(accountOf({ collections: db }, org), keyIdOf(key));
    const revoked = (await db.apiKeys.findOne({ _id: key._id }))?.revoked_at;
    expect(revoked).toBeInstanceOf(Date);
    expect(await versionOf(org)).toBe(before + 1);
    await revokeKey(accountOf({ collections: db }, org), keyIdOf(key));
    expect((await db.apiKeys.findOne({ _id: key._id }))?.revoked_at).toEqual(revoked);
    await expect(
      revokeKey(accountOf({ collections: db }, org), randomUUID()),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});
