import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { publishUnpublished } from '../../../src/account/repair/account.js';
import { systemClock } from '../../../src/lib/clock.js';
import { linkBuyer, updateBuyerLink } from '../../../src/account/links/buyerLinks.js';
import { createBuyer, updateBuyer } from '../../../src/account/buyers/buyers.js';
import { createCampaign, updateCampaign } from '../../../src/account/campaigns/campaigns.js';
import { revertCampaign } from '../../../src/account/plans/revertCampaign.js';
import { rotateSecret } from '../../../src/account/buyers/rotateSecret.js';
import { linkSupplier, updateSupplierLink } from '../../../src/account/links/supplierLinks.js';
import {
  createSupplier,
  deleteSupplier,
  updateSupplier,
} from '../../../src/account/suppliers/suppliers.js';
import {
  openSuppressionList,
  removeSuppressions,
} from '../../../src/account/suppression/suppressions.js';
import { hashKey } from '../../../src/platform/security/keys.js';
import type { Plan } from '../../../src/account/rules/plan.js';
import { createAccountCache } from '../../../src/account/access/accountCache.js';
import { createLog } from '../../../src/lib/log.js';
import type { Collections } from '../../../src/app/database.js';
import { createPlanStore } from '../../../src/account/store/plans.js';
import { openDatabase } from '../../support/database.js';
import { accountOf, makeOrg } from '../../support/org.js';

let database: Awaited<ReturnType<typeof openDatabase>>;
let db: Collections;

beforeAll(async () => {
  database = await openDatabase();
  db = database.collections;
});
afterAll(() => database.drop());

const AUTHOR = { key: { id: 'k', name: 'Anna' }, action: 'an_action' };

class Killed extends Error {}

const at = (org: string, collections = db) => accountOf({ collections }, org);
const byAuthor = (collections: Collections, org: string) => ({
  ...at(org, collections),
  author: AUTHOR,
});

/** The collections of a process that dies when it is about to store a plan. */
function dying(): Collections {
  const plans = Object.create(db.plans) as Collections['plans'];
  plans.insertOne = () => Promise.reject(new Killed());
  return { ...db, plans };
}

async function newAccount() {
  const org = (await makeOrg(db))._id;
  const campaign = (await createCampaign(at(org), { name: 'Solar', status: 'ACTIVE' }))._id;
  const { buyer } = await createBuyer(at(org), { name: 'B' });
  const { supplier, api_key: key } = await createSupplier(at(org), {
    name: 'S',
  });
  const [buyerLink, supplierLink] = [
    { org_id: org, campaign_id: campaign, buyer_id: buyer._id },
    { org_id: org, campaign_id: campaign, supplier_id: supplier._id },
  ];
  await linkBuyer(at(buyerLink.org_id), buyerLink, { price: 10 });
  await linkSupplier(at(supplierLink.org_id), supplierLink, {
    cost_per_lead: 4,
  });
  return { org, campaign, buyer: buyer._id, supplier: supplier._id, key, buyerLink, supplierLink };
}
type Account = Awaited<ReturnType<typeof newAccount>>;

async function planOf({ campaign }: Account): Promise<Plan> {
  const now = await db.campaigns.findOne({ _id: campaign });
  const plan = await db.plans.findOne({ _id: `${campaign}:${now?.plan_version ?? 0}` });
  if (!plan) throw new Error('no plan');
  return plan;
}
const versionOf = async ({ org }: Account) =>
  (await db.versions.findOne({ _id: org }))?.version ?? 0;

/** One pass of the repair, `laterMs` from now. */
const repair = (laterMs = 60_000) =>
  publishUnpublished({
    collections: db,
    clock: { now: () => new Date(Date.now() + laterMs), monotonic: () => 0, random: () => 0.5 },
    log: createLog('silent', 'test'),
  });

const marks = async (): Promise<number> => {
  const { campaigns, buyers, suppliers, campaignBuyers, campaignSuppliers, suppressionLists } = db;
  const marked = { unpublished: { $exists: true } };
  const counts = await Promise.all([
    campaigns.countDocuments(marked),
    buyers.countDocuments(marked),
    suppliers.countDocuments(marked),
    suppressionLists.countDocuments(marked),
    campaignBuyers.countDocuments(marked),
    campaignSuppliers.countDocuments(marked),
  ]);
  return counts.reduce((sum, count) => sum + count, 0);
};

describe('a change of the account whose process is killed before its plan is stored', () => {
  const DAY = new Date('2026-01-01T00:00:00Z');
  const CHANGES: [string, (all: Collections, a: Account) => Promise<unknown>, object][] = [
    [
      'pausing a campaign',
      (all, { org, campaign }) =>
        updateCampaign(byAuthor(all, org), campaign, {
          status: 'PAUSED',
        }),
      { status: 'PAUSED' },
    ],
    [
      'pausing a buyer',
      (all, { org, buyer }) =>
        updateBuyer(byAuthor(all, org), buyer, {
          status: 'paused',
        }),
      { buyers: [{ status: 'paused', link_status: 'active' }] },
    ],
    [
      'pausing a supplier',
      (all, { org, supplier }) =>
        updateSupplier(byAuthor(all, org), supplier, {
          status: 'paused',
        }),
      { status: 'ACTIVE' },
    ],
    [
      "pausing a buyer's link",
      (all, { buyerLink }) =>
        updateBuyerLink(byAuthor(all, buyerLink.org_id), buyerLink, { status: 'paused' }),
      { buyers: [{ link_status: 'paused' }] },
    ],
    [
      "repricing a supplier's link",
      (all, { supplierLink }) =>
        updateSupplierLink(byAuthor(all, supplierLink.org_id), supplierLink, { cost_per_lead: 6 }),
      { status: 'ACTIVE' },
    ],
    [
      'a link made after it was gone',
      async (all, { buyerLink }) => {
        await all.campaignBuyers.deleteOne(buyerLink);
        await linkBuyer(byAuthor(all, buyerLink.org_id), buyerLink, { price: 11 });
      },
      { buyers: [{ price: 11_000_000 }] },
    ],
    [
      'a new signing secret',
      (all, { org, buyer }) =>
        rotateSecret({ ...byAuthor(all, org), clock: { now: () => DAY } }, buyer, {
          kind: 'signing',
          overlapHours: 0,
        }),
      { status: 'ACTIVE' },
    ],
    [
      'going back to a version',
      (all, { org, campaign }) => revertCampaign(byAuthor(all, org), campaign, 2),
      { suppliers: {}, published: { reverted_to: 2 } },
    ],
    [
      'a new suppression list',
      (all, { org, buyer: buyer_id }) =>
        openSuppressionList(byAuthor(all, org), {
          target: { scope: 'buyer', buyer_id },
          name: 'L',
          uploaded_by: 'k',
        }),
      { suppression: [{ scope: 'buyer' }] },
    ],
  ];

  it.each(CHANGES)('%s is published by one pass of reconcile', async (_, change, expected) => {
    const account = await newAccount();
    const [before, version] = [await planOf(account), await versionOf(account)];
    await expect(change(dying(), account)).rejects.toThrow(Killed);
    expect(await planOf(account)).toEqual(before);
    expect(await repair()).toBe(1);
    expect(await planOf(account)).toMatchObject({
      version: before.version + 1,
      ...expected,
      published: { key: { id: 'k', name: 'Anna' }, action: 'an_action' },
    });
    expect(await versionOf(account)).toBeGreaterThan(version);
    expect([await repair(), await marks()]).toEqual([0, 0]);
  });

  it('a list that is being deleted leaves the plans', async () => {
    const account = await newAccount();
    const { org } = account;
    const target = { scope: 'campaign', campaign_id: account.campaign } as const;
    const list = await openSuppressionList(at(org), {
      target,
      name: 'L',
      uploaded_by: 'k',
    });
    await expect(removeSuppressions(at(org, dying()), list._id)).rejects.toThrow(Killed);
    expect((await planOf(account)).suppression).toHaveLength(1);
    expect(await repair()).toBe(1);
    expect((await planOf(account)).suppression).toBeUndefined();
    expect(await db.suppressionLists.findOne({ _id: list._id })).toBeNull();
    expect(await removeSuppressions(at(org), list._id)).toBe(false);
  });

  it('a list whose deletion was interrupted is deleted with all its entries, a part in each run', async () => {
    const account = await newAccount();
    const { org } = account;
    const target = { scope: 'campaign', campaign_id: account.campaign } as const;
    const list = await openSuppressionList(at(org), {
      target,
      name: 'L',
      uploaded_by: 'k',
    });
    const entry = (n: number) => ({ _id: `${list._id};${n.toString(16).padStart(32, '0')}` });
    await db.suppressions.insertMany(Array.from({ length: 21_500 }, (_, n) => entry(n)));
    const suppressions = Object.create(db.suppressions) as Collections['suppressions'];
    suppressions.deleteMany = () => Promise.reject(new Killed());
    const killed = removeSuppressions(at(org, { ...db, suppressions }), list._id);
    await expect(killed).rejects.toThrow(Killed);
    const left = () => db.suppressions.countDocuments({ _id: { $regex: `^${list._id};` } });
    expect(await left()).toBe(21_500);
    const version = await versionOf(account);
    expect(await repair()).toBe(1);
    expect(await left()).toBe(1_500);
    // Every process reads the plans again at once.
    expect(await versionOf(account)).toBeGreaterThan(version);
    expect(await repair()).toBe(1);
    expect([await left(), await repair()]).toEqual([0, 0]);
    expect(await db.suppressionLists.findOne({ _id: list._id })).toBeNull();
  });

  it('a new campaign has its first plan', async () => {
    const org = (await makeOrg(db))._id;
    await expect(createCampaign(at(org, dying()), { name: 'New' })).rejects.toThrow(Killed);
    expect(await repair()).toBe(1);
    const [campaign] = await db.campaigns.find({ org_id: org }).toArray();
    expect(campaign).toMatchObject({ plan_version: 1 });
  });

  it('is left to its own process while that may be running', async () => {
    const account = await newAccount();
    const { org, buyer } = account;
    const pause = updateBuyer(at(org, dying()), buyer, {
      status: 'paused',
    });
    await expect(pause).rejects.toThrow(Killed);
    expect(await repair(0)).toBe(0);
    expect(await repair()).toBe(1);
  });

  it('keeps the mark of a later change when an earlier one is published', async () => {
    const account = await newAccount();
    const { org, buyer, campaign } = account;
    const change = (all: Collections, name: string) => updateBuyer(at(org, all), buyer, { name });
    await expect(change(dying(), 'First')).rejects.toThrow(Killed);
    await db.buyers.updateOne({ _id: buyer }, { $set: { 'unpublished.id': randomUUID() } });
    const seen = await db.buyers.findOne({ _id: buyer });
    await updateCampaign(at(org), campaign, { max_sells: 2 });
    expect((await db.buyers.findOne({ _id: buyer }))?.unpublished).toEqual(seen?.unpublished);
    expect(await repair()).toBe(1);
    expect(await marks()).toBe(0);
  });
});

describe('a supplier whose deletion is interrupted', () => {
  const cutOff = async () => {
    const account = await newAccount();
    const { org, supplier, key } = account;
    const accountCache = createAccountCache(db, createPlanStore(db.plans), systemClock);
    const access = await accountCache.supplierByKey(hashKey(key));
    expect(access).toMatchObject({ supplier_id: supplier });
    await expect(deleteSupplier(at(org, dying()), supplier)).rejects.toThrow(Killed);
    await accountCache.refresh([org]);
    expect(await accountCache.supplierByKey(hashKey(key))).toBeNull();
    return account;
  };
  const expectGone = async (account: Account) => {
    const { org, supplier } = account;
    expect((await planOf(account)).suppliers).toEqual({});
    expect(await db.suppliers.findOne({ _id: supplier })).toBeNull();
    expect(await db.campaignSuppliers.countDocuments({ supplier_id: supplier })).toBe(0);
    await expect(deleteSupplier(at(org), supplier)).rejects.toMatchObject({ code: 'not_found' });
    expect(await marks()).toBe(0);
  };

  it('has its key refused at once, and is deleted when the call is repeated', async () => {
    const account = await cutOff();
    const { org, supplier } = account;
    await expect(updateSupplier(at(org), supplier, { name: 'X' })).rejects.toMatchObject({
      code: 'not_found',
    });
    await deleteSupplier(at(org), supplier);
    await expectGone(account);
  });

  it('is deleted by one pass of reconcile', async () => {
    const account = await cutOff();
    expect(await repair()).toBe(1);
    await expectGone(account);
  });

  it('is in no plan that is compiled meanwhile', async () => {
    const account = await cutOff();
    await updateCampaign(at(account.org), account.campaign, {
      max_sells: 2,
    });
    expect((await planOf(account)).suppliers).toEqual({});
    await repair();
  });
});
