import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TrailEntry } from '../../../src/leads/rules/trail.js';
import { createLeadStore, type LeadStore } from '../../../src/leads/store/leads.js';
import { after, aLead, NOW } from '../../support/storedRows.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';

/** Distinguishable steps. */
const steps = (from: number, count: number): TrailEntry[] =>
  Array.from({ length: count }, (_, n) => ({ at: NOW, step: 'delivery', result: `${from + n}` }));
const LEASE = after(3_000);

describe('a trail', () => {
  let database: TestDatabase;
  let leads: LeadStore;
  beforeAll(async () => {
    database = await openDatabase();
    leads = createLeadStore(database.collections.leads);
  });
  afterAll(() => database.drop());

  const get = (id: string) => database.collections.leads.findOne({ _id: id });
  const stored = async (trail: TrailEntry[]): Promise<string> => {
    const lead = aLead({ status: 'PENDING', run: 'run', lease_until: LEASE, takes: 1, trail });
    await database.collections.leads.insertOne(lead);
    return lead._id;
  };
  const hand = async (leadId: string, trail: TrailEntry[]): Promise<void> => {
    await leads.acquireWaiting([leadId], 'run', LEASE, NOW);
    await leads.park('run', [{ leadId, trail }], NOW);
  };

  it('is kept whole up to 1,000 entries', async () => {
    const id = await stored(steps(0, 950));
    await hand(id, steps(950, 50));
    const lead = await get(id);
    expect(lead?.trail).toEqual(steps(0, 1_000));
    expect(lead).not.toHaveProperty('trail_dropped');
  });

  it('keeps its first and its last 500 entries, and counts the omitted ones, however often it grows', async () => {
    const id = await stored(steps(0, 950));
    for (let at = 950; at < 1_250; at += 60) await hand(id, steps(at, 60));
    const lead = await get(id);
    expect(lead?.trail).toEqual([...steps(0, 500), ...steps(750, 500)]);
    expect(lead?.trail_dropped).toBe(250);
  });

  it('has the end of its lead at its end', async () => {
    const id = await stored(steps(0, 1_000));
    const decided = {
      leadId: id,
      status: 'UNMATCHED' as const,
      reason: 'no_buyer' as const,
      trail: [],
    };
    await leads.decide('run', [decided], NOW);
    const lead = await get(id);
    const closing = { at: NOW, step: 'closing', result: 'UNMATCHED', reason: 'no_buyer' };
    expect(lead?.trail).toEqual([...steps(0, 500), ...steps(501, 499), closing]);
    expect(lead?.trail_dropped).toBe(1);
  });
});
