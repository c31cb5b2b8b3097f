/** The cost of lead lists for MongoDB where matching leads are rare among very many. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MongoServerError, type Collection } from 'mongodb';
import { getLeads } from '../../../src/api/actions/list/leads.js';
import type { Lead, Sale } from '../../../src/leads/rules/lead.js';
import { LEAD_LIST_INDEXES } from '../../../src/leads/store/leadIndexes.js';
import { findLeads, type LeadFilter } from '../../../src/leads/store/leadPages.js';
import { timeOrderedId } from '../../../src/lib/ids.js';
import { actionDeps } from '../../support/api.js';
import { aLead, before, NOW } from '../../support/storedRows.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';
import { explain, nameOf, record, type Recorder } from '../../app/queries/explain.js';

const ORG = 'org';
const LIVE = { org_id: ORG, is_test: false };
/** A key that every lead has. */
const KEY = 'phone:+15550001111';
const COUNT = 3_000;
/** Distance between two leads that match a filter: a query that scans to the next one reads ten times what it may. */
const EVERY = 300;

const sale: Sale = { buyer_id: 'common', attempt: 1, price: 1, cost: 0, at: NOW };
const returned = { at: NOW, return_id: 'return', cost_reversed: false };

/** Nearly all leads are alike; a few differ in one way, and a few in two ways. */
const KINDS: readonly Partial<Lead>[] = [
  { campaign_id: 'rare' },
  { supplier_id: 'rare' },
  { buyer_id: 'rare' },
  { campaign_id: 'rare', supplier_id: 'rare' },
  { campaign_id: 'rare', buyer_id: 'rare' },
  { supplier_id: 'rare', buyer_id: 'rare' },
  { outcome: 'converted' },
  { outcome: 'converted', campaign_id: 'rare' },
  { outcome: 'converted', supplier_id: 'rare' },
  { outcome: 'converted', buyer_id: 'rare' },
  { status: 'REJECTED', buyer_id: null, sales: [] },
  { status: 'REJECTED', buyer_id: null, sales: [], campaign_id: 'rare' },
  { status: 'REJECTED', buyer_id: null, sales: [], supplier_id: 'rare' },
  { status: 'PENDING', buyer_id: null, sales: [] },
  { status: 'NEW', buyer_id: null, sales: [] },
  { sales: [{ ...sale, returned }] },
];

const leadAt = (n: number): Lead =>
  aLead({
    _id: timeOrderedId(before(n * 1_000)),
    created_at: before(n * 1_000),
    campaign_id: 'common',
    supplier_id: 'common',
    buyer_id: 'common',
    status: 'ACCEPTED',
    sales: [sale],
    takes: 1,
    keys: [KEY],
    ...(n % EVERY >= 100 && n % EVERY < 100 + KINDS.length ? KINDS[(n % EVERY) - 100] : {}),
  });

const FILTERS: Record<string, Omit<LeadFilter, 'org_id' | 'is_test'>> = {
  none: {},
  campaign: { campaign_id: 'rare' },
  supplier: { supplier_id: 'rare' },
  buyer: { buyer_id: 'rare' },
  'a common campaign': { campaign_id: 'common' },
  'a common supplier': { supplier_id: 'common' },
  'a common buyer': { buyer_id: 'common' },
  sold: { statuses: ['ACCEPTED', 'SELLING'] },
  status: { statuses: ['REJECTED'] },
  'status PENDING': { statuses: ['PENDING'] },
  'status NEW': { statuses: ['NEW'] },
  outcome: { outcome: 'converted' },
  'shown status': { outcome: 'converted', isReturned: false },
  returned: { isReturned: true },
  'campaign and supplier': { campaign_id: 'common', supplier_id: 'rare' },
  'supplier and campaign': { campaign_id: 'rare', supplier_id: 'common' },
  'campaign and buyer': { campaign_id: 'common', buyer_id: 'rare' },
  'buyer and campaign': { campaign_id: 'rare', buyer_id: 'common' },
  'supplier and buyer': { supplier_id: 'common', buyer_id: 'rare' },
  'buyer and supplier': { supplier_id: 'rare', buyer_id: 'common' },
  'campaign and status': { campaign_id: 'common', statuses: ['REJECTED'] },
  'status and campaign': { campaign_id: 'rare', statuses: ['ACCEPTED', 'SELLING'] },
  'supplier and status': { supplier_id: 'common', statuses: ['REJECTED'] },
  'status and supplier': { supplier_id: 'rare', statuses: ['ACCEPTED', 'SELLING'] },
  'buyer and status': { buyer_id: 'rare', statuses: ['ACCEPTED', 'SELLING'] },
  'campaign and outcome': { campaign_id: 'common', outcome: 'converted' },
  'outcome and campaign': { campaign_id: 'rare', outcome: 'converted' },
  'outcome and supplier': { supplier_id: 'rare', outcome: 'converted' },
  'outcome and buyer': { buyer_id: 'rare', outcome: 'converted' },
  'campaign and time': {
    campaign_id: 'rare',
    from: before(2_000_000),
    before: before(1_000_000),
  },
  'status and time': {
    statuses: ['REJECTED'],
    from: before(2_000_000),
    before: before(1_000_000),
  },
  'buyer and time': {
    buyer_id: 'rare',
    from: before(2_000_000),
    before: before(1_000_000),
  },
};

/** Collections in which the lead is sold after the first query, and before any other. */
function leadsThatChange(leads: Collection<Lead>, _id: string): Collection<Lead> {
  const changing = Object.create(leads) as Collection<Lead>;
  let first: Promise<unknown> | undefined;
  changing.find = ((...args: Parameters<typeof leads.find>) => {
    const cursor = leads.find(...args);
    const read = cursor.toArray.bind(cursor);
    cursor.toArray = async () => {
      if (first) return first.then(read);
      const rows = read();
      first = rows.then(() => leads.updateOne({ _id }, { $set: { status: 'ACCEPTED' } }));
      await first;
      return rows;
    };
    return cursor;
  }) as typeof leads.find;
  return changing;
}

/** One query per status and outcome, and one for leads without an outcome, finds that there are none. */
const LOOKS = 24;

describe('a list of leads', () => {
  let database: TestDatabase;
  let recorder: Recorder;
  let all: Lead[];
  beforeAll(async () => {
    database = await openDatabase({ monitorCommands: true });
    recorder = record(database.client);
    all = Array.from({ length: COUNT }, (_, n) => leadAt(n));
    await database.collections.leads.insertMany(all);
  });
  afterAll(() => database.drop());

  const fits = (lead: Lead, filter: Omit<LeadFilter, 'org_id' | 'is_test'>): boolean => {
    const { statuses, isReturned, from, before: end, ...equal } = filter;
    return (
      Object.entries(equal).every(([key, value]) => lead[key as keyof Lead] === value) &&
      (statuses?.includes(lead.status) ?? true) &&
      (isReturned === undefined || lead.sales.some((one) => one.returned) === isReturned) &&
      (from === undefined || lead.created_at >= from) &&
      (end === undefined || lead.created_at < end)
    );
  };

  const pagesOf = async (filter: Omit<LeadFilter, 'org_id' | 'is_test'>, limit: number) => {
    const pages: string[][] = [];
    let after: Parameters<typeof findLeads>[2]['after'] = null;
    do {
      const wanted = { after, limit };
      const found = await findLeads(database.collections.leads, { ...LIVE, ...filter }, wanted);
      if (!found) throw new Error('It took too long');
      pages.push(found.docs.map(({ _id }) => _id));
      after = found.next;
    } while (after && pages.length < 4);
    return pages;
  };

  it.each(Object.entries(FILTERS))(
    'by %s reads about as many leads as it returns',
    async (name, filter) => {
      const limit = 4;
      let pages: string[][] = [];
      recorder.sent.length = 0;
      await recorder.during(name, async () => {
        pages = await pagesOf(filter, limit);
      });
      const expected = all.filter((lead) => fits(lead, filter)).map(({ _id }) => _id);
      expect(pages.flat()).toEqual(expected.slice(0, pages.flat().length));
      expect(expected.length).toBeGreaterThan(0);
      if (pages.length < 4) expect(pages.flat()).toHaveLength(expected.length);
      for (const page of pages.slice(0, -1)) expect(page).toHaveLength(limit);
      for (const one of recorder.sent) {
        const { keys, examined, useful } = await explain(database.client, database.name, one);
        const newLeads = filter.statuses?.includes('NEW') ? COUNT / EVERY : 0;
        expect(keys).toBeLessThanOrEqual(useful + newLeads + LOOKS);
        expect(examined).toBeLessThanOrEqual(useful + newLeads + 1);
      }
    },
  );

  it('works while its index is being built, and uses it afterwards', async () => {
    const filter = { campaign_id: 'rare', statuses: ['REJECTED'] as const };
    const before = await pagesOf(filter, 500);
    const row = LEAD_LIST_INDEXES.find(({ serves }) => serves.includes('in a campaign'));
    if (!row) throw new Error('There is no such index');
    await database.collections.leads.dropIndex(nameOf(row.key));
    expect(await pagesOf(filter, 500)).toEqual(before);
    await database.collections.leads.createIndexes([{ key: row.key, ...row.options }]);
    expect(await pagesOf(filter, 500)).toEqual(before);
  });

  it('has a sold lead once, whose last sale is made while the list is read', async () => {
    const { leads } = database.collections;
    const _id = timeOrderedId(before(500));
    const selling = {
      _id,
      created_at: before(500),
      status: 'SELLING',
      buyer_id: 'common',
    } as const;
    await leads.insertOne(aLead({ ...selling, sales: [sale] }));
    const statuses = ['ACCEPTED', 'SELLING'] as const;
    const found = await findLeads(
      leadsThatChange(leads, _id),
      { ...LIVE, statuses },
      { after: null, limit: 3 },
    );
    await leads.deleteOne({ _id });
    expect(found?.docs.filter((lead) => lead._id === _id)).toMatchObject([{ status: 'ACCEPTED' }]);
    expect(found?.docs).toHaveLength(3);
  });

  it('is refused when filters skip too many leads, and says what to narrow', async () => {
    const { collections } = database;
    const rare = { ...LIVE, keys: [[KEY]], statuses: ['EXPIRED'] as const };
    const wanted = { after: null, limit: 2 };
    expect(await findLeads(collections.leads, rare, wanted, 1)).toBeNull();
    expect(await findLeads(collections.leads, rare, wanted)).toEqual({ docs: [], next: null });
    const late = new MongoServerError({ code: 50, errmsg: 'operation exceeded time limit' });
    const chain = { toArray: () => Promise.reject(late), sort: () => chain, limit: () => chain };
    const leads = { find: () => chain } as never;
    const context = {
      ...actionDeps({ ...collections, leads }),
      orgId: ORG,
      author: {},
      holdsFurther: false,
      caller: {
        org_id: ORG,
        actor: { kind: 'key' as const, id: 'key', name: 'Key' },
        permissions: [],
      },
    };
    const asked = { limit: 2, status: 'EXPIRED', click_id: 'A', is_test: false };
    await expect(getLeads.run(asked, context)).rejects.toMatchObject({
      code: 'action_refused',
      status: 400,
      message: expect.stringMatching(
        /^The search .* match status, click_id together would .*\. Ask for fewer/,
      ),
    });
  });
});
