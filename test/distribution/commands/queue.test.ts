import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { YES } from '../../support/fakeBuyer.js';
import { replayAll } from '../../support/replayed.js';
import { tally } from '../../support/supplier.js';
import { waitFor } from '../../support/waitFor.js';
import { startTestbed, type Testbed } from '../../support/testbed.js';
import { decoded } from '../../support/histories.js';
import { buyerOf, operatorOf, patiently, postUntil, type Operator } from './operatorFixture.js';

/** Nothing becomes due by itself during a test. */
const AWAY = { status: 503, headers: { 'retry-after': '600' } };

describe("an operator's command on leads that wait for a buyer", () => {
  let testbed: Testbed;
  let operator: Operator;
  beforeAll(async () => {
    testbed = await startTestbed();
    operator = operatorOf(testbed);
  });
  afterAll(() => testbed.stop());

  const destinationOf = (id: string) => testbed.collections.destinations.findOne({ _id: id });

  describe('retry', () => {
    it("sends the whole queue at once, whatever the buyer's Retry-After", async () => {
      const market = await testbed.market({ buyers: { only: { answer: () => AWAY } } });
      const buyer_id = buyerOf(market, 'only');
      const ids = [];
      for (let n = 0; n < 4; n++) ids.push(await postUntil(market, 'parked'));
      market.behave('only', () => YES);
      const by = 'ada@example.com';
      const done = await operator.retry({ buyer_id, by, note: 'they say it is mended' });
      expect(done).toMatchObject({ buyer_id, rows: 4, busy: 0, unknown: 0 });
      await Promise.all(ids.map((id) => market.becomes(id, 'ACCEPTED')));
      expect(await market.cap('only')).toMatchObject({ total: { count: 4 }, held: [] });
      expect((await destinationOf(buyer_id))?.last_command).toMatchObject({
        _id: done.id,
        action: 'retry',
        by,
        note: 'they say it is mended',
      });
    });

    it('sends one lead before newer ones, records it on the trail, and stores no author or note in Temporal', async () => {
      const market = await testbed.market({ buyers: { only: { answer: () => AWAY } } });
      const oldest = await postUntil(market, 'parked');
      await postUntil(market, 'parked');
      const before = market.sentTo('only').length;
      const asked = { lead_id: oldest, by: 'grace hopper', note: 'zyxw asked for it' };
      const done = await patiently(() => operator.retry(asked));
      await waitFor(() => market.sentTo('only').length > before, { message: 'it is sent' });
      expect(market.sentTo('only')[before]?.leadId).toBe(oldest);
      const lead = await market.lead(oldest);
      expect(lead.trail).toContainEqual(
        expect.objectContaining({
          step: 'delivery',
          result: 'retried',
          buyer_id: buyerOf(market, 'only'),
          detail: { command: done.id, attempt: 1, by: asked.by, note: asked.note },
        }),
      );
      const history = decoded(await market.drainOf('only').fetchHistory());
      expect(history).toContain(oldest);
      expect(history).not.toMatch(/hopper|zyxw/);
    });

    it('works while the drain is running', async () => {
      const market = await testbed.market({
        buyers: {
          only: { answer: () => AWAY, delivery: { max_concurrent: 2 } },
        },
      });
      const ids = [];
      for (let n = 0; n < 10; n++) ids.push(await postUntil(market, 'parked'));
      market.behave('only', () => ({ ...YES, delayMs: 100 }));
      const buyer_id = buyerOf(market, 'only');
      await Promise.all(Array.from({ length: 5 }, () => operator.retry({ buyer_id })));
      await Promise.all(ids.map((id) => market.becomes(id, 'ACCEPTED')));
      const sales = market.sentTo('only').filter(({ time }) => time > 1);
      expect(Math.max(...Object.values(tally(sales.map(({ leadId }) => leadId))))).toBe(1);
      // A sale is shown while its reservation is being removed.
      const isFree = async () => (await market.cap('only'))?.held.length === 0;
      await waitFor(isFree, { message: 'no reservation is left' });
      expect(await market.cap('only')).toMatchObject({ total: { count: 10 } });
    });
  });

  describe('hold', () => {
    it('holds only one lead until a retry', async () => {
      const market = await testbed.market({ buyers: { only: { answer: () => AWAY } } });
      const [held, other] = [await postUntil(market, 'parked'), await postUntil(market, 'parked')];
      await patiently(() => operator.hold({ lead_id: held }));
      market.behave('only', () => YES);
      await patiently(() => operator.retry({ lead_id: other }));
      await market.becomes(other, 'ACCEPTED');
      expect(await market.rows(held)).toMatchObject([{ state: 'parked', held: true, tries: 1 }]);
      expect((await market.lead(held)).trail.map(({ result }) => result)).toContain('held');
      await operator.retry({ buyer_id: buyerOf(market, 'only') });
      await market.becomes(held, 'ACCEPTED');
    });

    it('does not stop its time limit', async () => {
      const market = await testbed.market({
        buyers: {
          only: { answer: () => AWAY, delivery: { max_age_ms: 4_000 } },
        },
      });
      const id = await postUntil(market, 'parked');
      await patiently(() => operator.hold({ lead_id: id }));
      await market.becomes(id, 'EXPIRED');
      expect(await market.cap('only')).toMatchObject({ total: { count: 0 }, held: [] });
    });

    it('holds a whole queue, including later leads; a single lead can still be sent', async () => {
      const market = await testbed.market({ buyers: { only: { answer: () => AWAY } } });
      const buyer_id = buyerOf(market, 'only');
      const early = await postUntil(market, 'parked');
      expect(await operator.hold({ buyer_id })).toMatchObject({ rows: 1 });
      const late = await postUntil(market, 'parked');
      market.behave('only', () => YES);
      await patiently(() => operator.retry({ lead_id: early }));
      await market.becomes(early, 'ACCEPTED');
      expect(await market.rows(late)).toMatchObject([{ state: 'parked', tries: 0 }]);
      const shown = /held by an operator[^]*- held: 1\n- unknown: 0\n/;
      await waitFor(async () => shown.test(await details(market.drainOf('only'))), {
        message: 'the Temporal UI shows one held row',
      });
      expect(await operator.retry({ buyer_id })).toMatchObject({ rows: 1 });
      await market.becomes(late, 'ACCEPTED');
      expect(await destinationOf(buyer_id)).toMatchObject({ held: false });
    });
  });

  describe('drop', () => {
    it('ends one lead for this buyer, and releases its place in the cap', async () => {
      const market = await testbed.market({ buyers: { only: { answer: () => AWAY } } });
      const id = await postUntil(market, 'parked');
      const done = await patiently(() => operator.drop({ lead_id: id, note: 'withdrawn' }));
      expect(done).toMatchObject({ rows: 1, lead: { id, status: 'EXPIRED', buyer_id: null } });
      expect(await market.rows(id)).toMatchObject([{ state: 'expired', reason: 'dropped' }]);
      expect(await market.cap('only')).toMatchObject({ total: { count: 0 }, held: [] });
      expect((await market.lead(id)).trail.slice(-2)).toMatchObject([
        { step: 'delivery', result: 'dropped', detail: { note: 'withdrawn' } },
        { step: 'closing', result: 'EXPIRED', reason: 'dropped' },
      ]);
      await expect(operator.drop({ lead_id: id })).rejects.toMatchObject({
        code: 'not_waiting',
        message: `Lead ${id} does not wait for any buyer: it is EXPIRED.`,
      });
    });

    it('does not change sold leads', async () => {
      const market = await testbed.market({
        buyers: { first: { answer: () => YES }, second: { answer: () => AWAY } },
        campaign: { max_sells: 2 },
      });
      const id = await postUntil(market, 'parked');
      await patiently(() => operator.drop({ lead_id: id }));
      expect(await market.lead(id)).toMatchObject({
        status: 'ACCEPTED',
        buyer_id: buyerOf(market, 'first'),
        price: 10_000_000,
      });
      expect(await market.cap('second')).toMatchObject({ total: { count: 0 }, held: [] });
    });

    it('does not touch a lead that is being sent, and reports it', async () => {
      const market = await testbed.market({
        buyers: {
          only: { answer: () => 'hang', delivery: { timeout_ms: 8_000 } },
        },
      });
      const { id } = await market.post();
      for (const action of ['drop', 'hold', 'retry'] as const) {
        await expect(operator[action]({ lead_id: id })).rejects.toMatchObject({
          code: 'being_sent',
          message: `Lead ${id} is being sent to the buyer now. Call again when its answer is known.`,
        });
      }
      expect(await market.rows(id)).toMatchObject([{ state: 'sending' }]);
    });

    it('ends a whole queue once, although two callers drop it at the same time', async () => {
      const market = await testbed.market({ buyers: { only: { answer: () => AWAY } } });
      const ids = [];
      for (let n = 0; n < 8; n++) ids.push(await postUntil(market, 'parked'));
      const buyer_id = buyerOf(market, 'only');
      const done = await Promise.all([
        operator.drop({ buyer_id }),
        operator.drop({ buyer_id }),
        operator.retry({ buyer_id }),
      ]);
      const [first, second] = done;
      expect(first.rows + second.rows).toBe(8);
      await Promise.all(ids.map((id) => market.becomes(id, 'EXPIRED')));
      expect(await market.cap('only')).toMatchObject({ total: { count: 0 }, held: [] });
      await waitFor(
        async () => (await market.drainOf('only').describe()).status.name === 'COMPLETED',
        { message: 'the drain ends' },
      );
    });
  });

  it('leaves trails that decide every lead again in the same way', async () => {
    expect((await replayAll(testbed.collections)).different).toEqual([]);
  });
});

/** The summary that the Temporal UI shows of a workflow. */
async function details(handle: { query<T>(name: string): Promise<T> }): Promise<string> {
  const metadata = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  return metadata.currentDetails ?? '';
}
