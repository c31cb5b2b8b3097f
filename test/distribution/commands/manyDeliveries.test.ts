/** One command on many deliveries, by the actions: a report of each, dry runs, and races with the drains. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { YES } from '../../support/fakeBuyer.js';
import type { Market } from '../../support/testbed.js';
import { waitFor } from '../../support/waitFor.js';
import { startReturnTestbed, type ReturnTestbed } from '../../outcomes/returns/returnTestbed.js';
import { buyerOf, postUntil } from './operatorFixture.js';

/** Nothing becomes due by itself during a test. */
const AWAY = { status: 503, headers: { 'retry-after': '600' } };

interface Bulk {
  buyer_id: string | null;
  rows: number;
  refused?: number;
  report?: { delivery_id: string; result: string; message: string | null }[];
  continue_from?: string | null;
}

describe('a command on many deliveries', () => {
  let testbed: ReturnTestbed;
  beforeAll(async () => {
    testbed = await startReturnTestbed();
  });
  afterAll(() => testbed.stop());

  const away = (answer: () => typeof AWAY | 'reset' = () => AWAY) =>
    testbed.market({ buyers: { only: { answer } } });
  const parked = async (market: Market, count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) ids.push(await postUntil(market, 'parked'));
    return ids;
  };
  const idsOf = (leads: readonly string[]) => leads.map((id) => `${id}:1`);
  const statesOf = async (market: Market, leads: readonly string[]) =>
    (await Promise.all(leads.map((id) => market.rows(id)))).map(([row]) => row?.state);
  const resultsOf = ({ report = [] }: Bulk) =>
    Object.fromEntries(report.map(({ delivery_id, result }) => [delivery_id, result]));

  it('says in a dry run what it would do, and changes nothing', async () => {
    const market = await away();
    const leads = await parked(market, 3);
    const buyer_id = buyerOf(market, 'only');
    const before = await Promise.all(leads.map((id) => market.rows(id)));
    for (const name of ['retry_deliveries', 'hold_deliveries', 'drop_deliveries'] as const) {
      const input = { delivery_ids: idsOf(leads), dry_run: true };
      const bulk = await testbed.done<Bulk>(market, name, input);
      expect(bulk).toMatchObject({ buyer_id, rows: 3, refused: 0, continue_from: null });
      expect(Object.values(resultsOf(bulk))).toEqual(Array(3).fill('would_be_done'));
      const whole = await testbed.done<Bulk>(market, name, { buyer_id, dry_run: true });
      expect(whole).toEqual({ buyer_id, rows: 3, busy: 0, unknown: 0, lead: null });
    }
    expect(await Promise.all(leads.map((id) => market.rows(id)))).toEqual(before);
    const { commands } = testbed.collections;
    expect(await commands.countDocuments({ buyer_id })).toBe(0);
  });

  it('does what it can, and says of each other one why not', async () => {
    const market = await testbed.market({ buyers: { only: {} } });
    const sold = await testbed.sold(market);
    market.behave('only', () => 'reset');
    const unanswered = await postUntil(market, 'unknown');
    market.behave('only', () => AWAY);
    const waiting = await postUntil(market, 'parked');
    const ids = [...idsOf([sold, unanswered, waiting]), 'none:1'];
    const [a, b, c, d] = ids as [string, string, string, string];
    const held = await testbed.done<Bulk>(market, 'hold_deliveries', { delivery_ids: ids });
    expect(resultsOf(held)).toEqual({
      [a]: 'not_waiting',
      [b]: 'unknown_delivery',
      [c]: 'done',
      [d]: 'not_found',
    });
    expect(held).toMatchObject({ rows: 1, unknown: 1, refused: 3 });
    expect((await market.rows(waiting))[0]).toMatchObject({ state: 'parked', held: true });
    const input = { delivery_ids: ids, result: 'accepted', note: 'asked by phone' };
    const before = { delivery_ids: [a], result: 'accepted', dry_run: true };
    const dry = await testbed.done<Bulk>(market, 'resolve_deliveries', before);
    expect([resultsOf(dry), dry.rows, dry.refused]).toEqual([{ [a]: 'already_done' }, 0, 0]);
    const resolved = await testbed.done<Bulk>(market, 'resolve_deliveries', input);
    expect(resolved).toMatchObject({ rows: 1, refused: 2 });
    expect(resultsOf(resolved)).toEqual({
      [a]: 'already_done',
      [b]: 'done',
      [c]: 'not_waiting',
      [d]: 'not_found',
    });
    expect(await market.lead(unanswered)).toMatchObject({ status: 'ACCEPTED' });
    const again = await testbed.done<Bulk>(market, 'resolve_deliveries', input);
    expect([resultsOf(again)[b], again.rows]).toEqual(['already_done', 0]);
    expect((await market.lead(unanswered)).sales).toHaveLength(1);
    const other = { delivery_ids: [b], result: 'rejected' };
    const refused = await testbed.done<Bulk>(market, 'resolve_deliveries', other);
    expect(resultsOf(refused)).toEqual({ [b]: 'already_resolved' });
  });

  it('goes through a filter a bounded number at a time, oldest first', async () => {
    const market = await away();
    const leads = await parked(market, 5);
    const { campaignId: campaign_id } = market.account;
    const seen: string[][] = [];
    let continue_from: string | null | undefined;
    do {
      const input = { campaign_id, max: 2, ...(continue_from ? { continue_from } : {}) };
      const bulk = await testbed.done<Bulk>(market, 'drop_deliveries', input);
      seen.push(Object.keys(resultsOf(bulk)));
      continue_from = bulk.continue_from;
    } while (continue_from);
    expect(seen.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect(seen.flat()).toEqual(idsOf(leads));
    expect(await statesOf(market, leads)).toEqual(Array(5).fill('expired'));
  });

  it('sells each lead once, however many retries race with the drain', async () => {
    const market = await away();
    const leads = await parked(market, 12);
    const before = market.sentTo('only').length;
    market.behave('only', () => YES);
    const retry = () =>
      testbed.call<Bulk>(market, 'retry_deliveries', { delivery_ids: idsOf(leads) });
    const answers = await Promise.all([retry(), retry(), retry()]);
    for (const { status, data } of answers) {
      expect(status).toBe(200);
      // One that is being sent, or has been sold, is refused: it needs no retry.
      for (const { result } of data.report ?? [])
        expect(['done', 'being_sent', 'not_waiting', 'busy']).toContain(result);
    }
    await waitFor(
      async () => (await statesOf(market, leads)).every((state) => state === 'accepted'),
      { message: 'every lead is sold' },
    );
    for (const id of leads) expect((await market.lead(id)).sales).toHaveLength(1);
    const sent = market.sentTo('only').slice(before);
    expect(sent.map(({ leadId }) => leadId).sort()).toEqual([...leads].sort());
    await waitFor(async () => (await market.cap('only'))?.held.length === 0, {
      message: 'no hold is left',
    });
    expect(await market.cap('only')).toMatchObject({ total: { count: 12 } });
  });

  it.each([
    [{}, 'lead_id is required'],
    [{ delivery_ids: ['a:1'], campaign_id: 'c' }, 'campaign_id cannot be combined'],
    [{ delivery_ids: ['a:1'], max: 3 }, 'max cannot be combined'],
    [{ dry_run: true }, 'delivery_ids is required'],
    [{ buyer_id: 'nobody', dry_run: true }, 'There is no buyer nobody'],
    [{ campaign_id: 'none' }, 'There is no campaign none'],
  ])('refuses %j', async (input, message) => {
    const market = await away();
    const answer = await testbed.call(market, 'drop_deliveries', input);
    expect([answer.status, answer.message]).toEqual([
      expect.any(Number),
      expect.stringContaining(message),
    ]);
    expect(answer.status).not.toBe(200);
  });
});
