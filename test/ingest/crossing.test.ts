/** Leads that share a phone with one lead and an email with another, all at once: claims decide on duplicates. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Lead } from '../../src/leads/rules/lead.js';
import { closedBooks, wrongAnswers, wrongOwners, type Books, type Told } from '../support/books.js';
import { PATIENT } from '../support/market.js';
import { aPerson, supplierOf, tally, type Supplier } from '../support/supplier.js';
import { startTestbed, type Market, type Testbed } from '../support/testbed.js';

/** Each lead as its phone and its email, by number within the group. */
const KINDS: Record<string, readonly (readonly [phone: number, email: number])[]> = {
  'three of the same': [
    [1, 1],
    [1, 1],
    [1, 1],
  ],
  'one that shares its phone with a second, its email with a third': [
    [1, 1],
    [1, 2],
    [2, 1],
  ],
  'a ring of four': [
    [1, 1],
    [1, 2],
    [2, 2],
    [2, 1],
  ],
  'a chain of five': [
    [1, 1],
    [1, 2],
    [2, 2],
    [2, 3],
    [3, 3],
  ],
};
const GROUPS_OF_EACH = 15;

type Person = Record<string, string>;

/** People of a group: nobody outside it shares their phones and emails. */
function peopleOf(kind: readonly (readonly [number, number])[]): Person[] {
  const pool = [aPerson(), aPerson(), aPerson(), aPerson()];
  return kind.map(([phone, email]) => ({
    ...aPerson(),
    phone: pool[phone]?.phone ?? '',
    email: pool[email]?.email ?? '',
  }));
}

let testbed: Testbed;
beforeAll(async () => {
  testbed = await startTestbed();
});
afterAll(() => testbed.stop());

describe.each(['ANY', 'ALL'] as const)(
  'leads that cross, matched by %s of their fields',
  (match) => {
    let market: Market;
    let supplier: Supplier;
    let told: Told[];
    let books: Books;
    /** The people of each group. */
    let groups: Person[][];

    beforeAll(async () => {
      market = await testbed.market({
        campaign: { dedupe: { match } },
        suppliers: 2,
        buyers: { only: { delivery: PATIENT } },
      });
      supplier = supplierOf(testbed.url, market.account, 400);
      groups = Object.values(KINDS).flatMap((kind) =>
        Array.from({ length: GROUPS_OF_EACH }, () => peopleOf(kind)),
      );
      told = await Promise.all(
        groups.flat().map(async (person) => ({
          email: person.email ?? '',
          answer: await supplier.postUntilTaken(person),
        })),
      );
      books = await closedBooks(testbed, market.account);
    });
    afterAll(() => supplier.close());

    /** Whether two leads count as the same here. */
    const meets = (a: Lead, b: Lead): boolean => {
      const [phone, email] = [a.fields.phone === b.fields.phone, a.fields.email === b.fields.email];
      return match === 'ANY' ? phone || email : phone && email;
    };
    const withStatus = (status: Lead['status']): Lead[] =>
      books.leads.filter((lead) => lead.status === status);

    it('are all ACCEPTED or DUPLICATE, as answered, and no group is without a sale', () => {
      const said = tally(told.map(({ answer }) => answer.data?.status));
      expect(Object.keys(said).sort()).toEqual(['ACCEPTED', 'DUPLICATE']);
      expect(wrongAnswers(books, told)).toEqual([]);
      const sold = new Set(withStatus('ACCEPTED').map(({ fields }) => fields.email));
      expect(groups.filter((group) => !group.some(({ email }) => sold.has(email ?? '')))).toEqual(
        [],
      );
    });

    it('are never both sold where they are the same', () => {
      const sold = withStatus('ACCEPTED');
      expect(sold.filter((one, n) => sold.slice(0, n).some((two) => meets(one, two)))).toEqual([]);
    });

    it('name as original a lead that is the same', () => {
      const byId = new Map(books.leads.map((lead) => [lead._id, lead]));
      const strange = withStatus('DUPLICATE').filter((lead) => {
        const original = byId.get(lead.duplicate_of ?? '');
        return !original || original === lead || !meets(original, lead);
      });
      expect(strange).toEqual([]);
    });

    it('are sold once to the buyer, as the record says', () => {
      const journal = market.sentTo('only').map(({ leadId }) => leadId);
      expect(wrongOwners(books, { only: journal })).toEqual([]);
    });

    it('block a later lead only if they are sold: a duplicate claims nothing', async () => {
      // The first few groups of each kind; another supplier posts their leads again, one after the other.
      const some = groups.filter((_, n) => n % GROUPS_OF_EACH < 2);
      const wrong = await Promise.all(
        some.map(async (group) => {
          const emails = new Set(group.map(({ email }) => email));
          const sold = withStatus('ACCEPTED').filter(({ fields }) =>
            emails.has(String(fields.email)),
          );
          const unexpected: unknown[] = [];
          for (const person of group) {
            const { data } = await supplier.post(person, { supplier: 1 });
            const lead = await testbed.lead(data?.id);
            const originals = sold.filter((one) => meets(one, lead)).map(({ _id }) => _id);
            const isRight =
              originals.length === 0
                ? data?.status === 'ACCEPTED'
                : data?.status === 'DUPLICATE' && originals.includes(data.duplicate_of ?? '');
            if (!isRight) unexpected.push({ person, data, originals });
            if (data?.status === 'ACCEPTED') sold.push(lead);
          }
          return unexpected;
        }),
      );
      expect(wrong.flat()).toEqual([]);
    });
  },
);
