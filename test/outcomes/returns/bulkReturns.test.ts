/** Returns of many leads at once: a report of each, dry runs within the limit of a month, and races. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Market } from '../../support/testbed.js';
import { startReturnTestbed, type ReturnTestbed } from './returnTestbed.js';

interface Bulk {
  done: number;
  refused: number;
  report: { lead_id: string; return_id: string | null; result: string; message: string | null }[];
  continue_from: string | null;
}

const REASON = { reason: 'bad_contact_info' };

describe('returns of many leads', () => {
  let testbed: ReturnTestbed;
  beforeAll(async () => {
    testbed = await startReturnTestbed();
  });
  afterAll(() => testbed.stop());

  const soldTo = async (settings: object, count: number) => {
    const market = await testbed.market({ buyers: { first: {} } });
    const buyer_id = market.account.buyers.first ?? '';
    await testbed.done(market, 'set_buyer_returns', { buyer_id, ...settings });
    const leads: string[] = [];
    for (let n = 0; n < count; n++) leads.push(await testbed.sold(market));
    return { market, buyer_id, leads };
  };
  const stored = ({ account }: Market) =>
    testbed.collections.returns.countDocuments({ org_id: account.orgId });
  const resultsOf = ({ report }: Bulk) => report.map(({ result }) => result);

  it('are requested within the limit of the month, as the dry run says', async () => {
    const { market, leads } = await soldTo({ max_per_month: 2 }, 3);
    const input = { lead_ids: [...leads, 'none'], ...REASON };
    const dry = await testbed.done<Bulk>(market, 'request_returns', { ...input, dry_run: true });
    expect(resultsOf(dry)).toEqual(['would_be_done', 'would_be_done', 'refused', 'not_found']);
    expect([dry.done, dry.refused, await stored(market)]).toEqual([2, 2, 0]);
    const made = await testbed.done<Bulk>(market, 'request_returns', input);
    expect(resultsOf(made)).toEqual(['done', 'done', 'refused', 'not_found']);
    expect(made.report.map(({ message }) => message)).toEqual([
      null,
      null,
      expect.stringContaining('(max_per_month)'),
      'There is no lead none.',
    ]);
    const repeated = await testbed.done<Bulk>(market, 'request_returns', input);
    expect(repeated.report.map(({ return_id }) => return_id)).toEqual(
      made.report.map(({ return_id }) => return_id),
    );
    expect(await stored(market)).toBe(2);
  });

  it('stay within the limit when many calls race', async () => {
    const { market, leads } = await soldTo({ max_per_month: 3 }, 6);
    const input = { lead_ids: leads, ...REASON };
    const answers = await Promise.all(
      [leads, leads.toReversed()].map((lead_ids) =>
        testbed.done<Bulk>(market, 'request_returns', { ...input, lead_ids }),
      ),
    );
    expect(await stored(market)).toBe(3);
    for (const { report } of answers)
      expect(report.filter(({ result }) => result === 'done').length).toBeLessThanOrEqual(3);
  });

  it('are decided by a filter, a bounded number at a time, each once', async () => {
    const { market, leads, buyer_id } = await soldTo({}, 3);
    await testbed.done(market, 'request_returns', { lead_ids: leads, ...REASON });
    const input = { buyer_id, result: 'accept', max: 2 };
    const dry = await testbed.done<Bulk>(market, 'resolve_returns', { ...input, dry_run: true });
    expect(resultsOf(dry)).toEqual(['would_be_done', 'would_be_done']);
    expect(dry.continue_from).not.toBeNull();
    const { continue_from } = await testbed.done<Bulk>(market, 'resolve_returns', input);
    const rest = await testbed.done<Bulk>(market, 'resolve_returns', { ...input, continue_from });
    expect([resultsOf(rest), rest.continue_from]).toEqual([['done'], null]);
    for (const id of leads) expect((await testbed.lead(id)).price).toBe(0);
    const return_ids = leads.map((id) => `${id}:${buyer_id}:1`);
    const reject = { return_ids, result: 'reject' };
    const refused = await testbed.done<Bulk>(market, 'resolve_returns', reject);
    expect(resultsOf(refused)).toEqual(Array(3).fill('refused'));
    const again = await testbed.done<Bulk>(market, 'resolve_returns', {
      return_ids,
      result: 'accept',
    });
    expect(resultsOf(again)).toEqual(Array(3).fill('done'));
  });

  it.each([
    [{}, 'return_ids, buyer_id or campaign_id is required'],
    [{ return_ids: ['r'], max: 1 }, 'return_ids cannot be combined'],
    [{ buyer_id: 'b', continue_from: 'x' }, 'There is no buyer b'],
  ])('are not decided for %j', async (input, message) => {
    const market = await testbed.market({ buyers: { first: {} } });
    const given = { ...input, result: 'accept' };
    const answer = await testbed.call(market, 'resolve_returns', given);
    expect(answer).toMatchObject({ message: expect.stringContaining(message) });
  });
});
