/** Many leads at once, each for two buyers, with caps on leads and money: exactly what the caps allow is sold. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  closedBooks,
  wrongAnswers,
  wrongCounts,
  wrongOwners,
  wrongSales,
  type Books,
  type Told,
} from '../../support/books.js';
import { PATIENT } from '../../support/market.js';
import { aPerson, supplierOf } from '../../support/supplier.js';
import { startTestbed, type Market, type Testbed } from '../../support/testbed.js';

let testbed: Testbed;
beforeAll(async () => {
  testbed = await startTestbed({ own: true });
});
afterAll(() => testbed.stop());

/** A third of the buyer's price, with a remainder to round: 10.01 costs 3.336663. */
const THIRD = { cost_mode: 'REVENUE_SHARE' as const, revenue_share: 33.3333 };

async function postAtOnce({ account }: Market, count: number): Promise<Told[]> {
  const supplier = supplierOf(testbed.url, account, count);
  const told = await Promise.all(
    Array.from({ length: count }, async () => {
      const person = aPerson();
      return { email: person.email ?? '', answer: await supplier.postUntilTaken(person) };
    }),
  );
  await supplier.close();
  return told;
}

/** The contradictions in the books, and the number of leads of each buyer. */
function judge(market: Market, books: Books, told: readonly Told[]) {
  const names = Object.keys(market.account.buyers);
  const journals = Object.fromEntries(
    names.map((name) => [name, market.sentTo(name).map(({ leadId }) => leadId)]),
  );
  return {
    wrong: [
      ...wrongSales(books),
      ...wrongCounts(books),
      ...wrongOwners(books, journals),
      ...wrongAnswers(books, told),
    ],
    sold: Object.fromEntries(names.map((name) => [name, journals[name]?.length])),
    leads: books.leads.filter(({ sales }) => sales.length > 0).length,
  };
}

describe('concurrent leads, each for two buyers', () => {
  it("are sold up to the buyers' caps: 500 leads, caps on leads by day and week, and on money", async () => {
    const market = await testbed.market({
      campaign: { max_sells: 2 },
      supplier: THIRD,
      buyers: {
        day: { price: 10.01, caps: { daily_cap: 100 }, delivery: PATIENT },
        // 143 times 7 is 1,001; one more would exceed the budget.
        money: { price: 7, caps: { total_budget: 1_003 }, delivery: PATIENT },
        week: { price: 4.5, caps: { weekly_cap: 120 }, delivery: PATIENT },
      },
    });
    const told = await postAtOnce(market, 500);
    const books = await closedBooks(testbed, market.account);
    expect(judge(market, books, told)).toMatchObject({
      wrong: [],
      sold: { day: 100, money: 143, week: 120 },
    });
  });

  it("are sold up to the supplier's budget, of which each sale takes its share", async () => {
    const terms = { price: 10.01, delivery: PATIENT };
    const market = await testbed.market({
      campaign: { max_sells: 2 },
      // 89 shares of 3.336663; the 90th would make it 300.29967.
      supplier: { ...THIRD, caps: { total_budget: 300 } },
      buyers: { a: terms, b: terms, c: terms },
    });
    const told = await postAtOnce(market, 150);
    const books = await closedBooks(testbed, market.account);
    const { wrong, sold, leads } = judge(market, books, told);
    expect(wrong).toEqual([]);
    expect((sold.a ?? 0) + (sold.b ?? 0) + (sold.c ?? 0)).toBe(89);
    expect(told.filter(({ answer }) => answer.error === 'supplier_capped')).toHaveLength(
      150 - leads,
    );
  });

  it("are sold up to the campaign's cap, twice each", async () => {
    const market = await testbed.market({
      campaign: { max_sells: 2, caps: { total_cap: 60 } },
      buyers: { a: { delivery: PATIENT }, b: { delivery: PATIENT }, c: { delivery: PATIENT } },
    });
    const told = await postAtOnce(market, 150);
    const books = await closedBooks(testbed, market.account);
    const { wrong, sold, leads } = judge(market, books, told);
    expect(wrong).toEqual([]);
    expect([leads, sold]).toEqual([60, { a: 60, b: 60, c: 0 }]);
  });

  it('exceed no shared cap, and leave no capacity unused', async () => {
    const market = await testbed.market({
      campaign: { max_sells: 2, caps: { total_cap: 100 } },
      supplier: { ...THIRD, caps: { total_budget: 400 } },
      buyers: {
        day: { price: 10.01, caps: { daily_cap: 40 }, delivery: PATIENT },
        money: { price: 7, caps: { total_budget: 350 }, delivery: PATIENT },
        rest: { price: 4.4, delivery: PATIENT },
      },
    });
    const told = await postAtOnce(market, 250);
    // A briefly held and released reservation may still be free: single leads use it up.
    let isTaken = true;
    while (isTaken) {
      const more = await postAtOnce(market, 1);
      told.push(...more);
      isTaken = more.some(({ answer }) => answer.status === 201);
    }
    const books = await closedBooks(testbed, market.account);
    const { wrong, sold, leads } = judge(market, books, told);
    expect(wrong).toEqual([]);
    const { day = 0, money = 0, rest = 0 } = sold;
    expect({ day: day <= 40, money: money * 7 <= 350, leads: leads <= 100 }).toEqual({
      day: true,
      money: true,
      leads: true,
    });
    const cost = (day * 3_336_663 + money * 2_333_331 + rest * 1_466_665) / 1e6;
    expect(cost).toBeLessThanOrEqual(400);
    expect(leads === 100 || cost > 400 - 3.336663).toBe(true);
  });
});
