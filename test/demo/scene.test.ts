/** What a first-time user of the demo finds: leads of a week, and one that a full cap kept from being sold. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ensureDemoAccount, type DemoAccount } from '../../src/demo/account.js';
import { DEMO_CAPPED, DEMO_ORG_ID } from '../../src/demo/names.js';
import { ensureDemoScene } from '../../src/demo/scene.js';
import { keyring } from '../account/values.js';
import { openDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let account: DemoAccount;
let now = new Date('2026-03-10T18:30:00Z');
const policy = { allowPrivate: true, mail: false, sheets: false };
const depsOf = () => ({
  collections: database.collections,
  keyring,
  policy,
  clock: { now: () => now },
});
beforeAll(async () => {
  database = await openDatabase();
  account = await ensureDemoAccount(depsOf(), (name) => `http://127.0.0.1:4000/${name}`, null);
  await ensureDemoScene(depsOf(), account);
}, 60_000);
afterAll(() => database.drop());

const leadsOfCap = async () => {
  const { campaigns, leads } = database.collections;
  const campaign = await campaigns.findOne({ name: DEMO_CAPPED });
  return leads.find({ campaign_id: campaign?._id ?? '' }).toArray();
};

describe('the scene of the demo', () => {
  it('has leads that were sold, and two that a full cap kept from it', async () => {
    const statuses = (await leadsOfCap()).map(({ status }) => status);
    expect(statuses).toEqual(['ACCEPTED', 'ACCEPTED', 'ACCEPTED', 'UNMATCHED', 'UNMATCHED']);
    const last = (await leadsOfCap()).at(-1);
    expect(last?.trail.map(({ reason }) => reason).filter(Boolean)).toEqual([
      expect.stringMatching(/cap/),
      'no_buyer',
    ]);
  });

  it('has a week of leads of another campaign', async () => {
    const { leads } = database.collections;
    expect(await leads.countDocuments({ org_id: DEMO_ORG_ID })).toBeGreaterThan(200);
  });

  it('adds nothing on the same day, and leads of its own on the next', async () => {
    await ensureDemoScene(depsOf(), account);
    expect(await leadsOfCap()).toHaveLength(5);
    now = new Date('2026-03-11T04:00:10Z');
    await ensureDemoScene(depsOf(), account);
    expect((await leadsOfCap()).map(({ status }) => status).slice(5)).toEqual([
      'ACCEPTED',
      'ACCEPTED',
      'ACCEPTED',
      'UNMATCHED',
      'UNMATCHED',
    ]);
    await ensureDemoScene(depsOf(), account);
    expect(await leadsOfCap()).toHaveLength(10);
  });

  it('makes up no week beside leads that somebody has sent', async () => {
    const other = await openDatabase();
    const deps = { ...depsOf(), collections: other.collections };
    const made = await ensureDemoAccount(deps, (name) => `http://127.0.0.1:4000/${name}`, null);
    const [lead] = await leadsOfCap();
    if (!lead) throw new Error('There is no lead');
    await other.collections.leads.insertOne({ ...lead, campaign_id: made.campaigns.direct });
    await ensureDemoScene(deps, made);
    expect(await other.collections.leads.countDocuments({ org_id: DEMO_ORG_ID })).toBe(6);
    await other.drop();
  });
});
