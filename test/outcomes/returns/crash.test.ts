import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createReturns, type ReturnsDeps } from '../../../src/outcomes/returns/service.js';
import { createReturnStore } from '../../../src/outcomes/store/returns.js';
import type { Deps } from '../../../src/app/deps.js';
import type { Market } from '../../support/testbed.js';
import { startReturnTestbed, type ReturnTestbed } from './returnTestbed.js';

const BY = { kind: 'user', name: 'Key' } as const;
const HOUR_MS = 3_600_000;
const died = () => Promise.reject(new Error('the process died'));

describe('an accepted return that could not be finished', () => {
  let testbed: ReturnTestbed;
  let deps: Deps;

  beforeAll(async () => {
    testbed = await startReturnTestbed();
    ({ deps } = await testbed.otherApi());
  });
  afterAll(() => testbed.stop());

  const partsOf = (broken: Partial<ReturnsDeps>): ReturnsDeps => ({
    ...deps,
    changes: deps.saleChanges,
    redistribute: deps.redistribute,
    ...broken,
  });
  /** The clock of a later process. */
  const later = (ms: number) => ({
    clock: { ...deps.clock, now: () => new Date(Date.now() + ms) },
  });
  const requested = async (market: Market, settings = {}) => {
    const lead_id = await testbed.sold(market);
    const { orgId: org_id, buyers } = market.account;
    const buyer_id = buyers.first ?? '';
    await testbed.done(market, 'set_buyer_returns', { buyer_id, resell: true, ...settings });
    const note = null;
    const asked = { org_id, lead_id, reason: 'other' as const, note, by: BY };
    return { org_id, lead_id, asked: await deps.returns.request(asked) };
  };
  const finished = async (market: Market, leadId: string) => {
    const [made] = await createReturnStore(testbed.collections).of(
      leadId,
      market.account.buyers.first ?? '',
    );
    expect(made).toMatchObject({ state: 'accepted', change_id: made?._id, reversed: 10_000_000 });
    expect(made).not.toHaveProperty('owed');
    const lead = await testbed.lead(leadId);
    expect(lead.trail.filter(({ result }) => result === 'returned')).toHaveLength(1);
    await testbed.becomes(made?.resale_lead_id ?? '', 'ACCEPTED');
    expect(await market.leads()).toHaveLength(2);
    expect(market.sentTo('second')).toHaveLength(1);
  };

  it.each<[string, (real: Deps) => Partial<ReturnsDeps>]>([
    ['before the sale was changed', () => ({ changes: { make: died } })],
    [
      'after the sale was changed',
      (real) => ({
        changes: {
          make: async (change, at) => {
            await real.saleChanges.make(change, at);
            return died();
          },
        },
      }),
    ],
    ['before the lead was sold again', () => ({ redistribute: died })],
    [
      'after the lead was sold again',
      (real) => ({
        redistribute: async (order) => {
          await real.redistribute(order);
          return died();
        },
      }),
    ],
  ])('%s is finished by reconcile, once', async (_name, breaking) => {
    const market = await testbed.market({ buyers: { first: {}, second: {} } });
    const { org_id, lead_id, asked } = await requested(market);
    const verdict = { org_id, return_id: asked._id, note: null, by: BY };
    const broken = createReturns(partsOf(breaking(deps)));
    const accepted = await broken.resolve({ ...verdict, result: 'accept' });
    expect(accepted).toMatchObject({ state: 'accepted', owed: true });
    // Too early: the process that accepted it may still be at work.
    expect(await createReturns(partsOf({})).catchUp()).toBe(0);
    const repair = createReturns(partsOf(later(31_000)));
    const [one, another] = await Promise.all([repair.catchUp(), repair.catchUp()]);
    expect(one + another).toBeGreaterThanOrEqual(1);
    expect(await repair.catchUp()).toBe(0);
    await finished(market, lead_id);
  });

  it('is finished by the same verdict again', async () => {
    const market = await testbed.market({ buyers: { first: {}, second: {} } });
    const { org_id, lead_id, asked } = await requested(market);
    const verdict = { org_id, return_id: asked._id, result: 'accept', note: null, by: BY } as const;
    await createReturns(partsOf({ changes: { make: died } })).resolve(verdict);
    await deps.returns.resolve(verdict);
    await finished(market, lead_id);
  });

  it('is accepted automatically after its hours, and not before', async () => {
    const market = await testbed.market({ buyers: { first: {}, second: {} } });
    const { lead_id } = await requested(market, { auto_accept_hours: 24 });
    const early = createReturns(partsOf(later(24 * HOUR_MS - 60_000)));
    expect(await early.catchUp()).toBe(0);
    expect(await createReturns(partsOf(later(24 * HOUR_MS))).catchUp()).toBe(1);
    await finished(market, lead_id);
  });
});
