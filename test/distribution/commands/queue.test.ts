import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { YES } from '../../support/fakeBuyer.js';
import { replayAll } from '../../support/replayed.js';
import { tally } from '../../support/supplier.js';
import { waitFor } from '../../support/waitFor.js';
import { startLaneBed, type LaneBed } from '../../faults/drainFixture.js';
import { decoded } from '../../support/histories.js';
import {
  becomes,
  buyerOf,
  operatorOf,
  patiently,
  postUntil,
  type Operator,
} from './operatorFixture.js';

/** Nothing is due of itself for the length of a test. */
const AWAY = { status: 503, headers: { 'retry-after': '600' } };

describe("an operator's command on what waits for a buyer", () => {
  let lanes: LaneBed;
  let operator: Operator;
  beforeAll(async () => {
    lanes = await startLaneBed();
    operator = operatorOf(lanes);
  });
  afterAll(() => lanes.stop());

  const destinationOf = (id: string) => lanes.bed.collections.destinations.findOne({ _id: id });

  describe('retry', () => {
    it('sends the whole queue at once, whatever rest the buyer asked for', async () => {
      const lane = await lanes.open({ only: { answers: () => AWAY } });
      const buyer_id = buyerOf(lane, 'only');
      const ids = [];
      for (let n = 0; n < 4; n++) ids.push(await postUntil(lane, 'parked'));
      lane.behave('only', () => YES);
      const by = 'ada@example.com';
      const done = await operator.retry({ buyer_id, by, note: 'they say it is mended' });
      expect(done).toMatchObject({ buyer_id, rows: 4, busy: 0, unknown: 0 });
      await Promise.all(ids.map((id) => becomes(lane, id, 'ACCEPTED')));
      expect(await lane.cap('only')).toMatchObject({ total: { count: 4 }, held: [] });
      expect((await destinationOf(buyer_id))?.last_command).toMatchObject({
        ...{ _id: done.id, action: 'retry', by, note: 'they say it is mended' },
      });
    });

    it('sends one lead before newer ones, says so on its trail, and tells Temporal nothing of who and why', async () => {
      const lane = await lanes.open({ only: { answers: () => AWAY } });
      const oldest = await postUntil(lane, 'parked');
      await postUntil(lane, 'parked');
      const before = lane.requests('only').length;
      const asked = { lead_id: oldest, by: 'grace hopper', note: 'zyxw asked for it' };
      const done = await patiently(() => operator.retry(asked));
      await waitFor(() => lane.requests('only').length > before, { message: 'it is sent' });
      expect(lane.requests('only')[before]?.leadId).toBe(oldest);
      const lead = await lane.lead(oldest);
      expect(lead?.trail).toContainEqual(
        expect.objectContaining({
          ...{ step: 'delivery', result: 'retried', buyer_id: buyerOf(lane, 'only') },
          detail: { command: done.id, attempt: 1, by: asked.by, note: asked.note },
        }),
      );
      const history = decoded(await lane.drainOf('only').fetchHistory());
      expect(history).toContain(oldest);
      expect(history).not.toMatch(/hopper|zyxw/);
    });

    it('may come while the drain is at work', async () => {
      const lane = await lanes.open({
        only: { answers: () => AWAY, delivery: { max_concurrent: 2 } },
      });
      const ids = [];
      for (let n = 0; n < 10; n++) ids.push(await postUntil(lane, 'parked'));
      lane.behave('only', () => ({ ...YES, delayMs: 100 }));
      const buyer_id = buyerOf(lane, 'only');
      await Promise.all(Array.from({ length: 5 }, () => operator.retry({ buyer_id })));
      await Promise.all(ids.map((id) => becomes(lane, id, 'ACCEPTED')));
      const sales = lane.requests('only').filter(({ time }) => time > 1);
      expect(Math.max(...Object.values(tally(sales.map(({ leadId }) => leadId))))).toBe(1);
      expect(await lane.cap('only')).toMatchObject({ total: { count: 10 }, held: [] });
    });
  });

  describe('hold', () => {
    it('keeps one lead back until a retry, and no other', async () => {
      const lane = await lanes.open({ only: { answers: () => AWAY } });
      const [held, other] = [await postUntil(lane, 'parked'), await postUntil(lane, 'parked')];
      await patiently(() => operator.hold({ lead_id: held }));
      lane.behave('only', () => YES);
      await patiently(() => operator.retry({ lead_id: other }));
      await becomes(lane, other, 'ACCEPTED');
      expect(await lane.rows(held)).toMatchObject([{ state: 'parked', held: true, tries: 1 }]);
      expect((await lane.lead(held))?.trail.map(({ result }) => result)).toContain('held');
      await operator.retry({ buyer_id: buyerOf(lane, 'only') });
      await becomes(lane, held, 'ACCEPTED');
    });

    it('does not stop its age', async () => {
      const lane = await lanes.open({
        only: { answers: () => AWAY, delivery: { max_age_ms: 4_000 } },
      });
      const id = await postUntil(lane, 'parked');
      await patiently(() => operator.hold({ lead_id: id }));
      await becomes(lane, id, 'EXPIRED');
      expect(await lane.cap('only')).toMatchObject({ total: { count: 0 }, held: [] });
    });

    it('keeps a whole queue back, what comes later too; one lead may be sent all the same', async () => {
      const lane = await lanes.open({ only: { answers: () => AWAY } });
      const buyer_id = buyerOf(lane, 'only');
      const early = await postUntil(lane, 'parked');
      expect(await operator.hold({ buyer_id })).toMatchObject({ rows: 1 });
      const late = await postUntil(lane, 'parked');
      lane.behave('only', () => YES);
      await patiently(() => operator.retry({ lead_id: early }));
      await becomes(lane, early, 'ACCEPTED');
      expect(await lane.rows(late)).toMatchObject([{ state: 'parked', tries: 0 }]);
      await waitFor(
        async () => {
          const { raw } = await lane.drainOf('only').describe();
          return (
            raw.workflowExecutionInfo !== null &&
            (await details(lane.drainOf('only'))).includes('held by an operator')
          );
        },
        { message: 'the Temporal UI says so' },
      );
      expect(await details(lane.drainOf('only'))).toMatch(/- held: 1\n- unknown: 0\n/);
      expect(await operator.retry({ buyer_id })).toMatchObject({ rows: 1 });
      await becomes(lane, late, 'ACCEPTED');
      expect(await destinationOf(buyer_id)).toMatchObject({ held: false });
    });
  });

  describe('drop', () => {
    it('ends one lead for this buyer, and its place under the cap is free', async () => {
      const lane = await lanes.open({ only: { answers: () => AWAY } });
      const id = await postUntil(lane, 'parked');
      const done = await patiently(() => operator.drop({ lead_id: id, note: 'withdrawn' }));
      expect(done).toMatchObject({ rows: 1, lead: { id, status: 'EXPIRED', buyer_id: null } });
      expect(await lane.rows(id)).toMatchObject([{ state: 'expired', reason: 'dropped' }]);
      expect(await lane.cap('only')).toMatchObject({ total: { count: 0 }, held: [] });
      expect((await lane.lead(id))?.trail.slice(-2)).toMatchObject([
        { step: 'delivery', result: 'dropped', detail: { note: 'withdrawn' } },
        { step: 'closing', result: 'EXPIRED', reason: 'dropped' },
      ]);
      await expect(operator.drop({ lead_id: id })).rejects.toMatchObject({
        code: 'not_waiting',
        message: `Lead ${id} does not wait for any buyer: it is EXPIRED.`,
      });
    });

    it('leaves what is sold already sold', async () => {
      const lane = await lanes.open(
        { first: { answers: () => YES }, second: { answers: () => AWAY } },
        { max_sells: 2 },
      );
      const id = await postUntil(lane, 'parked');
      await patiently(() => operator.drop({ lead_id: id }));
      expect(await lane.lead(id)).toMatchObject({
        ...{ status: 'ACCEPTED', buyer_id: buyerOf(lane, 'first'), price: 10_000_000 },
      });
      expect(await lane.cap('second')).toMatchObject({ total: { count: 0 }, held: [] });
    });

    it('does not touch a lead that is being sent, and says so', async () => {
      const lane = await lanes.open({
        only: { answers: () => 'hang', delivery: { timeout_ms: 8_000 } },
      });
      const { id } = await lane.post();
      for (const action of ['drop', 'hold', 'retry'] as const) {
        await expect(operator[action]({ lead_id: id })).rejects.toMatchObject({
          code: 'being_sent',
          message: `Lead ${id} is being sent to the buyer now. Ask again when its answer is known.`,
        });
      }
      expect(await lane.rows(id)).toMatchObject([{ state: 'sending' }]);
    });

    it('ends a whole queue once, though two ask for it at the same time', async () => {
      const lane = await lanes.open({ only: { answers: () => AWAY } });
      const ids = [];
      for (let n = 0; n < 8; n++) ids.push(await postUntil(lane, 'parked'));
      const buyer_id = buyerOf(lane, 'only');
      const done = await Promise.all([
        operator.drop({ buyer_id }),
        operator.drop({ buyer_id }),
        operator.retry({ buyer_id }),
      ]);
      const [first, second] = done;
      expect(first.rows + second.rows).toBe(8);
      await Promise.all(ids.map((id) => becomes(lane, id, 'EXPIRED')));
      expect(await lane.cap('only')).toMatchObject({ total: { count: 0 }, held: [] });
      await waitFor(
        async () => (await lane.drainOf('only').describe()).status.name === 'COMPLETED',
        { message: 'the drain ends' },
      );
    });
  });

  it('leaves trails by which every lead is decided again as it was', async () => {
    expect((await replayAll(lanes.bed.collections)).different).toEqual([]);
  });
});

/** What the Temporal UI shows of a workflow. */
async function details(handle: { query<T>(name: string): Promise<T> }): Promise<string> {
  const metadata = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  return metadata.currentDetails ?? '';
}
