/** The sums of an account that has moved to another time zone. */
import { describe, expect, it } from '@jest/globals';
import { countDays, recountAllDays } from '../../src/reports/recountAllDays.js';
import { recountRollups } from '../../src/reports/repair/recount.js';
import { quietLog } from '../support/quietLog.js';
import { restless } from './disturbed.js';
import { openTrade } from './trading.js';

describe('the sums of an account that moves to another time zone', () => {
  const { database, roll, store, owned, sell } = openTrade();
  const days = async () => {
    const sums = await database.collections.rollups.find({ facet: 'all' }).toArray();
    const counted = sums.flatMap(({ day, by_status }) => {
      const leads = Object.values(by_status).reduce((sum, one) => sum + one.leads, 0);
      return leads === 0 ? [] : [`${day}: ${leads}`];
    });
    return counted.toSorted();
  };

  it('are those of the days of the new zone, whatever has no sum yet', async () => {
    const { collections } = database;
    await collections.orgs.deleteMany({});
    await collections.campaigns.deleteMany({});
    const lead = owned('l-1', { created_at: new Date('2026-11-20T23:30:00Z') });
    const { org_id, campaign_id } = lead;
    const org = { _id: org_id, name: 'Org', currency: 'USD', created_at: new Date(0) };
    await collections.orgs.insertOne({ ...org, time_zone: 'America/New_York' });
    await collections.campaigns.insertOne({ _id: campaign_id, org_id, name: 'One' } as never);
    await store().insert([lead, owned('l-2', { created_at: new Date('2026-11-20T12:00:00Z') })]);
    await sell('l-1');
    await sell('l-2');
    await roll();
    expect(await days()).toEqual(['2026-11-20: 2']);
    await collections.orgs.updateOne({ _id: org_id }, { $set: { time_zone: 'Europe/Berlin' } });
    const clock = {
      now: () => new Date('2026-11-22T00:00:00Z'),
      monotonic: () => performance.now(),
    };
    await recountAllDays(org_id, { collections, clock });
    expect(await countDays(org_id, collections)).toBe(3);
    await recountRollups({ collections, clock, log: quietLog }, restless());
    expect(await days()).toEqual(['2026-11-20: 1', '2026-11-21: 1']);
    // A change of a lead is counted in the day where the lead is now.
    await collections.leads.updateOne(
      { _id: 'l-1' },
      { $set: { uncounted: true, status: 'UNMATCHED', sales: [] }, $inc: { changes: 1 } },
    );
    await roll();
    expect(await days()).toEqual(['2026-11-20: 1', '2026-11-21: 1']);
  });
});
