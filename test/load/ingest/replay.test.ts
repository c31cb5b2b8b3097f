/** Stored leads are decided again from their trails, with the same result in every byte. */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateBuyerLink } from '../../../src/account/links/buyerLinks.js';
import { createQueueCommands } from '../../../src/distribution/commands/queueCommands.js';
import { uploadSuppressions } from '../../../src/account/suppression/upload.js';
import { NO, YES, type Behavior, type BuyerRequest } from '../../support/fakeBuyer.js';
import { accountOf } from '../../support/org.js';
import { replayAll } from '../../support/replayed.js';
import { sideBySide } from '../../support/sideBySide.js';
import { aPerson } from '../../support/supplier.js';
import { waitFor } from '../../support/waitFor.js';
import { type MarketSpec, startTestbed, type Market, type Testbed } from '../../support/testbed.js';

let testbed: Testbed;
beforeAll(async () => {
  testbed = await startTestbed({ own: true });
});
afterAll(() => testbed.stop());

const DOWN: Behavior = { status: 503, headers: { 'retry-after': '1' } };
/** A uniform draw by the lead: the same for each of its requests. */
const share = ({ leadId }: BuyerRequest, percent: number): boolean =>
  parseInt(createHash('md5').update(leadId).digest('hex').slice(0, 6), 16) % 100 < percent;
const mostly =
  (other: Behavior, percent: number) =>
  (request: BuyerRequest): Behavior =>
    share(request, percent) ? other : YES;
/** Some buyers are down while leads are posted; afterwards they are healthy. */
interface Outage {
  isOn: boolean;
}
const late = (outage: Outage) => (): Behavior => (outage.isOn ? DOWN : YES);
const unknown = (on_unknown: 'hold' | 'assume_accepted' | 'fail_over') => ({
  answer: mostly('reset', 25),
  delivery: { on_unknown, hold_max_age_ms: 3_600_000 },
});

type Buyers = MarketSpec['buyers'];

type Markets = Record<string, { campaign: MarketSpec['campaign']; buyers: Buyers }>;

const markets = (outage: Outage): Markets => ({
  'a waterfall with two sales, caps, and a buyer that fails at first': {
    campaign: { max_sells: 2, caps: { total_budget: 2_500 } },
    buyers: {
      capped: { caps: { daily_cap: 40 }, answer: mostly(NO, 20) },
      late: { price: 9, answer: late(outage) },
      poor: { price: 8, caps: { total_budget: 400 } },
      texan: { price: 7, states: ['TX'] },
      off: { price: 99, status: 'paused' },
    },
  },
  'turns, with a buyer that fails and one whose leads wait': {
    campaign: { distribution_method: 'ROUND_ROBIN' },
    buyers: {
      a: { answer: mostly(NO, 30) },
      b: { answer: late(outage), when_unavailable: 'WAIT' },
      c: { answer: (request) => (outage.isOn && share(request, 10) ? DOWN : YES) },
    },
  },
  'shares, filters and a closed buyer': {
    campaign: {
      distribution_method: 'WEIGHTED',
      filters: { any: [{ field: 'state', operator: 'IN', value: ['TX', 'NV'] }] },
    },
    buyers: {
      half: { weight: 50, answer: mostly(NO, 10) },
      third: { weight: 30, filters: { all: [{ field: 'state', operator: '==', value: 'TX' }] } },
      none: { weight: 0 },
      suppressed: { weight: 20 },
    },
  },
  'bids with ties, and answers that never come': {
    campaign: { distribution_method: 'HIGHEST_BID', caps: { daily_cap: 150 } },
    buyers: {
      x: { price: 12, priority: 1, ...unknown('fail_over') },
      y: { price: 12, priority: 1, ...unknown('assume_accepted') },
      z: { price: 5, ...unknown('hold') },
    },
  },
  'repeats that go to the buyer of their original': {
    campaign: {
      dedupe: { fields: ['phone'], on_duplicate: 'ROUTE_TO_ORIGINAL' },
    },
    buyers: { first: { answer: mostly(NO, 20), caps: { daily_cap: 60 } }, second: {} },
  },
});
const EACH = 210;
/** `reconcile` resumes a lead whose run fell behind on a busy machine within a minute or two. */
const REST_MS = 190_000;
const TEST_MS = 280_000;

async function suppress({ account }: Market, phones: readonly string[]): Promise<void> {
  const target = { scope: 'buyer' as const, buyer_id: account.buyers.suppressed ?? '' };
  const list = { org_id: account.orgId, target, name: 'List', uploaded_by: 'test' };
  async function* source() {
    yield await Promise.resolve(Buffer.from(['phone', ...phones].join('\n')));
  }
  await uploadSuppressions(accountOf(testbed, list.org_id), list, source());
}

/** A supplier sends a lead again after the time that the answer names: sooner would only add to the load. */
async function untilTaken(market: Market, lead: Record<string, unknown>): Promise<void> {
  const { status, headers } = await market.post(lead);
  if (status !== 503) return;
  await delay(Number(headers['retry-after']) * 1_000);
  await untilTaken(market, lead);
}

/** An operator who knows that the buyers are healthy retries all of their queues. */
async function retryAll({ account }: Market): Promise<void> {
  const { collections, starter, commands, clock } = testbed.service.deps;
  const operator = createQueueCommands({ collections, commands, starter, clock, waitMs: 20_000 });
  const waiting = await collections.deliveries.distinct('buyer_id', {
    campaign_id: account.campaignId,
    state: 'parked',
  });
  const asked = waiting.map((buyer_id) => operator.retry({ buyer_id, by: 'test' }));
  // A command that is not answered in time is carried out nevertheless.
  await Promise.allSettled(asked);
}

/** Every lead is decided, or held until its buyer's answer is known. */
const atRest = async (market: Market): Promise<boolean> => {
  const waiting = { campaign_id: market.account.campaignId, state: { $in: ['sending', 'parked'] } };
  const { deliveries, leads } = testbed.collections;
  if ((await deliveries.countDocuments(waiting as never)) > 0) return false;
  // Queried often, while the awaited work runs: only counted.
  const open = {
    campaign_id: market.account.campaignId,
    $or: [{ run: { $ne: null } }, { status: 'NEW' }],
  };
  return (await leads.countDocuments(open as never)) === 0;
};

describe('1,000 stored leads, decided again from their trails', () => {
  const together = sideBySide();
  for (const name of Object.keys(markets({ isOn: false }))) {
    together(
      `are the same byte for byte: ${name}`,
      async () => {
        const outage = { isOn: true };
        const market = await testbed.market(markets(outage)[name]);
        const people = Array.from({ length: EACH }, () => aPerson());
        const repeats = name.startsWith('repeats');
        if (name.startsWith('shares')) {
          await suppress(
            market,
            people.slice(0, 50).map(({ phone }) => String(phone)),
          );
        }
        for (let from = 0; from < EACH; from += 30) {
          const group = people.slice(from, from + 30).map((person, n) => ({
            ...(repeats && from > 0 ? { ...person, phone: people[n]?.phone } : person),
            state: ['TX', 'NV', 'CA'][n % 3],
          }));
          await Promise.all(group.map((lead) => untilTaken(market, lead)));
          // Each version decides the leads that name it.
          const [buyer_id = ''] = Object.values(market.account.buyers);
          const { orgId: org_id, campaignId: campaign_id } = market.account;
          await updateBuyerLink(
            accountOf(testbed, org_id),
            { campaign_id, buyer_id },
            { priority: 1 + (from % 4) },
          );
        }
        outage.isOn = false;
        const rest = async () => {
          if (await atRest(market)) return true;
          await retryAll(market);
          return false;
        };
        await waitFor(rest, {
          message: `the leads of "${name}" are at rest`,
          timeoutMs: REST_MS,
          intervalMs: 1_000,
        });

        const choice = { campaignId: market.account.campaignId };
        const { count, different } = await replayAll(testbed.collections, choice);
        expect(different).toEqual([]);
        expect(count).toBeGreaterThanOrEqual(EACH);
        const trails = (await market.leads()).map(({ trail }) => trail.length);
        expect(Math.max(...trails)).toBeGreaterThan(4);
      },
      TEST_MS,
    );
  }
});

describe('one lead', () => {
  it('differs when its inputs were changed', async () => {
    const market = await testbed.market({ buyers: { only: { caps: { daily_cap: 5 } } } });
    const { data } = await market.post();
    const { leads } = testbed.collections;
    await leads.updateOne({ _id: data?.id ?? '' }, { $set: { 'trail.2.detail.order': ['other'] } });
    const { different } = await replayAll(testbed.collections, { leadId: data?.id });
    expect(different).toMatchObject([
      {
        leadId: data?.id,
        verdict: {
          kind: 'differs',
          index: 2,
          again: { detail: { order: [market.account.buyers.only] } },
        },
      },
    ]);
  });
});
