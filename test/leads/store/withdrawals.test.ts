import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Lead } from '../../../src/leads/rules/lead.js';
import { createLeadStore, type LeadStore } from '../../../src/leads/store/leads.js';
import { after, aLead, before, NOW } from '../../support/storedRows.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';

const LEASE = after(3_000);
const taken: Partial<Lead> = { run: 'run-1', lease_until: LEASE, takes: 1 };

describe('withdrawing leads', () => {
  let database: TestDatabase;
  let leads: LeadStore;

  beforeAll(async () => {
    database = await openDatabase();
    leads = createLeadStore(database.collections.leads);
  });
  afterAll(() => database.drop());

  const stored = async (overrides: Partial<Lead> = {}): Promise<string> => {
    const lead = aLead(overrides);
    await database.collections.leads.insertOne(lead);
    return lead._id;
  };
  const get = (id: string) => database.collections.leads.findOne({ _id: id });
  const statusOf = async (id: string) => (await get(id))?.status;
  const ownedBy = (run: string, found: readonly Lead[]) =>
    found.filter((lead) => lead.run === run).map((lead) => lead._id);

  it('withdraws only new leads without a lease and without a promise', async () => {
    const untaken = await stored();
    const others = [
      await stored(taken),
      await stored({ ...taken, lease_until: before(1) }),
      await stored({ pending_at: NOW }),
      await stored({ status: 'PENDING' }),
      await stored({ status: 'ACCEPTED' }),
    ];
    expect(await leads.withdraw([untaken, ...others], NOW)).toEqual(new Set([untaken]));
    expect(await statusOf(untaken)).toBe('WITHDRAWN');
    expect(await Promise.all(others.map(statusOf))).toEqual([
      'NEW',
      'NEW',
      'NEW',
      'PENDING',
      'ACCEPTED',
    ]);
  });

  it('returns a withdrawn lead again when repeated', async () => {
    const id = await stored();
    await leads.withdraw([id], NOW);
    expect(await leads.withdraw([id], NOW)).toEqual(new Set([id]));
  });

  it('withdraws the own leads of a run that never begins, and none that another run has or somebody was promised', async () => {
    const own = aLead(taken);
    const others = [
      aLead({ ...taken, run: 'run-2', takes: 2 }),
      aLead({ ...taken, pending_at: NOW, status: 'PENDING' }),
      aLead({ ...taken, status: 'ACCEPTED' }),
    ];
    await database.collections.leads.insertMany([own, ...others]);
    expect(await leads.withdrawCalledOff([own, ...others], 'run-1', NOW)).toEqual(
      new Set([own._id]),
    );
    const withdrawn = { status: 'WITHDRAWN', run: null, lease_until: null, decided_at: NOW };
    expect(await get(own._id)).toEqual({ ...own, ...withdrawn });
    expect(await Promise.all(others.map(({ _id }) => get(_id)))).toEqual(others);
    expect(await leads.acquire([own._id], 'run-3', LEASE, after(10_000))).toMatchObject([
      { run: null },
    ]);
  });

  it('makes an insertion that takes effect after the withdrawal change nothing', async () => {
    const own = aLead(taken);
    expect(await leads.withdrawCalledOff([own], 'run-1', NOW)).toEqual(new Set([own._id]));
    await leads.insert([own]);
    expect(await get(own._id)).toMatchObject({ status: 'WITHDRAWN', run: null, fields: {} });
  });

  it('withdraws each own lead whose insertion arrives at the same time', async () => {
    const own = Array.from({ length: 30 }, () => aLead(taken));
    await Promise.all(
      own.map(async (lead) => {
        const [withdrawn] = await Promise.all([
          leads.withdrawCalledOff([lead], 'run-1', NOW),
          leads.insert([lead]),
        ]);
        expect(withdrawn).toEqual(new Set([lead._id]));
      }),
    );
    expect(new Set(await Promise.all(own.map(({ _id }) => statusOf(_id))))).toEqual(
      new Set(['WITHDRAWN']),
    );
  });

  it('lets a lead be acquired or withdrawn, never both', async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, () => stored()));
    const outcomes = await Promise.all(
      ids.map(async (id) => {
        const [found, withdrawn] = await Promise.all([
          leads.acquire([id], 'run-1', LEASE, NOW),
          leads.withdraw([id], NOW),
        ]);
        return [ownedBy('run-1', found).length, withdrawn.size];
      }),
    );
    expect(outcomes.map(([owned = 0, withdrawn = 0]) => owned + withdrawn)).toEqual(
      ids.map(() => 1),
    );
  });
});
