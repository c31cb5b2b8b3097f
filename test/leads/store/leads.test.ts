import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Lead } from '../../../src/leads/rules/lead.js';
import type { TrailEntry } from '../../../src/leads/rules/trail.js';
import type { LeadStatus } from '../../../src/leads/rules/leadStatus.js';
import { NO_SUBSCRIPTIONS } from '../../../src/events/rules/events.js';
import { createLeadStore, type LeadStore } from '../../../src/leads/store/leads.js';
import type { Sold } from '../../../src/leads/store/leadUpdates.js';
import { after, aLead, before, NOW } from '../../support/storedRows.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';

const FINAL: LeadStatus[] = [
  'ACCEPTED',
  'UNMATCHED',
  'DUPLICATE',
  'REJECTED',
  'EXPIRED',
  'WITHDRAWN',
];
const trail: TrailEntry[] = [{ at: NOW, step: 'routing', result: '$none', reason: '$$ROOT' }];
const closing = (result: LeadStatus, reason?: string): TrailEntry => ({
  at: NOW,
  step: 'closing',
  result,
  ...(reason === undefined ? {} : { reason }),
});
const LEASE = after(3_000);
const taken: Partial<Lead> = { run: 'run-1', lease_until: LEASE, takes: 1 };

describe('leads', () => {
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

  it('are not stored without a flag that says whether they are tests', async () => {
    for (const is_test of [undefined, null, 'true', Object]) {
      const lead = { ...aLead(), is_test } as unknown as Lead;
      await expect(leads.insert([aLead(), lead])).rejects.toThrow('must be true or false');
      expect(await database.collections.leads.countDocuments({ _id: lead._id })).toBe(0);
    }
  });

  it('counts a lead that is stored already as stored', async () => {
    const [old, fresh] = [aLead(), aLead()];
    await leads.insert([old]);
    await leads.insert([old, fresh]);
    expect(await get(fresh._id)).toEqual(fresh);
  });

  describe('acquiring', () => {
    it('acquires only new leads in time and leads whose lease has ended', async () => {
      const yes = [
        await stored(),
        await stored({ ...taken, lease_until: NOW }),
        await stored({ ...taken, status: 'PENDING', lease_until: before(1) }),
      ];
      const no = [
        await stored({ take_by: NOW }),
        await stored(taken),
        await stored({ ...taken, status: 'PENDING' }),
        await stored({ status: 'PENDING' }),
        ...(await Promise.all(FINAL.map((status) => stored({ status })))),
      ];
      const found = await leads.acquire([...yes, ...no], 'run-2', LEASE, NOW);
      expect(new Set(found.map((lead) => lead._id))).toEqual(new Set([...yes, ...no]));
      expect(new Set(ownedBy('run-2', found))).toEqual(new Set(yes));
    });

    it('returns the fencing token of a lead and the end of its lease', async () => {
      const id = await stored({ ...taken, lease_until: NOW });
      const [lead] = await leads.acquire([id], 'run-2', after(9_000), NOW);
      expect(lead).toMatchObject({ takes: 2, run: 'run-2', lease_until: after(9_000) });
    });

    it('gives each lead to one of 20 concurrent leases', async () => {
      const ids = await Promise.all(Array.from({ length: 10 }, () => stored()));
      const runs = Array.from({ length: 20 }, (_, n) => `racing-${n}`);
      const found = await Promise.all(runs.map((run) => leads.acquire(ids, run, LEASE, NOW)));
      const owned = runs.flatMap((run, n) => ownedBy(run, found[n] ?? []));
      expect(owned.sort()).toEqual([...ids].sort());
    });

    it('acquires leads that were just stored as they are given, in one update', async () => {
      const lead = aLead({ status: 'NEW', run: null, take_by: after(1_000) });
      await leads.insert([lead]);
      const own = { ...lead, run: 'run-1', lease_until: LEASE, takes: lead.takes + 1 };
      expect(await leads.acquireStored([lead], 'run-1', LEASE, NOW)).toEqual([own]);
      expect(await get(lead._id)).toEqual(own);
    });

    it('reads what another run was faster with, or is too late', async () => {
      const [fast, late, free] = [
        aLead({ take_by: after(1_000) }),
        aLead({ take_by: NOW }),
        aLead({ take_by: after(1_000) }),
      ];
      await leads.insert([fast, late, free]);
      await leads.acquire([fast._id], 'run-2', LEASE, NOW);
      const found = await leads.acquireStored([fast, late, free], 'run-1', LEASE, NOW);
      expect(new Map(found.map(({ _id, run }) => [_id, run]))).toEqual(
        new Map([
          [fast._id, 'run-2'],
          [late._id, null],
          [free._id, 'run-1'],
        ]),
      );
    });

    it('acquires for the durable lane only pending leads without a lease', async () => {
      const yes = [
        await stored({ status: 'PENDING' }),
        await stored({ ...taken, status: 'PENDING', lease_until: NOW }),
      ];
      const no = [
        await stored(),
        await stored({ ...taken, status: 'PENDING' }),
        ...(await Promise.all(FINAL.map((status) => stored({ status })))),
      ];
      const found = await leads.acquireWaiting([...yes, ...no], 'run-2', LEASE, NOW);
      expect(new Set(found.map((lead) => lead._id))).toEqual(new Set(yes));
    });

    it('extends only the lease of its owner, and never shortens it', async () => {
      const [mine, other] = [await stored(taken), await stored({ ...taken, run: 'run-2' })];
      expect(await leads.extendLease([mine, other], 'run-1', after(9_000))).toBe(1);
      expect((await get(mine))?.lease_until).toEqual(after(9_000));
      expect((await get(other))?.lease_until).toEqual(LEASE);
      await leads.extendLease([mine], 'run-1', after(1));
      expect((await get(mine))?.lease_until).toEqual(after(9_000));
    });
  });

  describe('deciding', () => {
    it('writes the end of a lead for its owner and releases it', async () => {
      const id = await stored(taken);
      const set = { duplicate_of: '$fields.email' };
      await leads.decide('run-1', [{ leadId: id, status: 'DUPLICATE', trail, set }], NOW);
      expect(await get(id)).toMatchObject({
        status: 'DUPLICATE',
        duplicate_of: '$fields.email',
        decided_at: NOW,
        run: null,
        lease_until: null,
        trail: [...trail, closing('DUPLICATE')],
      });
    });

    it.each(['decide', 'hand'] as const)(
      'does not %s for a lease that is not the owner',
      async (act) => {
        const id = await stored(taken);
        if (act === 'decide')
          await leads.decide('run-2', [{ leadId: id, status: 'UNMATCHED', trail }], NOW);
        else await leads.park('run-2', [{ leadId: id, trail }], NOW);
        expect(await get(id)).toMatchObject({ status: 'NEW', run: 'run-1', trail: [] });
      },
    );

    it.each(FINAL)('changes nothing about a lead that ended %s', async (status) => {
      const id = await stored({ ...taken, status });
      await leads.decide('run-1', [{ leadId: id, status: 'UNMATCHED', trail }], NOW);
      await leads.park('run-1', [{ leadId: id, trail }], NOW);
      await leads.sell([aSale(id)], NOW);
      expect(await get(id)).toMatchObject({ status, run: 'run-1', trail: [], sales: [] });
    });

    it.each(['UNMATCHED', 'DUPLICATE', 'REJECTED'] as const)(
      'ends a lead %s, but EXPIRED once a decision was promised',
      async (status) => {
        const promised = await stored({ ...taken, status: 'PENDING', pending_at: NOW });
        const unpromised = await stored(taken);
        const decided = [promised, unpromised].map((leadId) => ({
          leadId,
          status,
          reason: 'no_buyer' as const,
          trail,
        }));
        await leads.decide('run-1', decided, NOW);
        expect(await get(promised)).toMatchObject({
          status: 'EXPIRED',
          trail: [...trail, closing('EXPIRED', 'no_buyer')],
        });
        expect(await get(unpromised)).toMatchObject({
          status,
          trail: [...trail, closing(status, 'no_buyer')],
        });
      },
    );

    it('ends EXPIRED a lead that was promised while it was being decided', async () => {
      const id = await stored(taken);
      await leads.promise([id], NOW);
      await leads.decide('run-1', [{ leadId: id, status: 'UNMATCHED', trail }], NOW);
      expect(await statusOf(id)).toBe('EXPIRED');
    });
  });

  const aSale = (leadId: string): Sold => ({
    leadId,
    maxSells: 1,
    trail,
    profit: 6,
    sale: { buyer_id: 'buyer-1', attempt: 1, price: 10, cost: 4, at: NOW },
  });

  describe('selling', () => {
    it.each([
      ['a new lead', {}],
      ['a lead of another run', { ...taken, run: 'run-2' }],
      ['a lead that waits', { status: 'PENDING' as const }],
    ])('sells %s: a sale is a fact', async (_name, overrides) => {
      const id = await stored(overrides);
      await leads.sell([aSale(id)], NOW);
      expect(await get(id)).toMatchObject({
        status: 'ACCEPTED',
        buyer_id: 'buyer-1',
        price: 10,
        cost: 4,
        profit: 6,
        run: null,
        lease_until: null,
        decided_at: NOW,
        sales: [{ buyer_id: 'buyer-1', attempt: 1, price: 10, cost: 4, at: NOW }],
      });
    });

    it('sells a lead once, however many leases report a sale', async () => {
      const id = await stored(taken);
      await Promise.all(Array.from({ length: 10 }, async () => leads.sell([aSale(id)], NOW)));
      expect(await get(id)).toMatchObject({ sales: [{ attempt: 1 }], price: 10, trail });
    });
  });

  it('parks a lead in the durable lane and keeps the time of the first promise', async () => {
    const [first, again] = [await stored(taken), await stored({ ...taken, pending_at: before(9) })];
    await leads.park(
      'run-1',
      [first, again].map((leadId) => ({ leadId, trail })),
      NOW,
    );
    const handed = { status: 'PENDING', run: null, lease_until: null, trail };
    expect(await get(first)).toMatchObject({ ...handed, pending_at: NOW });
    expect(await get(again)).toMatchObject({ ...handed, pending_at: before(9) });
  });

  it('reads the subscriptions of their own organizations, unless they are given', async () => {
    const asked: (readonly string[])[] = [];
    const subscribed = createLeadStore(database.collections.leads, {
      readSubscriptions: (orgIds) => {
        asked.push(orgIds);
        return Promise.resolve(NO_SUBSCRIPTIONS);
      },
      relay: () => undefined,
    });
    const [one, two] = [await stored({ ...taken, org_id: 'o1' }), await stored({ org_id: 'o2' })];
    await subscribed.promise([one], NOW);
    await subscribed.sell([aSale(one), aSale(two)], NOW);
    await subscribed.decide('run', [{ leadId: two, status: 'UNMATCHED', trail }], NOW);
    await subscribed.park('run', [{ leadId: two, trail }], NOW, Promise.resolve(NO_SUBSCRIPTIONS));
    expect(asked.map((orgs) => orgs.toSorted())).toEqual([['o1'], ['o1', 'o2'], ['o2']]);
  });

  it('promises only leads that have a lease', async () => {
    const [owned, untaken, sold] = [
      await stored(taken),
      await stored(),
      await stored({ status: 'ACCEPTED' }),
    ];
    await leads.promise([owned, untaken, sold], NOW);
    expect(await get(owned)).toMatchObject({ status: 'PENDING', pending_at: NOW });
    expect(await statusOf(untaken)).toBe('NEW');
    expect(await statusOf(sold)).toBe('ACCEPTED');
  });
});
