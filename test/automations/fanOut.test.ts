/** Which automations get a delivery of an event. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fanOut, type FanOutEvent } from '../../src/automations/fanOut.js';
import { openDatabase, type TestDatabase } from '../support/database.js';
import { makeOrg } from '../support/org.js';
import { anAutomation } from './anAutomation.js';

/** In New York, 22:00 on Sunday, the last of May. */
const now = new Date('2026-06-01T02:00:00Z');

describe('an event', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  const anEvent = (org_id: string, more: Partial<FanOutEvent> = {}): FanOutEvent => ({
    _id: `evt_${org_id}`,
    org_id,
    type: 'lead.accepted',
    campaign_id: 'campaign',
    lead_id: 'lead',
    awaited_by: null,
    ord: 1,
    fields: {},
    created_at: now,
    ...more,
  });
  const told = async (...events: FanOutEvent[]): Promise<string[]> => {
    const { collections } = database;
    await fanOut(events, { collections, clock: { now: () => now }, wakeAutomations: () => [] });
    const org_id = { $in: events.map((event) => event.org_id) };
    const rows = await collections.eventDeliveries.find({ org_id }).toArray();
    return rows.map(({ _id }) => _id).toSorted();
  };

  it("meets conditions by the days of the account's clock", async () => {
    const { _id: org_id } = await makeOrg(database.collections);
    const rule = (value: number) => ({
      all: [{ id: 'f1', field: 'incident_date', operator: '<= N days ago' as const, value }],
    });
    await database.collections.automations.insertMany([
      anAutomation({ _id: 'today', org_id, conditions: rule(0) }),
      anAutomation({ _id: 'yesterday', name: 'Later', org_id, conditions: rule(1) }),
    ]);
    const event = anEvent(org_id, { fields: { incident_date: '2026-05-31' } });
    expect(await told(event)).toEqual([`today:${event._id}`]);
  });

  it('goes to automations of its own organization alone', async () => {
    const own = await Promise.all([1, 2].map(() => makeOrg(database.collections)));
    await database.collections.automations.insertMany(
      own.map(({ _id }) => anAutomation({ _id: `of-${_id}`, org_id: _id })),
    );
    const events = own.map(({ _id }) => anEvent(_id));
    expect(await told(...events)).toEqual(own.map(({ _id }) => `of-${_id}:evt_${_id}`).toSorted());
  });
});
