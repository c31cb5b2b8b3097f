/** A lead counted on one day for its buyer and on the next for its supplier or campaign: clocks differ at midnight. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sendBatch } from '../../src/distribution/drainBatch.js';
import { endWaiting } from '../../src/distribution/expiry.js';
import { settleReservations } from '../../src/distribution/repair/reservations.js';
import { GroupSale } from '../../src/distribution/sell.js';
import type { Task } from '../../src/distribution/task.js';
import { emptyCapState } from '../../src/routing/rules/caps.js';
import { windowKeys } from '../../src/fields/windowKeys.js';
import { buyerCap, campaignCap, supplierCap } from '../../src/routing/store/caps.js';
import { createQueueStore } from '../../src/deliveries/store/queue.js';
import { aSupplier } from '../support/builders.js';
import { openDatabase, type TestDatabase } from '../support/database.js';
import { screeningDeps } from './screeningDeps.js';
import { answers, aLease, leadWithTwoLeases } from './twoLeases.js';

const ZONE = 'America/New_York';
/** A Monday and a 1st at once. */
const MIDNIGHT = new Date('2027-02-01T05:00:00Z');
const [late, early] = [new Date(Number(MIDNIGHT) - 1), MIDNIGHT];
const [yesterday, today] = [windowKeys(late, ZONE), windowKeys(early, ZONE)];
const OTHER = { fence: 1, amount: 10 };

describe.each(['supplier', 'campaign'] as const)(
  'a lead that its buyer counts before midnight and its %s after it',
  (ahead) => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await openDatabase();
    });
    afterAll(() => database.drop());

    /** A process whose clock shows just before midnight parks it. */
    const aScene = async () => {
      const scene = await leadWithTwoLeases(database, { created_at: late });
      const { plan, first, lead, collections, rows } = scene;
      first.caps = { daily_cap: 1, weekly_cap: 2 };
      const caps = { [ahead]: { daily_cap: 5 } };
      plan.caps = caps.campaign ?? {};
      plan.suppliers = { s1: aSupplier({ caps: caps.supplier ?? {} }) };
      plan.buyers = [first];
      await collections.plans.replaceOne({ _id: plan._id }, plan);
      const ids = {
        buyer: buyerCap(plan.campaign_id, 'first'),
        supplier: supplierCap(plan.campaign_id, 's1'),
        campaign: campaignCap(plan.campaign_id),
      };
      const depsAt = (now: Date, status: number, asked: string[] = []) => ({
        ...screeningDeps(database, answers(status, asked)),
        clock: { now: () => now, monotonic: () => performance.now(), random: () => 0.5 },
      });
      const stored = depsAt(late, 503);
      await stored.caps.reserve({ id: ids[ahead], limits: {}, keys: today, candidates: [] });
      const task: Task = {
        lead,
        plan,
        supplier: aSupplier(caps.supplier && { caps: caps.supplier }),
        candidates: [first],
        nextAttempt: 1,
        sold: 0,
        missed: [],
        trail: [],
      };
      await new GroupSale({ tasks: [task] }, aLease('second'), stored).done;
      const countsOf = async (id: string) => {
        const link = (await collections.caps.findOne({ _id: id })) ?? emptyCapState();
        const { day, week, total } = link;
        return { day: day.key, counts: [day.count, week.count, total.count] };
      };
      const parked = async () => {
        const [row] = await rows();
        if (!row) throw new Error('The lead has no row');
        return row;
      };
      /** The drain of its buyer, asked for the parked row. */
      const sendParked = async (deps: ReturnType<typeof depsAt>) => {
        const { _id } = await parked();
        const destination = await collections.destinations.findOneAndUpdate(
          { _id: 'first' },
          { $set: { asked: [_id] } },
          { upsert: true, returnDocument: 'after' },
        );
        return sendBatch('first', destination ?? undefined, {
          ...deps,
          collections,
          queue: createQueueStore(collections.deliveries),
          background: { add: () => undefined },
        });
      };
      return { ...scene, ids, depsAt, countsOf, parked, sendParked };
    };

    it('is parked with the windows of each', async () => {
      const { ids, countsOf, parked } = await aScene();
      expect(await parked()).toMatchObject({
        state: 'parked',
        reserved: yesterday,
        reserved_apart: { [ahead]: today },
      });
      expect(await countsOf(ids.buyer)).toEqual({ day: yesterday.day, counts: [1, 1, 1] });
      expect(await countsOf(ids[ahead])).toEqual({ day: today.day, counts: [1, 1, 1] });
    });

    it('exceeds no cap of its buyer when it is sent after midnight', async () => {
      const { ids, depsAt, countsOf, sendParked } = await aScene();
      const asked: string[] = [];
      const deps = depsAt(early, 200, asked);
      const one = { hold_id: 'other:1', ...OTHER };
      await deps.caps.reserve({ id: ids.buyer, limits: {}, keys: today, candidates: [one] });
      await deps.caps.commit(ids.buyer, [one]);
      const { sent } = await sendParked(deps);
      expect({ sent, asked }).toEqual({ sent: 0, asked: [] });
      expect(await countsOf(ids.buyer)).toEqual({ day: today.day, counts: [1, 1, 2] });
      expect(await countsOf(ids[ahead])).toEqual({ day: today.day, counts: [1, 1, 1] });
    });

    it('is counted once in the day in which it is sent, and names it', async () => {
      const { ids, depsAt, countsOf, sendParked, rows } = await aScene();
      const { sent } = await sendParked(depsAt(early, 200));
      expect(sent).toBe(1);
      for (const id of [ids.buyer, ids[ahead]])
        expect(await countsOf(id)).toEqual({ day: today.day, counts: [1, 1, 1] });
      const [row] = await rows();
      expect(row).toMatchObject({ state: 'accepted', reserved: today });
      expect(row).not.toHaveProperty('reserved_apart');
    });

    it('waits for a buyer that is closed then until it opens, by the clock of the account', async () => {
      const { depsAt, parked, sendParked, collections, plan } = await aScene();
      const schedule = [{ days: ['mon' as const], from: '06:00', to: '09:00' }];
      await collections.plans.updateOne(
        { _id: plan._id },
        { $set: { time_zone: ZONE, 'buyers.0.schedule': schedule } },
      );
      const { sent } = await sendParked(depsAt(early, 200));
      expect(sent).toBe(0);
      expect(await parked()).toMatchObject({
        state: 'parked',
        due_at: new Date('2027-02-01T11:00:00Z'),
      });
    });

    it('is counted in its own windows when reconcile finishes a dead lease', async () => {
      const { ids, depsAt, countsOf, parked, collections, lead } = await aScene();
      const deps = depsAt(early, 503);
      const row = await parked();
      const slot = { hold_id: row._id, fence: lead.takes + 1, amount: 10 };
      const asked = { limits: {}, keys: today };
      await deps.caps.reserve({
        ...asked,
        id: ids.buyer,
        candidates: [{ ...slot, counted: yesterday }],
      });
      await deps.caps.reserve({
        ...asked,
        id: ids[ahead],
        candidates: [{ ...slot, counted: today }],
      });
      const links = { _id: { $in: [ids.buyer, ids[ahead]] } };
      await collections.caps.updateMany(links, { $set: { 'held.0.at': new Date(0) } });
      await settleReservations({ collections, caps: deps.caps, clock: deps.clock });
      expect(await countsOf(ids.buyer)).toEqual({ day: today.day, counts: [0, 0, 1] });
      expect(await countsOf(ids[ahead])).toEqual({ day: today.day, counts: [1, 1, 1] });
    });

    it('releases each in its own window when it stops waiting', async () => {
      const { ids, depsAt, countsOf, parked } = await aScene();
      const deps = depsAt(early, 503);
      const one = { hold_id: 'other:1', ...OTHER };
      await deps.caps.reserve({ id: ids.buyer, limits: {}, keys: today, candidates: [one] });
      await deps.caps.commit(ids.buyer, [one]);
      await endWaiting([await parked()], 'max_age', deps);
      expect(await countsOf(ids.buyer)).toEqual({ day: today.day, counts: [1, 1, 1] });
      expect(await countsOf(ids[ahead])).toEqual({ day: today.day, counts: [0, 0, 0] });
    });
  },
);
