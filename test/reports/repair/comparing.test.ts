/** The instants between which a day of sums is compared with what it counted. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findSpan } from '../../../src/reports/repair/comparing.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';
import { makeOrg } from '../../support/org.js';

describe('the span of a compared day', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database.drop());

  it.each([
    ['of 24 hours', '2026-05-31', '2026-05-31T04:00:00Z', '2026-06-01T04:00:00Z'],
    ['of 23 hours', '2026-03-08', '2026-03-08T05:00:00Z', '2026-03-09T04:00:00Z'],
    ['of 25 hours', '2026-11-01', '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
  ])('is that of the account: %s', async (_hours, day, from, to) => {
    const { _id: org_id } = await makeOrg(database.collections);
    expect(await findSpan({ org_id, day }, database.collections)).toEqual({
      from: new Date(from),
      to: new Date(to),
      timeZone: 'America/New_York',
    });
  });
});
