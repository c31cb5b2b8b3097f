import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPingStore, type PingStore } from '../../../src/pings/store/pings.js';
import { createPingCountStore, type PingCountStore } from '../../../src/pings/store/pingCounts.js';
import { NOW } from '../../support/storedRows.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';
import { aPing } from '../../support/pingBuilders.js';

describe('the stores of pings', () => {
  let database: TestDatabase;
  let pings: PingStore;
  let counts: PingCountStore;

  beforeAll(async () => {
    database = await openDatabase();
    pings = createPingStore(database.collections.pings);
    counts = createPingCountStore(database.collections.pingCounts);
  });
  afterAll(() => database.drop());

  const request = (id: string, wanted: number, cap = 10) => ({
    kind: 'supplier' as const,
    campaign_id: 'campaign',
    id,
    day: '2026-11-21',
    cap,
    wanted,
  });
  const countOf = async (id: string) =>
    (await database.collections.pingCounts.findOne({ _id: `supplier:campaign:${id}:2026-11-21` }))
      ?.count;

  it('stores a group twice without a second trace', async () => {
    const [first, second] = [aPing(), aPing()];
    await pings.insert([first, second]);
    await database.collections.pings.updateOne({ _id: first._id }, { $set: { state: 'redeemed' } });
    await pings.insert([first, second, aPing({ _id: 'third' })]);
    const stored = await pings.get([first._id, second._id, 'third', 'nobody']);
    expect([...stored.values()].map(({ state }) => state).sort()).toEqual([
      'open',
      'open',
      'redeemed',
    ]);
  });

  it('fails when anything but a repeat is refused', async () => {
    const tooLong = aPing({ digests: { text: 'x'.repeat(17 * 1_024 * 1_024) } });
    await expect(pings.insert([tooLong])).rejects.toThrow();
  });

  it('grants what fits the cap, and counts it', async () => {
    expect(await counts.grant(request('room', 7), NOW)).toBe(7);
    expect(await counts.grant(request('room', 7), NOW)).toBe(3);
    expect(await counts.grant(request('room', 7), NOW)).toBe(0);
    expect(await countOf('room')).toBe(10);
  });

  it('keeps its count when the cap is lowered, and grants more when it is raised', async () => {
    await counts.grant(request('moved', 10), NOW);
    expect(await counts.grant(request('moved', 1, 5), NOW)).toBe(0);
    expect(await countOf('moved')).toBe(10);
    expect(await counts.grant(request('moved', 5, 12), NOW)).toBe(2);
  });

  it('is exact for 50 concurrent callers', async () => {
    const asking = Array.from({ length: 50 }, () => counts.grant(request('race', 3, 100), NOW));
    const granted = await Promise.all(asking);
    expect(granted.reduce((sum, n) => sum + n, 0)).toBe(100);
    expect(await countOf('race')).toBe(100);
  });

  it('counts each day, each link and each kind separately', async () => {
    await counts.grant(request('own', 10), NOW);
    expect(await counts.grant({ ...request('own', 10), day: '2026-11-22' }, NOW)).toBe(10);
    expect(await counts.grant({ ...request('own', 10), kind: 'buyer' }, NOW)).toBe(10);
    expect(await counts.grant({ ...request('own', 10), campaign_id: 'another' }, NOW)).toBe(10);
  });
});
