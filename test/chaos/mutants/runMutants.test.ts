import { describe, it, expect } from '@jest/globals';
import { signMessage } from '../../../src/platform/security/signatures.js';
import type { Deps } from '../../../src/app/deps.js';
import { afterTurn, type Turns } from '../../../src/routing/rules/turns.js';
import type { ReserveRequest } from '../../../src/routing/store/caps.js';
import type { DeliveryDoc } from '../../../src/deliveries/store/deliveryDoc.js';
import type { OutboundRequest } from '../../../src/platform/outbound/http.js';
import { aLead, aRow, NOW } from '../../support/storedRows.js';
import { mutants } from './index.js';

/** The part of the service that one bug touches. */
const alter = (bug: string, deps: object): Deps => {
  const planted = mutants[bug];
  if (!planted) throw new Error(`There is no ${bug}`);
  return planted.alter(deps as Deps);
};

const REQUEST: OutboundRequest = {
  url: 'http://buyer.example/leads',
  headers: { 'idempotency-key': 'l1:b1' },
  body: '{}',
  timeoutMs: 1_000,
  sendBy: 5,
};

const anOutbound = () => {
  const sent: OutboundRequest[] = [];
  const send = (request: OutboundRequest) => {
    sent.push(request);
    return Promise.resolve({ kind: 'not_sent', reason: 'test' });
  };
  return { sent, outbound: { send } };
};

const aClock = () => ({ now: () => NOW, monotonic: () => performance.now(), random: () => 0 });

describe('mutants', () => {
  it('are twenty-three, and each names the rules that must catch it', () => {
    const names = Object.keys(mutants);
    expect(names).toHaveLength(23);
    expect(Object.values(mutants).every(({ caughtBy }) => caughtBy.length > 0)).toBe(true);
  });

  it('inject their faults in time, and only for existing buyers', () => {
    const scene = {
      seconds: 90,
      buyers: ['honouring-a', 'holding-a'],
      midnightAt: 12_000,
      deciding: ['intake-1', 'intake-2'] as const,
    };
    for (const { needs } of Object.values(mutants)) {
      for (const fault of needs.faults(scene)) {
        expect(fault.at).toBeLessThan(90_000);
        if (fault.kind === 'buyer')
          fault.targets.forEach((one) => expect(scene.buyers).toContain(one));
      }
    }
  });

  it('new_key_per_try: two requests for one lead have two keys, each signed', async () => {
    const { sent, outbound } = anOutbound();
    const buyers = { findOne: () => Promise.resolve({ signing_secret: 'sealed' }) };
    const keyring = { open: () => 'opened' };
    const deps = alter('new_key_per_try', { outbound, collections: { buyers }, keyring });
    const request = { ...REQUEST, headers: { ...REQUEST.headers, 'webhook-timestamp': '17' } };
    await deps.outbound.send(request);
    await deps.outbound.send(request);
    const keys = sent.map(({ headers }) => headers['idempotency-key'] ?? '');
    expect(new Set([...keys, 'l1:b1']).size).toBe(3);
    expect(sent.map(({ headers }) => headers['webhook-signature'])).toEqual(
      keys.map((id) => signMessage(['opened'], { id, timestamp: 17, body: '{}' })),
    );
  });

  it('expired_lease_ignored: a request may be written at any time', async () => {
    const { sent, outbound } = anOutbound();
    const deps = { outbound, clock: aClock(), deliveries: {} };
    await alter('expired_lease_ignored', deps).outbound.send(REQUEST);
    expect(sent.map(({ sendBy }) => sendBy)).toEqual([undefined]);
  });

  it('no_withdrawing: reports leads as withdrawn without withdrawing them', async () => {
    const withdraw = () => Promise.reject(new Error('it was asked'));
    const deps = alter('no_withdrawing', { leads: { withdraw, withdrawCalledOff: withdraw } });
    expect(await deps.leads.withdraw(['l1', 'l2'], NOW)).toEqual(new Set(['l1', 'l2']));
    const own = [aLead({ _id: 'l3' })];
    expect(await deps.leads.withdrawCalledOff(own, 'run-1', NOW)).toEqual(new Set(['l3']));
  });

  it('key_freed_under_promise: frees the keys of leads that are parked or promised', async () => {
    const freed: unknown[] = [];
    const idempotency = { deleteMany: (filter: unknown) => Promise.resolve(freed.push(filter)) };
    const write = () => Promise.resolve();
    const deps = alter('key_freed_under_promise', {
      leads: { park: write, promise: write },
      collections: { idempotency },
    });
    await deps.leads.park('run', [{ leadId: 'l1', trail: [] }], NOW);
    await deps.leads.promise(['l2'], NOW);
    expect(freed).toEqual([{ lead_id: { $in: ['l1'] } }, { lead_id: { $in: ['l2'] } }]);
  });

  it('no_attempt_ordinal: a second run opens the same attempt again, and each settles its own', async () => {
    const rows = new Map<string, DeliveryDoc>();
    const settled: string[] = [];
    const deps = alter('no_attempt_ordinal', {
      deliveries: {
        insertAttempts: (opened: DeliveryDoc[]) => {
          opened.forEach((row) => rows.set(row._id, row));
          return Promise.resolve(new Map());
        },
        settle: (_run: string, results: { id: string }[]) => {
          settled.push(...results.map(({ id }) => id));
          return Promise.resolve(new Set(settled));
        },
      },
    });
    const row = aRow({ lead_id: 'l1', n: 1 });
    await deps.deliveries.insertAttempts([row]);
    await deps.deliveries.insertAttempts([row]);
    expect(rows.size).toBe(1);
    expect(rows.has('l1:1')).toBe(false);
    await deps.deliveries.insertAttempts([{ ...row, run: 'run-2' }]);
    expect(rows.size).toBe(2);
    const held = await deps.deliveries.settle('run-2', [{ id: 'l1:1', state: 'accepted' }], NOW);
    expect(held).toEqual(new Set(['l1:1']));
    expect(settled).toEqual([[...rows.keys()][1]]);
  });

  it('wake_from_memory: asks the store once, and then answers from memory', async () => {
    let asked = 0;
    const destinations = { wake: () => Promise.resolve(++asked > 0) };
    const deps = alter('wake_from_memory', { destinations, clock: aClock() });
    expect(await deps.destinations.wake('b1', 'o1', NOW)).toBe(true);
    expect(await deps.destinations.wake('b1', 'o1', NOW)).toBe(false);
    expect(await deps.destinations.wake('b2', 'o1', NOW)).toBe(true);
    expect(asked).toBe(2);
  });

  it('claims_side_by_side: a lead that loses one field has claimed the others too', async () => {
    const claimed: string[] = [];
    const holder = aLead({ _id: 'l2' });
    const claims = {
      claim: ([field]: { claim_id: string; lead_id: string }[][]) => {
        claimed.push(...(field ?? []).map(({ claim_id }) => claim_id));
        const lost = field?.some(({ claim_id }) => claim_id === 'phone');
        return Promise.resolve(new Map(lost ? [['l1', holder]] : []));
      },
    };
    const request = (claim_id: string) => [{ claim_id, lead_id: 'l1', window_days: 30 }];
    const deps = alter('claims_side_by_side', { claims });
    const lost = await deps.claims.claim([request('phone'), request('email')], NOW);
    expect(lost.get('l1')).toBe(holder);
    expect(claimed.sort()).toEqual(['email', 'phone']);
  });

  it('cap_read_then_write: of two reservations at once one is forgotten', async () => {
    const docs = new Map<string, { total: { count: number } }>();
    const caps = {
      findOne: ({ _id }: { _id: string }) => Promise.resolve(docs.get(_id) ?? null),
      replaceOne: ({ _id }: { _id: string }, doc: { total: { count: number } }) =>
        Promise.resolve(docs.set(_id, doc)),
    };
    const deps = alter('cap_read_then_write', { collections: { caps } });
    const reserve = (hold_id: string) =>
      deps.caps.reserve({
        id: 'cap',
        limits: { total_cap: 1 },
        keys: {
          hour: '2026-11-21T14:00:00Z',
          day: '2026-11-21',
          week: 'W2026-11-16',
          month: '2026-11',
        },
        candidates: [{ hold_id, fence: 1, amount: 10 }],
      });
    const granted = await Promise.all([reserve('l1:1'), reserve('l2:1')]);
    expect(granted.map(({ held }) => held.size)).toEqual([1, 1]);
    expect(docs.get('cap')?.total.count).toBe(1);
  });

  it('turn_without_compare: of two leads at once both have the same turn', async () => {
    const docs = new Map<string, Turns>();
    const turns = {
      findOne: ({ _id }: { _id: string }) => Promise.resolve(docs.get(_id) ?? null),
      replaceOne: ({ _id }: { _id: string }, doc: Turns) => Promise.resolve(docs.set(_id, doc)),
    };
    const deps = alter('turn_without_compare', { collections: { turns } });
    const step = (seen: Turns) => ({ turns: afterTurn(seen, 'b1'), result: seen.seq });
    expect(await Promise.all([deps.turns.take('c1', step), deps.turns.take('c1', step)])).toEqual([
      0, 0,
    ]);
    expect(docs.get('c1')?.seq).toBe(1);
  });

  it('sold_past_max_sells: a later run finds a buyer that was asked, and no sale', async () => {
    const row = aRow({ lead_id: 'l1', state: 'accepted' });
    const sale = { buyer_id: 'b1', attempt: 1, price: 1, cost: 1, at: NOW };
    const deps = alter('sold_past_max_sells', {
      leads: { acquire: () => Promise.resolve([aLead({ _id: 'l1', sales: [sale] })]) },
      deliveries: { acquireRows: () => Promise.resolve(new Map([['l1', [row]]])) },
    });
    const [lead] = await deps.leads.acquire(['l1'], 'run', NOW, NOW);
    expect(lead?.sales).toEqual([]);
    expect((await deps.deliveries.acquireRows(['l1'], 'run')).get('l1')).toEqual([
      { ...row, state: 'rejected' },
    ]);
  });

  it('further_counts_again: asks for a reservation of one lead each time', async () => {
    const asked: unknown[] = [];
    const caps = { reserve: (request: ReserveRequest) => asked.push(...request.candidates) };
    const deps = alter('further_counts_again', { caps });
    const slot = { hold_id: 'l1:2', fence: 1, amount: 10 };
    const keys = {
      hour: '2026-11-21T14:00:00Z',
      day: '2026-11-21',
      week: 'W2026-11-16',
      month: '2026-11',
    };
    await deps.caps.reserve({ id: 'c', limits: {}, keys, candidates: [{ ...slot, leads: 0 }] });
    expect(asked).toEqual([{ ...slot, leads: 1 }]);
  });

  it('booked_price_ignored: commits without the recorded price', async () => {
    const committed: unknown[] = [];
    const commit = (_id: string, outcomes: unknown[]) => committed.push(...outcomes);
    const deps = alter('booked_price_ignored', { caps: { commit } });
    await deps.caps.commit('c', [{ hold_id: 'l1:1', fence: 1, booked: 12 }]);
    expect(committed).toEqual([{ hold_id: 'l1:1', fence: 1 }]);
  });

  it('closed_is_sent: ignores opening hours', async () => {
    const plan = { buyers: [{ buyer_id: 'b1', schedule: [{ days: ['mon'] }] }] };
    const get = () => Promise.resolve(new Map([['p1', plan]]));
    const deps = alter('closed_is_sent', { plans: { get } });
    const buyers = [{ buyer_id: 'b1', schedule: null }];
    expect((await deps.plans.get(['p1'])).get('p1')).toEqual({ buyers });
  });

  it('one_day_for_all: a row names one day, the day of the last counter asked', async () => {
    const [eve, day] = ['2026-11-21', '2026-11-22'].map((one) => ({
      day: one,
      week: 'W2026-11-16',
      month: '2026-11',
    }));
    const opened: DeliveryDoc[] = [];
    const deliveries = { insertAttempts: (rows: DeliveryDoc[]) => opened.push(...rows) };
    const deps = alter('one_day_for_all', { deliveries, clock: aClock() });
    const row = aRow({ reserved: eve ?? null });
    await deps.deliveries.insertAttempts([
      row,
      { ...row, reserved_apart: { ...(day && { campaign: day }) } },
    ]);
    expect(opened.map(({ reserved }) => reserved)).toEqual([eve, day]);
    expect(opened.every((one) => one.reserved_apart === undefined)).toBe(true);
  });

  it('looks_wear_away: a reservation of today for a row of an earlier day is released in all windows', async () => {
    const [today, yesterday] = ['2026-11-22', '2026-11-21'].map((day) => ({
      day,
      week: 'W2026-11-16',
      month: '2026-11',
    }));
    const held = ['l1:1', 'l2:1', 'l3:1'].map((hold_id) => ({ hold_id, fence: 1, keys: today }));
    const said: Record<string, string[]> = {};
    const note = (what: string) => (_id: string, refs: readonly { hold_id: string }[]) => {
      said[what] = refs.map(({ hold_id }) => hold_id);
      return Promise.resolve();
    };
    const deps = alter('looks_wear_away', {
      caps: { commit: note('stays'), release: note('goes') },
      collections: { caps: { findOne: () => Promise.resolve({ held }) } },
    });
    await deps.caps.commit('c', [
      { hold_id: 'l1:1', fence: 1, ...(yesterday && { keys: yesterday }) },
      { hold_id: 'l2:1', fence: 1, ...(today && { keys: today }) },
      { hold_id: 'l3:1', fence: 1 },
    ]);
    expect(said).toEqual({ goes: ['l1:1'], stays: ['l2:1', 'l3:1'] });
  });
});
