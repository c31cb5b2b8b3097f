/** Leads that a visitor of a funnel sent, and how the intake treats suspected bots. */
import { accountOf } from '../support/org.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateCampaign } from '../../src/account/campaigns/campaigns.js';
import { SUSPECT_REASONS, type FunnelOrigin } from '../../src/leads/rules/origin.js';
import { explainLead } from '../../src/routing/explain/explain.js';
import { latestPlan } from '../support/plans.js';
import { replayAll } from '../support/replayed.js';
import { aPerson } from '../support/supplier.js';
import { startTestbed, type Market, type MarketSpec, type Testbed } from '../support/testbed.js';
import { intakeBed, type IntakeBed } from './intakeBed.js';

const ORIGIN: FunnelOrigin = {
  funnel_id: 'fun_1',
  version: 2,
  consent_id: 'a-nonce',
  source: 'direct',
};

describe('a lead from a funnel', () => {
  let testbed: Testbed;
  const opened: IntakeBed[] = [];

  beforeAll(async () => {
    testbed = await startTestbed();
  });
  afterAll(async () => {
    for (const bed of opened) bed.close();
    await testbed.stop();
  });

  /**
   * A market, and an intake for it that accepts submissions of pages. With `onAdmit` its process holds tokens: the account is
   * read when the lead is about to be stored, not when a token is drawn.
   */
  async function open(spec?: MarketSpec, onAdmit?: (market: Market) => Promise<void>) {
    const market = await testbed.market(spec);
    const { starter } = testbed.service.deps;
    const bed = intakeBed(testbed, market.account, {
      decide: (leads, withinMs) => starter.decide(leads, withinMs),
      ...(onAdmit && { onAdmit: () => onAdmit(market), limiter: { beginsDraw: () => false } }),
    });
    opened.push(bed);
    const submit = (origin: FunnelOrigin, key?: string, person = aPerson()) =>
      bed.submit(key, person, undefined, origin);
    return { market, submit };
  }

  it('keeps its origin, and is sold like any other', async () => {
    const { market, submit } = await open();
    expect(await submit(ORIGIN)).toMatchObject({ status: 201, data: { delivery: 'delivered' } });
    expect(await market.leads()).toMatchObject([{ status: 'ACCEPTED', origin: ORIGIN }]);
    expect(market.sentTo('only')).toHaveLength(1);
  });

  it('keeps its origin when the account changes while it is accepted', async () => {
    let changes = 0;
    const { market, submit } = await open({}, async ({ account }) => {
      if (changes++ > 0) return;
      const name = 'Renamed';
      await updateCampaign(accountOf(testbed, account.orgId), account.campaignId, { name });
    });
    await submit(ORIGIN);
    expect(changes).toBe(2);
    expect(await market.leads()).toMatchObject([{ status: 'ACCEPTED', origin: ORIGIN }]);
  });

  it('that its supplier posts itself is stored without an origin, with the fields that it always had', async () => {
    const market = await testbed.market();
    await market.post();
    const { submit, market: other } = await open();
    await submit(ORIGIN);
    const [posted] = await market.leads();
    const [submitted] = await other.leads();
    expect(posted).not.toHaveProperty('origin');
    // Reports may have counted one of them already.
    const others = ['origin', 'counted', 'uncounted'];
    const namesOf = (lead: object = {}) =>
      Object.keys(lead)
        .filter((name) => !others.includes(name))
        .sort();
    expect(namesOf(posted)).toEqual(namesOf(submitted));
  });

  it.each(SUSPECT_REASONS)(
    'suspected to be of a bot (%s) is kept as REJECTED, before any buyer is asked',
    async (suspect) => {
      const { market, submit } = await open();
      const person = aPerson();
      await expect(submit({ ...ORIGIN, suspect }, 'key', person)).rejects.toMatchObject({
        code: 'filtered',
      });
      const [lead] = await market.leads();
      expect(lead).toMatchObject({
        status: 'REJECTED',
        origin: { suspect },
        trail: [
          { step: 'received' },
          { step: 'origin', result: 'suspected', reason: suspect },
          { step: 'closing', result: 'REJECTED', reason: 'suspected_bot' },
        ],
      });
      expect(market.sentTo('only')).toEqual([]);
      // It makes no later lead of the same person a duplicate.
      expect(await submit(ORIGIN, 'another key', person)).toMatchObject({ status: 201 });
    },
  );

  it('suspected to be of a bot is explained, and its decision replays identically', async () => {
    const { market, submit } = await open();
    await submit({ ...ORIGIN, suspect: 'honeypot' }).catch(() => undefined);
    const [lead] = await market.leads();
    if (!lead) throw new Error('no lead');
    const plan = await latestPlan(testbed.collections, market.account.campaignId);
    const { summary, buyers } = explainLead({ lead, plan, currency: 'USD' });
    expect(summary).toContain('Its page suspects a bot: a hidden field was filled in.');
    expect(buyers).toMatchObject([{ verdict: 'not_asked', reason: 'suspected_bot' }]);
    expect(await replayAll(testbed.collections, { leadId: lead._id })).toEqual({
      count: 1,
      different: [],
    });
  });

  it('suspected to be of a bot needs no ping where others do', async () => {
    const { market, submit } = await open({ campaign: { routing_method: 'PING_POST' } });
    await expect(submit(ORIGIN)).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(submit({ ...ORIGIN, suspect: 'too_fast' })).rejects.toMatchObject({
      code: 'filtered',
    });
    expect(await market.leads()).toMatchObject([{ status: 'REJECTED' }]);
    expect(market.sentTo('only')).toEqual([]);
  });
});
