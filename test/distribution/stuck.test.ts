/** Leads that cannot be decided wait by themselves, and end at their age limit. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { planId, type Plan } from '../../src/account/rules/plan.js';
import { sendBatch } from '../../src/distribution/drainBatch.js';
import { expireAged } from '../../src/distribution/expiry.js';
import { processLeads } from '../../src/distribution/processLeads.js';
import { createQueueStore } from '../../src/deliveries/store/queue.js';
import type { DeliveryDoc } from '../../src/deliveries/store/deliveryDoc.js';
import type { Lead } from '../../src/leads/rules/lead.js';
import { createLog } from '../../src/lib/log.js';
import { sealedBefore } from '../support/sealedBefore.js';
import { aBuyer, aPlan, aSupplier, aWebhook, someFields } from '../support/builders.js';
import { openDatabase, type TestDatabase } from '../support/database.js';
import { aLead, aRow } from '../support/storedRows.js';
import { screeningDeps, SECRET } from './screeningDeps.js';
import { answers } from './twoLeases.js';

const HOUR_MS = 3_600_000;
const LONG_AGO = new Date(0);
const SOUND: Broken = { says: '' };

/** What is wrong with a lead, and what its error says. */
interface Broken {
  lead?: Partial<Lead>;
  plan?: Partial<Plan>;
  says: string;
}

const BROKEN: Readonly<Record<string, Broken>> = {
  'its plan is not stored': { lead: { plan_version: 7 }, says: ':7 is not stored' },
  'its plan has a form of another release': {
    plan: { buyers: undefined as never },
    says: 'has a form that this release does not know',
  },
  'its plan does not name its supplier': {
    plan: { suppliers: {} },
    says: 'names a supplier outside its plan',
  },
  'its document has no fields': { lead: { fields: null as never }, says: 'fields of lead' },
  'its document has no trail': { lead: { trail: 'lost' as never }, says: 'trail of lead' },
  'its buyer has an area that cannot be read': {
    plan: { buyers: [aBuyer({ buyer_id: 'b', zips: { folded: 1 } as never })] },
    says: '',
  },
};

describe('a lead that cannot be decided', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  /** The dependencies of a run, what buyers were sent, and the errors that were logged, by lead. */
  const aRun = () => {
    const { collections } = database;
    const sent: string[] = [];
    const errors = new Map<string, string>();
    const write = (line: string): void => {
      const { lead, err } = JSON.parse(line) as { lead: string; err?: { message: string } };
      errors.set(lead, err?.message ?? '');
    };
    const deps = {
      ...screeningDeps(database, answers(200, sent)),
      log: createLog('error', 'test', { write }),
      collections,
      queue: createQueueStore(collections.deliveries),
      softLimitMs: HOUR_MS,
      background: { add: () => undefined },
    };
    return { deps, sent, errors, collections };
  };

  /** A lead of an organization and a campaign of its own. */
  const aStored = async (broken: Broken, lead: Partial<Lead> = {}, buyer_id = randomUUID()) => {
    const { collections } = database;
    const [campaign_id, org_id] = [randomUUID(), randomUUID()];
    const signing_secret = sealedBefore(SECRET, 'secret');
    const delivery = aWebhook({ url: buyer_id });
    const plan = aPlan({
      _id: planId(campaign_id, 1),
      campaign_id,
      org_id,
      buyers: [aBuyer({ buyer_id, signing_secret, delivery })],
      suppliers: { s1: aSupplier() },
      ...broken.plan,
    });
    await collections.plans.insertOne(plan);
    await collections.campaigns.updateOne(
      { _id: campaign_id },
      { $set: { plan_version: 1, name: campaign_id } },
      { upsert: true },
    );
    const now = Date.now();
    const stored = aLead({
      campaign_id,
      org_id,
      supplier_id: 's1',
      fields: someFields({ zip_code: '90210' }),
      created_at: new Date(now),
      take_by: new Date(now + HOUR_MS),
      ...lead,
      ...broken.lead,
    });
    await collections.leads.insertOne(stored);
    const rowOf = (row: Partial<DeliveryDoc>) =>
      aRow({
        lead_id: stored._id,
        campaign_id,
        org_id,
        buyer_id,
        supplier_id: 's1',
        run: 'dead',
        due_at: LONG_AGO,
        expires_at: new Date(now + HOUR_MS),
        ...row,
      });
    return { stored, rowOf, buyer_id };
  };

  const LEFT: Partial<Lead> = { run: 'dead', takes: 1, lease_until: LONG_AGO };
  const WAITING: Partial<Lead> = { status: 'PENDING', pending_at: new Date(), takes: 1 };

  it.each(Object.entries(BROKEN))(
    'waits by itself while the others of its group are sold: %s',
    async (_title, broken) => {
      const { deps, sent, errors, collections } = aRun();
      const [first, odd, last] = [
        await aStored(SOUND),
        await aStored(broken),
        await aStored(SOUND),
      ];
      const ids = [first, odd, last].map(({ stored }) => stored._id);
      const result = await processLeads(ids, deps);
      const status = new Map(result.verdicts.map((verdict) => [verdict.id, verdict.status]));
      expect(ids.map((id) => status.get(id))).toEqual(['ACCEPTED', 'OPEN', 'ACCEPTED']);
      expect(sent.sort()).toEqual([first.buyer_id, last.buyer_id].sort());
      // It is tried again, for example by a process of the release that made its plan.
      expect(result.open).toEqual([odd.stored._id]);
      expect(result.dueInMs).toBeGreaterThanOrEqual(3_000);
      expect([...errors.keys()]).toEqual([odd.stored._id]);
      expect(errors.get(odd.stored._id)).toContain(broken.says);
      const left = await collections.leads.findOne({ _id: odd.stored._id });
      expect(left).toMatchObject({ status: 'NEW', takes: 1 });
    },
  );

  it.each(Object.entries(BROKEN))(
    'waits by itself while the others that an earlier run left are sold: %s',
    async (_title, broken) => {
      const { deps, errors, collections } = aRun();
      const [odd, other] = [await aStored(broken, LEFT), await aStored(SOUND, LEFT)];
      const rows = [odd, other].map(({ rowOf }) => rowOf({ state: 'accepted' }));
      await collections.deliveries.insertMany(rows);
      const ids = [odd, other].map(({ stored }) => stored._id);
      const { open, verdicts } = await processLeads(ids, deps);
      expect(verdicts).toContainEqual(expect.objectContaining({ id: ids[1], status: 'ACCEPTED' }));
      expect(open).toEqual([odd.stored._id]);
      expect(errors.get(odd.stored._id)).toContain(broken.says);
    },
  );

  it.each(Object.entries(BROKEN))(
    'waits by itself in the queue of its buyer, and ends with its row: %s',
    async (_title, broken) => {
      const { deps, sent, errors, collections } = aRun();
      const sound = await aStored(SOUND, WAITING);
      const odd = await aStored(broken, WAITING, sound.buyer_id);
      const rows = [sound, odd].map(({ rowOf }) => rowOf({ state: 'parked' }));
      await collections.deliveries.insertMany(rows);
      await collections.buyers.insertOne({
        _id: sound.buyer_id,
        name: sound.buyer_id,
        delivery: aWebhook({ max_concurrent: 4 }),
      } as never);
      const begun = new Date();
      const { failover, putOff } = await sendBatch(sound.buyer_id, undefined, deps);
      await failover?.work;
      expect(sent).toEqual([sound.buyer_id]);
      expect(putOff).toBe(1);
      expect(errors.get(odd.stored._id)).toContain(broken.says);
      const row = await collections.deliveries.findOne({ lead_id: odd.stored._id });
      expect(row?.state).toBe('parked');
      expect(Number(row?.due_at)).toBeGreaterThan(Number(begun));
      // A document without a trail cannot be updated at all.
      if (broken.lead?.trail) return;
      const lead = { _id: odd.stored._id };
      expect(await collections.leads.findOne(lead)).toMatchObject({ status: 'PENDING', run: null });

      await collections.deliveries.updateMany({}, { $set: { expires_at: LONG_AGO } });
      expect(await expireAged(sound.buyer_id, deps)).toBe(1);
      expect(await collections.leads.findOne(lead)).toMatchObject({ status: 'EXPIRED' });
    },
  );

  const AGED: Partial<Lead> = {
    ...LEFT,
    status: 'PENDING',
    created_at: new Date(Date.now() - 25 * HOUR_MS),
    pending_at: new Date(Date.now() - 25 * HOUR_MS),
  };
  const unreadable: Broken = { lead: { plan_version: 7 }, says: '' };

  it.each([
    { title: 'past its age limit is EXPIRED', lead: AGED, broken: SOUND, becomes: 'EXPIRED' },
    {
      title: 'past it, and cannot be decided, is EXPIRED',
      lead: AGED,
      broken: unreadable,
      becomes: 'EXPIRED',
    },
    {
      title: 'before it is sold',
      lead: { ...AGED, created_at: new Date() },
      broken: SOUND,
      becomes: 'ACCEPTED',
    },
    {
      title: 'before it, and cannot be decided, waits',
      lead: { ...AGED, created_at: new Date() },
      broken: unreadable,
      becomes: 'PENDING',
    },
  ])('a promised lead without a row: $title', async ({ lead, broken, becomes }) => {
    const { deps, sent, collections } = aRun();
    const { stored } = await aStored(broken, lead);
    const { verdicts } = await processLeads([stored._id], deps);
    const said = becomes === 'PENDING' ? 'OPEN' : becomes;
    expect(verdicts).toMatchObject([{ id: stored._id, status: said }]);
    expect(sent).toHaveLength(becomes === 'ACCEPTED' ? 1 : 0);
    const found = await collections.leads.findOne({ _id: stored._id });
    expect(found).toMatchObject({ status: becomes });
    if (becomes !== 'EXPIRED') return;
    expect(found).toMatchObject({ run: null, lease_until: null, decided_at: expect.any(Date) });
    expect(found?.trail.at(-1)).toMatchObject({
      step: 'closing',
      result: 'EXPIRED',
      reason: 'max_age',
    });
  });

  it.each(['accepted', 'unknown', 'parked', 'sending'] as const)(
    'does not end by its age while its row is %s: the buyer has the lead, may have it, or will be asked',
    async (state) => {
      const { deps, collections } = aRun();
      const { stored, rowOf } = await aStored(unreadable, AGED);
      const answer_by = new Date(Date.now() + HOUR_MS);
      await collections.deliveries.insertOne(rowOf({ state, answer_by }));
      await processLeads([stored._id], deps);
      expect(await collections.leads.findOne({ _id: stored._id })).toMatchObject({
        status: 'PENDING',
      });
    },
  );
});
