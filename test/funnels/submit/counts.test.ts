import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createFunnelCounts, type Counted } from '../../../src/funnels/submit/counts.js';
import { createLog } from '../../../src/lib/log.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';

describe('counts of funnels', () => {
  let database: TestDatabase;
  let now = new Date('2026-11-21T03:00:00Z');

  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  const counts = () =>
    createFunnelCounts({
      funnelCounts: database.collections.funnelCounts,
      clock: { now: () => now },
      log: createLog('silent', 'test'),
    });
  let funnels = 0;
  const counted = (changes: Partial<Counted> = {}): Counted => ({
    orgId: 'org',
    funnelId: `fun_${++funnels}`,
    version: 1,
    timeZone: 'America/Chicago',
    source: 'direct',
    ...changes,
  });
  const rowsOf = ({ funnelId }: Counted) =>
    database.collections.funnelCounts.find({ funnel_id: funnelId }).sort({ _id: 1 }).toArray();

  it('are summed by day of the account, version and source, over all processes', async () => {
    const what = counted();
    const processes = [counts(), counts()];
    for (const one of processes) {
      for (let n = 0; n < 3; n++) one.count(what, { kind: 'view' });
      one.count(what, { kind: 'shown', step: 'owner' });
      one.count(what, { kind: 'suspect', reason: 'honeypot' });
    }
    processes[0]?.count({ ...what, source: 'spring' }, { kind: 'submit' });
    await Promise.all(processes.map((one) => one.flush()));
    const row = { org_id: 'org', funnel_id: what.funnelId, day: '2026-11-20', version: 1 };
    expect(await rowsOf(what)).toEqual([
      {
        _id: `${what.funnelId}:2026-11-20:1:direct`,
        ...row,
        source: 'direct',
        views: 6,
        starts: 0,
        submits: 0,
        steps: { owner: { shown: 2 } },
        suspects: { honeypot: 2 },
      },
      {
        _id: `${what.funnelId}:2026-11-20:1:spring`,
        ...row,
        source: 'spring',
        views: 0,
        starts: 0,
        submits: 1,
        steps: {},
        suspects: {},
      },
    ]);
  });

  it('count an event that a browser sends twice once', async () => {
    const what = counted();
    const one = counts();
    for (const nonce of ['a', 'a', 'b']) {
      one.countOnce(nonce, what, { kind: 'start' });
      one.countOnce(nonce, what, { kind: 'done', step: 'owner' });
    }
    await one.flush();
    expect(await rowsOf(what)).toMatchObject([{ starts: 2, steps: { owner: { done: 2 } } }]);
  });

  it('are written automatically, with a bounded number of sources', async () => {
    const what = counted();
    const one = counts();
    for (let n = 0; n < 1_000; n++) one.count({ ...what, source: `source-${n}` }, { kind: 'view' });
    await one.flush();
    const rows = await rowsOf(what);
    expect(rows).toHaveLength(201);
    expect(rows.find(({ source }) => source === 'other')?.views).toBe(800);
    now = new Date(Number(now) + 86_400_000);
    one.count({ ...what, source: 'source-999' }, { kind: 'view' });
    await one.flush();
    expect((await rowsOf(what)).map(({ day }) => day)).toContain('2026-11-21');
  });
});
