/** What waits for an operator, counted from the indexes. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  countUnknowns,
  findOpenBreakers,
  findQueued,
  countWaiting,
  readQueues,
  readQueueStates,
} from '../../../src/deliveries/store/attention.js';
import type { DeliveryState } from '../../../src/deliveries/store/deliveryDoc.js';
import { NEVER_DUE } from '../../../src/deliveries/store/waiting.js';
import type { DestinationDoc } from '../../../src/deliveries/store/destinationDoc.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';
import { aRow, after, before } from '../../support/storedRows.js';

describe('what waits for an operator', () => {
  let database: TestDatabase;
  const rows = (count: number, buyer_id: string, state: DeliveryState, org_id = 'org') =>
    Array.from({ length: count }, (_, n) =>
      aRow({ buyer_id, state, org_id, created_at: before(n * 1_000) }),
    );
  beforeAll(async () => {
    database = await openDatabase();
    await database.collections.deliveries.insertMany([
      ...rows(3, 'slow', 'parked'),
      ...rows(2, 'slow', 'unknown'),
      ...rows(1, 'quick', 'parked'),
      ...rows(4, 'quick', 'accepted'),
      ...rows(2, 'quick', 'sending'),
      ...rows(7, 'theirs', 'unknown', 'other'),
    ]);
    const destination = (
      _id: string,
      org_id: string,
      paused_at: Date | null | undefined,
    ): DestinationDoc => ({
      _id,
      org_id,
      awake: false,
      awake_at: before(0),
      failures: 6,
      pauses: 1,
      open_until: after(1_000),
      retry_at: null,
      paused_at,
    });
    await database.collections.destinations.insertMany([
      destination('slow', 'org', before(1_000)),
      destination('slower', 'org', before(9_000)),
      destination('quick', 'org', null),
      destination('new', 'org', undefined),
      destination('theirs', 'other', before(5_000)),
    ]);
  });
  afterAll(() => database.drop());

  it('is counted for each buyer of an organization, the longest queue first', async () => {
    const { deliveries } = database.collections;
    expect(await readQueues(deliveries, 'org', 100)).toEqual({
      queues: [
        { buyer_id: 'slow', parked: 3, unknown: 2, oldest: before(2_000) },
        { buyer_id: 'quick', parked: 1, unknown: 0, oldest: before(0) },
      ],
      isCut: false,
    });
  });

  it('is counted for the whole installation', async () => {
    const { queues } = await readQueues(database.collections.deliveries, null, 100);
    expect(queues.map(({ buyer_id, parked, unknown }) => [buyer_id, parked, unknown])).toEqual([
      ['theirs', 0, 7],
      ['slow', 3, 2],
      ['quick', 1, 0],
    ]);
  });

  it('says where more waits than was counted', async () => {
    const { deliveries } = database.collections;
    expect(await readQueues(deliveries, 'org', 6)).toMatchObject({ isCut: false });
    expect(await readQueues(deliveries, 'org', 5)).toMatchObject({ isCut: true });
    expect(await readQueues(deliveries, 'none', 5)).toEqual({ queues: [], isCut: false });
  });

  it('has the deliveries that were never answered', async () => {
    const { deliveries } = database.collections;
    const counts = [countUnknowns(deliveries, 'org', 10), countUnknowns(deliveries, null, 100)];
    expect(await Promise.all([...counts, countUnknowns(deliveries, 'other', 5)])).toEqual([
      2, 9, 5,
    ]);
  });

  it('has the breakers that are not closed, the first to open first', async () => {
    const { destinations } = database.collections;
    const ids = async (org: string | null, limit = 10) =>
      (await findOpenBreakers(destinations, org, limit)).map(({ _id }) => _id);
    expect(await ids('org')).toEqual(['slower', 'slow']);
    expect(await ids(null)).toEqual(['slower', 'theirs', 'slow']);
    expect(await ids(null, 1)).toEqual(['slower']);
  });

  it('is counted for some buyers, with what an operator holds and when the next one is due', async () => {
    const { deliveries } = database.collections;
    const row = (due_at: Date | undefined, state: DeliveryState = 'parked') =>
      aRow({ buyer_id: 'held', state, org_id: 'third', due_at, campaign_id: `of-${state}` });
    const [soon, later] = [after(1_000), after(2_000)];
    await deliveries.insertMany([
      row(NEVER_DUE),
      row(NEVER_DUE),
      row(later),
      row(soon),
      row(before(0), 'unknown'),
    ]);
    await deliveries.insertOne(
      aRow({ buyer_id: 'stopped', state: 'parked', due_at: NEVER_DUE, org_id: 'third' }),
    );
    const asked = ['held', 'stopped', 'accepting'];
    expect(await readQueueStates(deliveries, asked, 100)).toEqual(
      new Map([
        ['held', { parked: 4, held: 2, unknown: 1, oldest: before(0), due: soon }],
        ['stopped', { parked: 1, held: 1, unknown: 0, oldest: before(0), due: null }],
      ]),
    );
    expect((await findQueued(deliveries, [...asked, 'slow'])).toSorted()).toEqual([
      'held',
      'slow',
      'stopped',
    ]);
    expect(await findQueued(deliveries, [])).toEqual([]);
    const of = (campaign_id?: string) =>
      countWaiting(deliveries, { orgId: 'third', campaign_id }, 6);
    expect(await of()).toEqual({ deliveries: 5, unknown: 1, is_cut: false });
    expect(await of('of-unknown')).toEqual({ deliveries: 0, unknown: 1, is_cut: false });
    expect(await of('of-parked')).toEqual({ deliveries: 4, unknown: 0, is_cut: false });
    expect(await countWaiting(deliveries, { orgId: 'third' }, 5)).toMatchObject({ is_cut: true });
  });
});
