import { describe, expect, it } from '@jest/globals';
import type { Deps } from '../../../src/app/deps.js';
import type { DeliveryDoc } from '../../../src/deliveries/store/deliveryDoc.js';
import type { Lead } from '../../../src/leads/rules/lead.js';
import { waitFor } from '../../support/waitFor.js';
import { aLead, aRow, NOW } from '../../support/storedRows.js';
import { readLatestPlans, readPlans } from '../../../src/distribution/readPlans.js';
import { mutants } from './index.js';

const RUN = 'run-1';
const LEAD = aLead({ _id: 'l1', status: 'NEW', run: null, takes: 0 });

/** The part of the service that these bugs touch; another run has acquired the lead. */
function aService(taken: Partial<Lead> = {}) {
  const written: string[] = [];
  const write = (what: string) => () => {
    written.push(what);
    return Promise.resolve();
  };
  const standing = new Map([['l1:1', { buyer_id: 'b1' }]]);
  const deps = {
    localRuns: { expect: () => undefined, take: () => Promise.resolve('result') },
    leads: {
      insert: write('insert'),
      decide: write('decide'),
      sell: write('sell'),
      withdraw: (ids: string[]) => Promise.resolve(new Set(['withdrawn', ...ids])),
      acquireStored: () => Promise.resolve([{ ...LEAD, run: 'run-2', takes: 1, ...taken }]),
    },
    deliveries: { insertAttempts: () => Promise.resolve(standing), settle: write('settle') },
  };
  const alter = (bug: string): Deps => {
    const planted = mutants[bug];
    if (!planted) throw new Error(`There is no ${bug}`);
    return planted.alter(deps as unknown as Deps);
  };
  return { written, alter };
}

const acquire = ({ leads }: Deps) => leads.acquireStored([LEAD], RUN, NOW, NOW);
const isRefused = async ({ deliveries }: Deps, row: DeliveryDoc) =>
  (await deliveries.insertAttempts([row])).has(row._id);

describe('mutants of in-memory state', () => {
  it('mode_not_asked_again: a buyer in test mode is live for leads that are asked again', async () => {
    const plan = { campaign_id: 'c1', version: 2, buyers: [{ buyer_id: 'b1', test_mode: true }] };
    const campaigns = {
      find: () => ({ toArray: () => Promise.resolve([{ _id: 'c1', plan_version: 2 }]) }),
    };
    const get = () => Promise.resolve(new Map([['c1:2', plan]]));
    const planted = mutants.mode_not_asked_again;
    const given = { collections: { campaigns }, plans: { get } };
    const deps = planted?.alter(given as unknown as Deps);
    if (!deps) throw new Error('There is no mode_not_asked_again');
    const modes = (found: unknown) => (found as typeof plan).buyers.map((one) => one.test_mode);
    const latestFor = await readLatestPlans([{ campaign_id: 'c1' }], deps);
    expect(modes(latestFor({ campaign_id: 'c1' }))).toEqual([false]);
    const planFor = await readPlans([{ ...LEAD, campaign_id: 'c1', plan_version: 2 }], deps);
    expect(modes(planFor({ ...LEAD, campaign_id: 'c1', plan_version: 2 }))).toEqual([true]);
  });

  it('told_before_stored: reports as stored what it stores a moment later', async () => {
    const { written, alter } = aService();
    const { deliveries, leads } = alter('told_before_stored');
    const held = await deliveries.settle(RUN, [{ id: 'l1:1', state: 'accepted' }], NOW);
    await leads.sell([], NOW);
    await leads.decide(RUN, [], NOW);
    expect(held).toEqual(new Set(['l1:1']));
    expect(written).toEqual([]);
    await waitFor(() => written.length === 3, { message: 'all is stored' });
    expect(written).toEqual(['settle', 'sell', 'decide']);
  });

  it('failed_insert_ignored: one insert of twenty stores nothing, and its leads continue', async () => {
    const { written, alter } = aService();
    const deps = alter('failed_insert_ignored');
    for (let n = 1; n < 20; n++) await deps.leads.insert([]);
    await deps.leads.insert([LEAD]);
    expect(written).toHaveLength(19);
    expect((await acquire(deps)).at(-1)).toMatchObject({ _id: 'l1', run: RUN, takes: 1 });
  });

  it('late_insert_kept: withdraws only leads that are stored', async () => {
    const { alter } = aService();
    const withdrawn = await alter('late_insert_kept').leads.withdrawCalledOff([LEAD], RUN, NOW);
    expect(withdrawn).toEqual(new Set(['withdrawn', 'l1']));
  });

  it('taken_from_memory: acquires leads of another run, and sends what that run has sent', async () => {
    const deps = aService().alter('taken_from_memory');
    expect(await acquire(deps)).toEqual([{ ...LEAD, run: RUN, takes: 1 }]);
    expect(await isRefused(deps, aRow({ lead_id: 'l1', n: 1, run: RUN }))).toBe(false);
    expect(await isRefused(deps, aRow({ lead_id: 'l1', n: 1, run: 'run-2' }))).toBe(true);
  });

  it('promised_elsewhere: shows undecided leads of another run as PENDING, and no decided ones', async () => {
    const [open] = await acquire(aService().alter('promised_elsewhere'));
    expect(open).toMatchObject({ status: 'PENDING', run: null });
    const sold = { status: 'ACCEPTED' as const, run: null };
    expect(await acquire(aService(sold).alter('promised_elsewhere'))).toMatchObject([sold]);
  });

  it.each(['taken_from_memory', 'promised_elsewhere'])(
    '%s: has each group run by its workflow, too',
    (bug) => {
      expect(aService().alter(bug).localRuns.take('intake-1')).toBeUndefined();
    },
  );
});
