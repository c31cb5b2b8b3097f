/** Every place that sends a lead later than at once asks again whether its buyer may have it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { resolve } from '../../src/distribution/commands/resolve.js';
import { sendBatch } from '../../src/distribution/drainBatch.js';
import { newLease } from '../../src/distribution/newLease.js';
import { processLeads } from '../../src/distribution/processLeads.js';
import type { DeliveryDoc } from '../../src/deliveries/store/deliveryDoc.js';
import type { Lead } from '../../src/leads/rules/lead.js';
import { receivedEntry } from '../../src/leads/rules/trail.js';
import { openDatabase, type TestDatabase } from '../support/database.js';
import { replayAll } from '../support/replayed.js';
import { CHANGES, waitingScene, type WaitingScene } from './waitingScene.js';

const LONG_AGO = new Date(0);
const LEFT: Partial<Lead> = { run: 'dead', takes: 1, lease_until: LONG_AGO };
const WAITING: Partial<Lead> = { status: 'PENDING', pending_at: new Date(), takes: 1 };

interface Place {
  lead: Partial<Lead>;
  /** The rows that the lead has by then. */
  rows: (scene: WaitingScene) => DeliveryDoc[];
  act: (scene: WaitingScene) => Promise<unknown>;
}

const drain =
  (buyer: 'other' | 'target', ask = false): Place['act'] =>
  async ({ deps, buyers, lead }) => {
    const asked = ask ? [`${lead._id}:1`] : [];
    await deps.collections.destinations.updateOne(
      { _id: buyers[buyer] },
      { $set: { asked } },
      { upsert: true },
    );
    const destination = (await deps.destinations.get([buyers[buyer]])).get(buyers[buyer]);
    const { failover } = await sendBatch(buyers[buyer], destination, deps);
    await failover?.work;
  };
const resume: Place['act'] = ({ deps, lead }) => processLeads([lead._id], deps);

const DRAINS: Record<string, Place> = {
  'a drain of its queue': {
    lead: WAITING,
    rows: ({ rowOf, buyers }) => [rowOf({ buyer_id: buyers.target, state: 'parked' })],
    act: drain('target'),
  },
  "an operator's retry": {
    lead: WAITING,
    rows: ({ rowOf, buyers }) => [rowOf({ buyer_id: buyers.target, state: 'parked' })],
    act: drain('target', true),
  },
  'a drain whose buyer refuses the lead': {
    lead: WAITING,
    rows: ({ rowOf, buyers }) => [rowOf({ buyer_id: buyers.other, state: 'parked' })],
    act: drain('other'),
  },
  'a drain of a lead that cannot be sent again to the buyer that may have it': {
    lead: WAITING,
    rows: ({ rowOf, buyers }) => [
      rowOf({ buyer_id: buyers.other, state: 'parked', unanswered: true }),
    ],
    act: drain('other'),
  },
};

const RUNS: Record<string, Place> = {
  'a run of a lead that an earlier one left before it asked a buyer': {
    lead: LEFT,
    rows: () => [],
    act: resume,
  },
  'a run of a lead that an earlier one left when a buyer had refused it': {
    lead: LEFT,
    rows: ({ rowOf, buyers }) => [rowOf({ buyer_id: buyers.other, state: 'rejected' })],
    act: resume,
  },
  'a run of a lead that was promised, and that an earlier one left when a buyer never answered': {
    lead: { ...LEFT, ...WAITING, ...LEFT },
    rows: ({ rowOf, buyers }) => [
      rowOf({ buyer_id: buyers.other, state: 'sending', answer_by: LONG_AGO }),
    ],
    act: resume,
  },
  'a run of a resold lead whose order could not be started at once': {
    lead: {
      take_by: new Date('9999-12-31T00:00:00Z'),
      resale: {
        origin: 'origin',
        order_id: 'order',
        exclude: [],
        campaigns: [],
        replaces: true,
        paid: false,
      },
      trail: [receivedEntry(1, new Date(), { origin: 'origin' })],
    },
    rows: () => [],
    act: resume,
  },
};

const COMMANDS: Record<string, Place> = {
  "an operator's word that another buyer does not have it": {
    lead: WAITING,
    rows: ({ rowOf, buyers }) => [
      rowOf({ buyer_id: buyers.other, state: 'unknown', unanswered: true }),
    ],
    async act({ deps, lead }) {
      const { lease, now, leaseUntil } = newLease(deps.clock, 10_000);
      const [own] = await deps.leads.acquireWaiting([lead._id], lease.id, leaseUntil, now);
      const [row] = (await deps.deliveries.ofLeads([lead._id])).get(lead._id) ?? [];
      if (!own || !row) throw new Error('The lead was not acquired');
      await resolve('rejected', { lead: own, row, lease, trail: [] }, deps);
    },
  },
};

/** Lines by which a file shows that it sends leads: what it imports, or calls. */
const imports = (name: string, module: string): RegExp =>
  new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '[^']*/${module}'`);

/** The files that send leads, by what they send with, and the places of this test that are in them. */
const SENDERS: { by: string; shows: RegExp; files: Record<string, Record<string, Place>> }[] = [
  {
    by: 'selling a group: rows that waited, then the candidates of each lead',
    shows: imports('GroupSale', 'sell.js'),
    files: {
      'distribution/drainBatch.ts': DRAINS,
      'distribution/processLeads.ts': RUNS,
      'distribution/commands/resolve.ts': COMMANDS,
    },
  },
  {
    by: 'acquiring waiting rows for sending again',
    shows: /\bdeliveries\.resend\(/,
    files: { 'distribution/acquireRows.ts': DRAINS },
  },
  {
    by: 'continuing a lead from its rows',
    shows: imports('buildResumedTask', 'buildResumedTask.js'),
    files: {
      'distribution/drainBatch.ts': DRAINS,
      'distribution/resumeLeads.ts': RUNS,
      'distribution/commands/resolve.ts': COMMANDS,
    },
  },
  {
    by: 'opening attempts, for the steps above',
    shows: imports('(?:openAttempts|sendAttempt)', 'attempts.js'),
    files: { 'distribution/sell.ts': {} },
  },
  {
    by: 'one request, for the steps above; or a test delivery of a buyer to itself, which is no lead',
    shows: imports('deliver', 'channels.js'),
    files: { 'distribution/attempts.ts': {}, 'api/partner/buyer/testLead.ts': {} },
  },
];

describe('the places that send leads', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ name, text: readFileSync(join('src', name), 'utf8') }));

  it.each(SENDERS)('are those of the table: $by', ({ shows, files: known }) => {
    const found = files.filter(({ text }) => shows.test(text)).map(({ name }) => name);
    expect(found.sort()).toEqual(Object.keys(known).sort());
  });
});

const places = Object.entries({ ...DRAINS, ...RUNS, ...COMMANDS });

describe.each(places)('%s', (_title, { lead, rows, act }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  const through = async (change: (typeof CHANGES)[string]): Promise<WaitingScene> => {
    const scene = await waitingScene(database, change, lead);
    const stored = rows(scene);
    if (stored.length > 0) await scene.deps.collections.deliveries.insertMany(stored);
    await act(scene);
    await scene.idle();
    return scene;
  };

  it.each([{ isTest: false }, { isTest: true }])(
    'sends the lead to a buyer that may have it (test: $isTest)',
    async (change) => {
      const { asked, buyers } = await through(change);
      expect(asked.filter((url) => url === buyers.target)).toHaveLength(1);
    },
  );

  it.each(Object.entries(CHANGES))('sends it to nobody when %s', async (_change, change) => {
    const { asked, buyers, lead: posted, deps } = await through(change);
    expect(asked.filter((url) => url === buyers.target)).toEqual([]);
    const stored = await deps.collections.leads.findOne({ _id: posted._id });
    expect(stored).toMatchObject({ sales: [], price: 0 });
    const { campaign_id: campaignId } = posted;
    const replayed = await replayAll(deps.collections, { campaignId });
    expect(replayed).toEqual({ count: 1, different: [] });
  });
});

describe('what keeps a lead from a buyer that it waits for', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  it.each(Object.entries(CHANGES))(
    'lets it wait like a lead of a paused link, without a word in its trail: %s',
    async (_title, change) => {
      const scene = await waitingScene(database, change, WAITING);
      const { deps, lead, rowOf, buyers } = scene;
      const begun = new Date();
      await deps.collections.deliveries.insertOne(
        rowOf({ buyer_id: buyers.target, state: 'parked' }),
      );
      await drain('target')(scene);
      const row = await deps.collections.deliveries.findOne({ lead_id: lead._id });
      expect(row).toMatchObject({ state: 'parked', tries: 1 });
      expect(Number(row?.due_at)).toBeGreaterThan(Number(begun));
      expect(await deps.collections.leads.findOne({ _id: lead._id })).toMatchObject({
        status: 'PENDING',
        run: null,
        trail: lead.trail,
      });
    },
  );

  it('is named in the trail of a lead that a run had left', async () => {
    const { deps, lead } = await waitingScene(database, { terms: { test_mode: true } }, LEFT);
    await processLeads([lead._id], deps);
    const stored = await deps.collections.leads.findOne({ _id: lead._id });
    expect(stored?.trail).toMatchObject([
      { step: 'received', detail: { plan_version: 1 } },
      { step: 'filters', result: 'passed', detail: { plan_version: 2 } },
      { step: 'routing', result: 'skipped', reason: 'test_mode_only' },
      { step: 'routing', result: 'ranked' },
      { step: 'delivery', result: 'rejected' },
      { step: 'closing', result: 'UNMATCHED' },
    ]);
  });

  it('lets it be sent once it is so no longer', async () => {
    const scene = await waitingScene(database, { list: { scope: 'buyer', isNew: true } }, WAITING);
    const { deps, lead, rowOf, buyers, asked } = scene;
    const { deliveries, suppressions, leads } = deps.collections;
    await deliveries.insertOne(rowOf({ buyer_id: buyers.target, state: 'parked' }));
    await drain('target')(scene);
    expect(asked).toEqual([]);
    await suppressions.deleteMany({});
    await deliveries.updateOne({ lead_id: lead._id }, { $set: { due_at: LONG_AGO } });
    await drain('target')(scene);
    expect(asked).toEqual([buyers.target]);
    expect(await leads.findOne({ _id: lead._id })).toMatchObject({
      status: 'ACCEPTED',
      buyer_id: buyers.target,
    });
  });
});
