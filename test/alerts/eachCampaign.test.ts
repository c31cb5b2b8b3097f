/** The way through all campaigns: it keeps what was done, whenever the time is over or a process ends. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { AlertDeps } from '../../src/alerts/deps.js';
import { eachCampaign } from '../../src/alerts/eachCampaign.js';
import { createPlanStore } from '../../src/account/store/plans.js';
import { aPlan } from '../support/builders.js';
import { openDatabase, type TestDatabase } from '../support/database.js';

const EVERY_MS = 600_000;

let database: TestDatabase;
let now: Date;
let elapsed: number;
let isStopping: boolean;
let deps: AlertDeps;
let seen: string[];

beforeAll(async () => {
  database = await openDatabase();
  const { campaigns, plans } = database.collections;
  for (const campaign_id of ['a', 'b', 'c', 'd']) {
    const status = campaign_id === 'b' ? 'PAUSED' : 'ACTIVE';
    const campaign = { _id: campaign_id, org_id: 'org', name: campaign_id, status };
    await campaigns.insertOne({ ...campaign, plan_version: 1 } as never);
    await plans.insertOne(aPlan({ _id: `${campaign_id}:1`, campaign_id, version: 1 }));
  }
});
afterAll(() => database.drop());
beforeEach(async () => {
  const { collections } = database;
  await collections.alertPasses.deleteMany({});
  now = new Date('2026-11-21T12:00:00Z');
  elapsed = 0;
  isStopping = false;
  seen = [];
  deps = {
    collections,
    plans: createPlanStore(collections.plans),
    clock: { now: () => now, monotonic: () => elapsed },
    stopping: () => isStopping,
  } as unknown as AlertDeps;
});

/** @param during what else happens while a group is looked at */
const run = async (during: (group: string) => void = () => undefined, atOnce = 1) => {
  seen = [];
  await eachCampaign(
    { _id: 'campaigns', everyMs: EVERY_MS, atOnce },
    (plans) => {
      const group = plans.map(({ campaign_id }) => campaign_id).join('');
      seen.push(group);
      during(group);
      return Promise.resolve();
    },
    deps,
  );
  return seen;
};

describe('a pass through the campaigns', () => {
  it('goes through the active ones, and begins again when its time has come', async () => {
    expect(await run()).toEqual(['a', 'c', 'd']);
    expect(await run()).toEqual([]);
    now = new Date(Number(now) + EVERY_MS);
    expect(await run(undefined, 2)).toEqual(['ac', 'd']);
  });

  it('ends after a campaign that takes its time, and goes on after it', async () => {
    const slow = () => void (elapsed += 3_000);
    expect(await run(slow)).toEqual(['a']);
    expect(await run(slow)).toEqual(['c']);
    expect(await run(slow)).toEqual(['d']);
    expect(await run()).toEqual([]);
  });

  it('ends between two campaigns when the process stops', async () => {
    expect(await run(() => void (isStopping = true))).toEqual(['a']);
    isStopping = false;
    expect(await run()).toEqual(['c', 'd']);
  });

  it('goes on where a process died', async () => {
    const dying = (group: string) => {
      if (group === 'c') throw new Error('it dies');
    };
    await expect(run(dying)).rejects.toThrow('it dies');
    expect(await run()).toEqual(['c', 'd']);
  });
});
