/** A link with room in its caps and the maximum of held leads: leads beyond them are left undecided. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sendBatch } from '../../../src/distribution/drainBatch.js';
import { closeExhausted } from '../../../src/distribution/close.js';
import { GroupSale } from '../../../src/distribution/sell.js';
import type { Task } from '../../../src/distribution/task.js';
import type { CapScope } from '../../../src/account/rules/capLimits.js';
import { windowKeys } from '../../../src/fields/windowKeys.js';
import type { Log } from '../../../src/lib/log.js';
import {
  buyerCap,
  campaignCap,
  createCapStore,
  supplierCap,
} from '../../../src/routing/store/caps.js';
import type { Lead } from '../../../src/leads/rules/lead.js';
import { createQueueStore } from '../../../src/deliveries/store/queue.js';
import { aSupplier } from '../../support/builders.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';
import { screeningDeps } from '../../distribution/screeningDeps.js';
import { answers, aLease, leadWithTwoLeases } from '../../distribution/twoLeases.js';

const SCOPES = ['buyer', 'supplier', 'campaign'] as const;
const LIMITED = { daily_cap: 9 };

describe('a lead whose link has no free reservation', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  /** The link of `crowded` has one reservation, and can hold no other. */
  const aScene = async (crowded: CapScope, lead: Partial<Lead> = {}) => {
    const scene = await leadWithTwoLeases(database, lead);
    const { plan, first, next, collections } = scene;
    const supplier = aSupplier({ caps: LIMITED });
    plan.caps = LIMITED;
    plan.suppliers = { s1: supplier };
    for (const terms of plan.buyers) terms.caps = LIMITED;
    await collections.plans.replaceOne({ _id: plan._id }, plan);
    const ids: Record<CapScope, string> = {
      buyer: buyerCap(plan.campaign_id, 'first'),
      supplier: supplierCap(plan.campaign_id, 's1'),
      campaign: campaignCap(plan.campaign_id),
    };
    const asked: string[] = [];
    const warned: string[] = [];
    const made = screeningDeps(database, answers(200, asked));
    const bounded = createCapStore(collections.caps, 1);
    const log = { ...made.log, warn: ({ link }: { link: string }) => warned.push(link) };
    const caps = {
      ...made.caps,
      reserve: (request: Parameters<typeof bounded.reserve>[0]) =>
        (request.id === ids[crowded] ? bounded : made.caps).reserve(request),
    };
    const deps = { ...made, caps, log: log as unknown as Log };
    const other = { hold_id: 'other:1', fence: 1, amount: 10 };
    const keys = windowKeys(new Date(), plan.time_zone);
    await caps.reserve({ id: ids[crowded], limits: LIMITED, keys, candidates: [other] });
    const task = (own: Partial<Task>): Task => ({
      lead: scene.lead,
      plan,
      supplier,
      candidates: [first, next],
      nextAttempt: 1,
      sold: 0,
      missed: [],
      trail: [],
      ...own,
    });
    /** By scope, the counted leads and the reservations, including the other lead's. */
    const links = async () => {
      const docs = await collections.caps.find({ _id: { $in: Object.values(ids) } }).toArray();
      return docs.map(({ _id, day, held }) => [_id.split(':')[0], day.count, held.length]);
    };
    const theOtherEnds = () => caps.commit(ids[crowded], [other]);
    return { ...scene, ids, deps, task, links, theOtherEnds, asked, warned };
  };

  const isFree = (scope: CapScope) => (link: readonly unknown[]) =>
    link[0] === scope || (link[1] === 0 && link[2] === 0);

  it.each(SCOPES)('of its %s is not sent, holds nothing, and is sold later', async (scope) => {
    const { deps, task, links, rows, ids, lead, collections, theOtherEnds, asked, warned } =
      await aScene(scope);
    const look = task({});
    const selling = new GroupSale({ tasks: [look] }, aLease('second'), deps);
    await selling.done;
    expect(selling.verdictOf(lead)).toEqual({ id: lead._id, status: 'OPEN' });
    expect((await selling.detach()).open).toEqual([lead._id]);
    expect({ asked, rows: await rows(), trail: look.trail }).toEqual({
      asked: [],
      rows: [],
      trail: [],
    });
    expect(await collections.leads.findOne({ _id: lead._id })).toMatchObject({
      status: lead.status,
      run: 'second',
      sales: [],
    });
    const before = await links();
    expect(before).toContainEqual([scope, 1, 1]);
    expect(before.every(isFree(scope))).toBe(true);
    expect(warned).toEqual([ids[scope]]);

    await theOtherEnds();
    await new GroupSale({ tasks: [task({})] }, aLease('second'), deps).done;
    expect(asked).toEqual(['first']);
    expect(await collections.leads.findOne({ _id: lead._id })).toMatchObject({
      status: 'ACCEPTED',
      buyer_id: 'first',
    });
    expect(await links()).toContainEqual([scope, 2, 0]);
  });

  it.each(SCOPES)('of its %s stays undecided when it would have to wait', async (scope) => {
    const { deps, task, first, lead, links, rows, collections } = await aScene(scope);
    const missed = { terms: first, rowId: null, reason: 'breaker_open', retryAfterMs: 0 };
    const one = task({ candidates: [], missed: [missed] });
    const closed = await closeExhausted([one], aLease('second'), deps);
    expect(closed).toEqual({ unsold: [], goOn: [], waiting: [], lost: [one] });
    expect(await rows()).toEqual([]);
    expect(await collections.leads.findOne({ _id: lead._id })).toMatchObject({
      status: lead.status,
      run: 'second',
    });
    expect((await links()).every(isFree(scope))).toBe(true);
  });

  it.each(SCOPES)(
    'of its %s while it waits continues waiting, and counts as before',
    async (scope) => {
      const waits = { status: 'PENDING', run: null } as const;
      const { deps, plan, rowOf, rows, links, lead, collections, asked } = await aScene(
        scope,
        waits,
      );
      const reserved = windowKeys(new Date(0), plan.time_zone);
      const row = rowOf({ buyer_id: 'first', state: 'parked', reserved, due_at: new Date(0) });
      await collections.deliveries.insertOne(row);
      const wave = await sendBatch('first', { _id: 'first', asked: [row._id] } as never, {
        ...deps,
        collections,
        queue: createQueueStore(collections.deliveries),
        background: { add: () => undefined },
      });
      expect(wave).toMatchObject({ sent: 0, putOff: 1 });
      expect(asked).toEqual([]);
      const [kept] = await rows();
      expect(kept).toMatchObject({ state: 'parked', reserved });
      expect(Number(kept?.due_at)).toBeGreaterThan(Date.now());
      expect(await collections.leads.findOne({ _id: lead._id })).toMatchObject({
        status: 'PENDING',
        run: null,
      });
      expect((await links()).every(isFree(scope))).toBe(true);
    },
  );
});
