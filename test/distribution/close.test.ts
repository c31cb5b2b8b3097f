import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { closeExhausted } from '../../src/distribution/close.js';
import type { Lease, Task } from '../../src/distribution/task.js';
import { systemClock } from '../../src/lib/clock.js';
import { createLog } from '../../src/lib/log.js';
import type { Lead } from '../../src/leads/rules/lead.js';
import type { DeliveryDoc } from '../../src/deliveries/store/deliveryDoc.js';
import { buyerCap, createCapStore } from '../../src/routing/store/caps.js';
import { createDeliveryStore } from '../../src/deliveries/store/deliveries.js';
import { createLeadStore } from '../../src/leads/store/leads.js';
import { aBuyer, aPlan } from '../support/builders.js';
import { aLead, aRow } from '../support/storedRows.js';
import { openDatabase, type TestDatabase } from '../support/database.js';

describe('parking leads that two leases claim', () => {
  let database: TestDatabase;
  const woken: string[][] = [];

  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  const close = (task: Task, run: string) => {
    const { caps, deliveries, leads } = database.collections;
    const deps = {
      caps: createCapStore(caps),
      deliveries: createDeliveryStore(deliveries),
      leads: createLeadStore(leads),
      clock: systemClock,
      log: createLog('silent', 'test'),
      wake: (buyerIds: readonly string[]) => void woken.push([...buyerIds]),
    };
    const own: Lease = { id: run, validUntilMs: performance.now() + 60_000 };
    return closeExhausted([task], own, deps);
  };

  /** A lead as the run sees it that acquired it with fencing token `takes`: `buyer` was missed. */
  const taskOf = (lead: Lead, takes: number, buyer: string, row: DeliveryDoc | null): Task => ({
    lead: { ...lead, takes },
    plan: aPlan(),
    supplier: {
      supplier_id: 's1',
      status: 'active',
      test_mode: false,
      cost_mode: 'NONE',
      cost_per_lead: 0,
      revenue_share: 0,
      caps: {},
    },
    candidates: [],
    nextAttempt: row ? 2 : 1,
    sold: 0,
    missed: [
      {
        terms: aBuyer({ buyer_id: buyer }),
        rowId: row?._id ?? null,
        reason: 'breaker_open',
        retryAfterMs: 1_000,
      },
    ],
    trail: [],
  });

  const taken = async (run: string): Promise<Lead> => {
    const lead = aLead({ run, takes: 2, status: 'PENDING' });
    await database.collections.leads.insertOne(lead);
    return lead;
  };
  const capOf = (buyer: string) =>
    database.collections.caps.findOne({ _id: buyerCap('c1', buyer) });

  it.each([
    ['a buyer that was asked', true],
    ['a buyer that was not asked', false],
  ])('for %s it counts once, and only one run has parked it', async (_name, wasAsked) => {
    const buyer = `buyer-${wasAsked}`;
    const lead = await taken('second');
    const missed = { lead_id: lead._id, state: 'failed', buyer_id: buyer, run: 'second' } as const;
    const row = wasAsked ? aRow(missed) : null;
    if (row) await database.collections.deliveries.insertOne(row);
    const second = taskOf(lead, 2, buyer, row);
    const first = taskOf(lead, 1, buyer, row);
    expect(await close(second, 'second')).toEqual({
      unsold: [],
      goOn: [],
      waiting: [second],
      lost: [],
    });
    expect(await close(first, 'first')).toEqual({
      unsold: [],
      goOn: [],
      waiting: [],
      lost: [first],
    });
    expect(await capOf(buyer)).toMatchObject({ day: { count: 1 }, total: { count: 1 }, held: [] });
    const rows = await database.collections.deliveries.find({ lead_id: lead._id }).toArray();
    expect(rows).toMatchObject([{ state: 'parked', run: 'second' }]);
  });
});
