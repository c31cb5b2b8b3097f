/** More concurrent leads than the counters of a link can hold. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CAP_SCOPES, type CapScope } from '../../../src/account/rules/capLimits.js';
import { createCapStore, linkOf } from '../../../src/routing/store/caps.js';
import { closedBooks, wrongCounts, wrongOwners, wrongSales } from '../../support/books.js';
import { YES } from '../../support/fakeBuyer.js';
import { tally } from '../../support/supplier.js';
import { startTestbed, type Testbed } from '../../support/testbed.js';

const HELD_MAX = 2;
const LEADS = 4;
const PLENTY = { daily_cap: 100, total_budget: 5_000 };

let testbed: Testbed;
/** The scope whose counters hold few leads. */
let bounded: CapScope = 'buyer';
let mostSeen = 0;
beforeAll(async () => {
  testbed = await startTestbed({
    alter: (deps) => {
      const few = createCapStore(deps.collections.caps, HELD_MAX);
      return {
        ...deps,
        caps: {
          ...deps.caps,
          async reserve(request) {
            if (linkOf(request.id).scope !== bounded) return deps.caps.reserve(request);
            const grants = await few.reserve(request);
            const link = await deps.collections.caps.findOne({ _id: request.id });
            mostSeen = Math.max(mostSeen, link?.held.length ?? 0);
            return grants;
          },
        },
      };
    },
  });
});
afterAll(() => testbed.stop());

describe('leads beyond the concurrent reservations of a link', () => {
  it.each(CAP_SCOPES)(
    'are pending, and sold to their buyer when others end: a %s with few reservations',
    async (scope) => {
      [bounded, mostSeen] = [scope, 0];
      const market = await testbed.market({
        campaign: { answer_within_ms: 600, caps: PLENTY },
        supplier: { caps: PLENTY },
        buyers: {
          first: {
            caps: PLENTY,
            delivery: { timeout_ms: 2_500 },
            answer: () => ({ ...YES, delayMs: 1_000 }),
          },
          lesser: {},
        },
      });
      const answers = await Promise.all(Array.from({ length: LEADS }, () => market.post()));
      // No answer reports a full cap, and no lead is unmatched: they are undecided.
      expect(tally(answers.map(({ status, data }) => `${status} ${data?.delivery}`))).toEqual({
        '201 pending': LEADS,
      });
      const books = await closedBooks(testbed, market.account);
      expect(tally(books.leads.map(({ status }) => status))).toEqual({ ACCEPTED: LEADS });
      const sentTo = (name: string) => market.sentTo(name).map(({ leadId }) => leadId);
      const journals = { first: sentTo('first'), lesser: sentTo('lesser') };
      expect([journals.first.length, journals.lesser.length]).toEqual([LEADS, 0]);
      const wrong = [...wrongSales(books), ...wrongCounts(books), ...wrongOwners(books, journals)];
      expect(wrong).toEqual([]);
      expect(mostSeen).toBe(HELD_MAX);
    },
    60_000,
  );
});
