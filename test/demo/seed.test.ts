/** A seeded account: what it has, told apart from real ones, and the same however often it is seeded. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { seedAccount, type SeedDeps, type SeedOptions } from '../../src/demo/seed/seed.js';
import { seededOrgId } from '../../src/demo/seed/account.js';
import { TRADE_NAMES } from '../../src/demo/seed/trades.js';
import { leadsOfWeek } from '../../src/demo/seed/week.js';
import { createOrg } from '../../src/account/orgs.js';
import { systemClock } from '../../src/lib/clock.js';
import { keyring } from '../account/values.js';
import { openDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let deps: SeedDeps;
beforeAll(async () => {
  database = await openDatabase();
  const policy = { allowPrivate: false, mail: false, sheets: false };
  deps = { collections: database.collections, keyring, policy, clock: systemClock };
});
afterAll(() => database.drop());

const seed = (options: Partial<SeedOptions> = {}) =>
  seedAccount(deps, { trade: 'solar', seed: 1, perDay: 8, ...options });

describe('the leads of a week', () => {
  const until = new Date('2026-03-10T18:30:00Z');
  const week = { trade: 'solar' as const, seed: 1, until, timeZone: 'America/New_York' };

  it('are the same for the same seed, and others for another one', () => {
    const bodies = (n: number) => leadsOfWeek({ ...week, seed: n }).map(({ body }) => body);
    expect(leadsOfWeek(week)).toEqual(leadsOfWeek(week));
    expect(bodies(2)).not.toEqual(bodies(1));
  });

  it('come in order within seven days of the account, none after the last moment', () => {
    const times = leadsOfWeek(week).map(({ at }) => Number(at));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    // Midnight of the first day in New York, before the clocks change.
    expect(times[0]).toBeGreaterThanOrEqual(Date.parse('2026-03-04T05:00:00Z'));
    expect(times.at(-1)).toBeLessThanOrEqual(Number(until));
    expect(times.length).toBeGreaterThan(200);
  });

  it('have each an id and an email of their own', () => {
    const leads = leadsOfWeek(week);
    expect(new Set(leads.map(({ id }) => id)).size).toBe(leads.length);
    expect(new Set(leads.map(({ body }) => body.email)).size).toBe(leads.length);
  });
});

describe('a seeded account', () => {
  it('is stopped in the middle, finished by the next run, and left as it is by a third', async () => {
    let count = 0;
    const first = await seed({ isStopped: () => (count += 1) > 10 });
    expect(first.added).toBe(10);
    const second = await seed();
    expect(second.organization).toEqual({ id: seededOrgId('solar', 1), name: 'Demo: Solar (1)' });
    const all = () => database.collections.leads.find({ org_id: second.organization.id }).toArray();
    const leads = await all();
    expect(leads).toHaveLength(first.added + second.added);
    const third = await seed();
    expect(third).toEqual({ ...second, added: 0 });
    expect(await all()).toEqual(leads);
  });

  it('has leads of every kind, decided at their time by the terms of their buyers', async () => {
    const { organization, leads, campaign_id } = await seed();
    const { collections } = database;
    for (const status of ['ACCEPTED', 'REJECTED', 'DUPLICATE'] as const)
      expect(leads[status]).toBeGreaterThan(0);
    const sold = await collections.leads.find({ campaign_id, status: 'ACCEPTED' }).toArray();
    for (const { created_at, decided_at, sales, price } of sold) {
      expect(decided_at).toEqual(created_at);
      expect(sales.map(({ at }) => at)).toEqual([created_at]);
      expect(price).toBeGreaterThan(0);
    }
    // No buyer has more in a day than its cap.
    const days = Map.groupBy(sold, ({ buyer_id, created_at }) =>
      [buyer_id, created_at.toLocaleDateString('en-US', { timeZone: 'America/New_York' })].join(),
    );
    const links = await collections.campaignBuyers.find({ campaign_id }).toArray();
    for (const [key, group] of days) {
      const cap = links.find(({ buyer_id }) => key.startsWith(buyer_id))?.caps.daily_cap;
      if (cap != null) expect(group.length).toBeLessThanOrEqual(cap);
    }
    const names = await collections.buyers.distinct('name', { org_id: organization.id });
    expect(names.every((name) => name.startsWith('Demo: '))).toBe(true);
  });

  it('leaves nothing open but what waits for a buyer that is down', async () => {
    const { campaign_id } = await seed();
    const open = { $nin: ['ACCEPTED', 'REJECTED', 'UNMATCHED', 'DUPLICATE'] };
    const others = await database.collections.leads
      .find({ campaign_id, status: open as never })
      .toArray();
    expect(others.filter(({ status, run }) => status !== 'PENDING' || run !== null)).toEqual([]);
    const rows = await database.collections.deliveries.find({ state: 'parked' }).toArray();
    expect(rows.map(({ lead_id }) => lead_id).toSorted()).toEqual(
      others.map(({ _id }) => _id).toSorted(),
    );
  });

  it('is not one with leads of its own, unless that is forced', async () => {
    const { campaign_id } = await seed();
    const { collections } = database;
    const org = await createOrg(collections, { name: 'Acme Leads', time_zone: 'America/New_York' });
    const [lead] = await collections.leads.find({ campaign_id }).limit(1).toArray();
    if (!lead) throw new Error('there is no lead');
    const real = { ...lead, _id: 'real', org_id: org._id, campaign_id: 'real' };
    await collections.leads.insertOne(real);
    await expect(seed({ orgId: org._id })).rejects.toThrow(
      'Acme Leads has leads of its own, and made-up ones would be in its reports. Nothing was done.',
    );
    expect(await collections.campaigns.countDocuments({ org_id: org._id })).toBe(0);
    const forced = await seed({ orgId: org._id, force: true, isStopped: () => true });
    expect(forced).toMatchObject({ organization: { id: org._id }, added: 0 });
    // Its own demo does not count as real.
    await collections.leads.deleteOne({ _id: 'real' });
    const stop = { isStopped: () => true };
    expect(await seed({ orgId: org._id, ...stop })).toMatchObject({ added: 0 });
    await expect(seed({ orgId: 'nobody' })).rejects.toThrow('There is no organization nobody.');
  });

  it.each(TRADE_NAMES.filter((name) => name !== 'solar'))('can be of %s', async (trade) => {
    let count = 0;
    const { leads, added } = await seed({ trade, isStopped: () => (count += 1) > 15 });
    expect(added).toBe(15);
    expect(leads.ACCEPTED).toBeGreaterThan(0);
  });
});
