import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { NO, YES } from '../support/fakeBuyer.js';
import { sideBySide } from '../support/sideBySide.js';
import { tally } from '../support/supplier.js';
import { waitFor } from '../support/waitFor.js';
import { DOWN } from '../support/fakeBuyer.js';
import { startTestbed, type Testbed } from '../support/testbed.js';

const PENDING = { status: 201, data: { status: 'ACCEPTED', buyer_id: null, delivery: 'pending' } };

describe('leads that wait for a buyer', () => {
  let testbed: Testbed;

  beforeAll(async () => {
    testbed = await startTestbed();
  });
  afterAll(async () => {
    await testbed.stop();
  });
  const together = sideBySide();

  together(
    'are sent after its cooldown, even if only held leads waited when it began',
    async () => {
      const market = await testbed.market({
        buyers: {
          only: { delivery: { timeout_ms: 200, on_unknown: 'hold' }, answer: () => 'hang' },
        },
      });
      const held = await market.post();
      await waitFor(
        async () => {
          const rests = await testbed.collections.destinations.findOne({
            _id: market.account.buyers.only,
            awake: false,
            last_drain_at: { $exists: true },
          });
          return rests !== null && (await market.rows(held.id))[0]?.state === 'unknown';
        },
        { message: 'it is held, and its drain rests' },
      );
      market.behave('only', () => DOWN);
      const { id } = await market.post();
      market.behave('only', () => YES);
      await market.becomes(id, 'ACCEPTED');
    },
  );

  together(
    'all arrive when the buyer recovers: newest first, each once, within its concurrency',
    async () => {
      let well = false;
      let [open, most] = [0, 0];
      const market = await testbed.market({
        buyers: {
          only: {
            delivery: { max_concurrent: 5 },
            answer: () => {
              if (!well) return DOWN;
              most = Math.max(most, ++open);
              setTimeout(() => (open -= 1), 30);
              return { ...YES, delayMs: 31 };
            },
          },
        },
      });
      const answers = [];
      for (let n = 0; n < 6; n++)
        answers.push(...(await Promise.all(Array.from({ length: 5 }, () => market.post()))));
      for (const answer of answers) expect(answer).toMatchObject({ status: 201 });
      expect(answers[29]).toMatchObject(PENDING);
      const before = market.sentTo('only').length;
      well = true;
      await waitFor(
        async () =>
          (await testbed.collections.leads.countDocuments({
            campaign_id: market.account.campaignId,
            status: 'ACCEPTED',
          })) === 30,
        { message: 'all 30 are sold', timeoutMs: 15_000 },
      );
      expect(most).toBeLessThanOrEqual(5);
      const arrived = market.sentTo('only').slice(before);
      expect(new Set(arrived.map(({ leadId }) => leadId)).size).toBe(30);
      expect(arrived).toHaveLength(30);
      const leads = await testbed.collections.deliveries
        .find({ campaign_id: market.account.campaignId })
        .toArray();
      const since = new Map(leads.map((row) => [row.lead_id, Number(row.created_at)]));
      const times = arrived.map(({ leadId }) => since.get(leadId) ?? 0);
      // Within a wave of five the order is arbitrary.
      const waves = times.slice(5).map((time, index) => time <= (times[index] ?? 0));
      expect(tally(waves.map(String))).toEqual({ true: 25 });
      await waitFor(
        async () => (await market.drainOf('only').describe()).status.name === 'COMPLETED',
        { message: 'the drain ends' },
      );
      const history = await market.drainOf('only').fetchHistory();
      const signals = history.events?.filter(
        (event) => event.workflowExecutionSignaledEventAttributes,
      );
      expect(signals?.length).toBeLessThanOrEqual(10);
      expect(await market.cap('only')).toMatchObject({ total: { count: 30 }, held: [] });
    },
  );

  together(
    'sends nothing to a buyer that answered 429 or 503 until its Retry-After has passed',
    async () => {
      const inSeconds = () => '3';
      /** An HTTP date has whole seconds: the next full second, and three more. */
      const atDate = () => new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 3_000).toUTCString();
      const check = async (status: number, retryAfter: () => string) => {
        const market = await testbed.market({
          buyers: {
            only: {
              answer: ({ time }) =>
                time === 1 ? { status, headers: { 'retry-after': retryAfter() } } : YES,
            },
          },
        });
        const { id } = await market.post();
        const second = await market.post();
        expect(second).toMatchObject(PENDING);
        expect(market.sentTo('only')).toHaveLength(1);
        await market.becomes(id, 'ACCEPTED');
        await market.becomes(second.id, 'ACCEPTED');
        const [first, next] = market.sentTo('only');
        const pause = (next?.at ?? 0) - (first?.at ?? 0);
        expect(pause).toBeGreaterThanOrEqual(2_950);
        expect(pause).toBeLessThan(10_000);
      };
      await Promise.all([check(429, inSeconds), check(503, inSeconds), check(429, atDate)]);
    },
  );

  together('goes to the next buyer when the one it waited for refuses it', async () => {
    const market = await testbed.market({
      buyers: {
        first: {
          answer: ({ time }) => (time === 1 ? DOWN : NO),
          when_unavailable: 'WAIT',
        },
        next: { answer: () => YES },
      },
    });
    const answer = await market.post();
    expect(answer).toMatchObject(PENDING);
    await market.becomes(answer.id, 'ACCEPTED');
    expect(await market.lead(answer.id)).toMatchObject({ buyer_id: market.account.buyers.next });
    expect(await market.cap('first')).toMatchObject({ total: { count: 0 }, held: [] });
    expect(await market.cap('next')).toMatchObject({ total: { count: 1 }, held: [] });
  });

  together(
    'asks a buyer that was down before again when the one it waited for refuses it',
    async () => {
      const market = await testbed.market({
        buyers: {
          first: { answer: ({ time }) => (time === 1 ? DOWN : NO) },
          next: { answer: ({ time }) => (time === 1 ? DOWN : YES) },
        },
      });
      const answer = await market.post();
      expect(answer).toMatchObject(PENDING);
      await market.becomes(answer.id, 'ACCEPTED');
      expect(await market.lead(answer.id)).toMatchObject({ buyer_id: market.account.buyers.next });
    },
  );

  together('expires at max_age, and its place under the cap is free again', async () => {
    const market = await testbed.market({
      buyers: {
        only: { answer: () => DOWN, delivery: { max_age_ms: 1_500 } },
      },
    });
    const answer = await market.post();
    expect(answer).toMatchObject(PENDING);
    await market.becomes(answer.id, 'EXPIRED');
    const [row] = await market.rows(answer.id);
    expect(row).toMatchObject({ state: 'expired', reserved: { day: expect.any(String) } });
    expect(await market.cap('only')).toMatchObject({ total: { count: 0 }, held: [] });
  });

  together(
    'is held when its request was never answered, and expires when the hold is over',
    async () => {
      const market = await testbed.market({
        buyers: {
          only: {
            answer: () => 'hang',
            delivery: { timeout_ms: 300, on_unknown: 'hold', hold_max_age_ms: 5_000 },
          },
          next: { answer: () => YES },
        },
      });
      const answer = await market.post();
      expect(answer).toMatchObject(PENDING);
      await waitFor(
        async () => {
          const [lead, [row]] = await Promise.all([market.lead(answer.id), market.rows(answer.id)]);
          return lead.status === 'PENDING' && lead.run === null && row?.state === 'unknown';
        },
        { message: 'it is held' },
      );
      await market.becomes(answer.id, 'EXPIRED');
      expect(await market.cap('only')).toMatchObject({ total: { count: 0 }, held: [] });
      expect(market.sentTo('only')).toHaveLength(1);
      expect(market.sentTo('next')).toHaveLength(0);
    },
  );

  together('keeps the cap of the next buyer that a waiting lead goes to', async () => {
    let well = false;
    const market = await testbed.market({
      buyers: {
        first: {
          answer: () => (well ? NO : DOWN),
          when_unavailable: 'WAIT',
          delivery: { max_concurrent: 4 },
        },
        capped: { answer: () => YES, caps: { daily_cap: 2 } },
      },
    });
    const posted = await Promise.all(Array.from({ length: 4 }, () => market.post()));
    well = true;
    await waitFor(
      async () =>
        (await Promise.all(posted.map(({ id }) => market.lead(id)))).every(
          (lead) => lead.status !== 'PENDING',
        ),
      { message: 'all are decided' },
    );
    expect(market.sentTo('capped')).toHaveLength(2);
    const leads = await Promise.all(posted.map(({ id }) => market.lead(id)));
    expect(tally(leads.map((lead) => lead.status))).toEqual({ ACCEPTED: 2, EXPIRED: 2 });
    expect(await market.cap('capped')).toMatchObject({ total: { count: 2 }, held: [] });
  });
});
