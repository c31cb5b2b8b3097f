/** The month that a return counts in, and the purchases of that month: by the clock of the account. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DEFAULT_RETURNS, type ReturnSettings } from '../../../src/account/buyers/returnsSchema.js';
import { systemClock } from '../../../src/lib/clock.js';
import { requestReturn } from '../../../src/outcomes/returns/requestReturn.js';
import { createReturnStore } from '../../../src/outcomes/store/returns.js';
import { keyring } from '../../account/values.js';
import { createAccount } from '../../support/account.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';
import { makeOrg } from '../../support/org.js';
import { aLead } from '../../support/storedRows.js';

describe('the return of a lead', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  /** A buyer, with a lead of each of these times. */
  const buyerOf = async (times: readonly string[], limits: Partial<ReturnSettings> = {}) => {
    const { collections } = database;
    const delivery = { url: 'https://buyer.example/leads' };
    const { orgId, buyers } = await createAccount(
      { collections, keyring },
      { buyers: { mine: { delivery } } },
    );
    const buyer_id = buyers.mine ?? '';
    const returns = { ...DEFAULT_RETURNS, allowed: true, max_age_days: null, ...limits };
    await collections.buyers.updateOne({ _id: buyer_id }, { $set: { returns } });
    const money = { price: 10e6, cost: 4e6 };
    const leads = times.map((time) => {
      const at = new Date(time);
      const sales = [{ ...money, buyer_id, attempt: 1, at }];
      const own = { org_id: orgId, buyer_id, sales, created_at: at, status: 'ACCEPTED' } as const;
      return aLead({ ...money, ...own, changes: 1, uncounted: true });
    });
    await collections.leads.insertMany(leads);
    const ask = (n: number, org_id = orgId) =>
      requestReturn(
        {
          org_id,
          lead_id: leads[n]?._id ?? '',
          buyer_id,
          reason: 'other',
          note: null,
          by: { kind: 'user' },
        },
        { collections, returns: createReturnStore(collections), clock: systemClock },
      );
    return { ask, buyer_id };
  };

  it.each([
    ['2026-06-01T02:00:00Z', '2026-05', '2026-05-31'],
    ['2026-06-01T04:00:00Z', '2026-06', '2026-06-01'],
    // The days whose clocks change, and the last instant before one.
    ['2026-03-09T03:59:59Z', '2026-03', '2026-03-08'],
    ['2026-11-01T03:59:59Z', '2026-10', '2026-10-31'],
    ['2026-11-02T04:59:59Z', '2026-11', '2026-11-01'],
  ])('that came at %s counts in %s', async (time, month, lead_day) => {
    const { ask, buyer_id } = await buyerOf([time], { max_per_month: 1 });
    expect(await ask(0)).toMatchObject({ month, lead_day });
    const counts = await database.collections.returnCounts
      .find({ _id: RegExp(buyer_id) })
      .toArray();
    expect(counts).toEqual([{ _id: `${buyer_id}:${month}`, count: 1 }]);
  });

  it("has room for its share of the month's purchases, from its first instant to its last", async () => {
    const times = [
      '2026-05-01T03:59:59Z',
      '2026-05-01T04:00:00Z',
      '2026-06-01T03:59:59Z',
      '2026-06-01T04:00:00Z',
    ];
    const { ask } = await buyerOf(times, { max_share_pct: 50 });
    expect(await ask(2)).toMatchObject({ month: '2026-05' });
    await expect(ask(1)).rejects.toMatchObject({
      message:
        'This buyer may return 50 % of the 2 leads of 2026-05 that it bought, 1 (max_share_pct), and has reached that.',
    });
  });

  it('is asked for by the organization of the lead alone', async () => {
    const { ask } = await buyerOf(['2026-05-31T12:00:00Z']);
    const { _id: other } = await makeOrg(database.collections);
    await expect(ask(0, other)).rejects.toMatchObject({
      code: 'not_found',
      message: expect.stringMatching(/^There is no lead /) as unknown,
    });
  });
});
