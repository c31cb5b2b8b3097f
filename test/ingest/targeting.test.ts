import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { windowKeys } from '../../src/fields/windowKeys.js';
import { startTestbed, type Testbed } from '../support/testbed.js';

describe('a lead', () => {
  let testbed: Testbed;
  beforeAll(async () => {
    testbed = await startTestbed();
  });
  afterAll(() => testbed.stop());

  it('is checked by every kind of rule, and gets what each requires', async () => {
    const { post, sentTo } = await testbed.market({
      campaign: {
        fields: [
          { name: 'age', type: 'Number', required: false, ping_required: false },
          { name: 'incident_date', type: 'Date', required: false, ping_required: false },
        ],
        filters: [
          { field: 'age', operator: '>=', value: 18 },
          { field: 'incident_date', operator: '>= 730 days ago' },
          { field: 'zip_code', operator: 'WITHIN RADIUS', value: { zips: ['90210'], miles: 25 } },
        ],
      },
    });
    const answer = await post({ age: 17, incident_date: '2001-01-31', zip_code: '10001' });
    expect(answer).toMatchObject({ status: 422, body: { error: 'filtered' } });
    expect(answer.body.filter_errors).toEqual([
      {
        filter_id: 'f1',
        field: 'age',
        operator: '>=',
        value: 18,
        actual: 17,
        message: 'age must be at least 18',
      },
      {
        filter_id: 'f2',
        field: 'incident_date',
        operator: '>= N days ago',
        value: 730,
        actual: '2001-01-31',
        message: expect.stringMatching(
          /^incident_date must be on or after 20[0-9]{2}-[0-9]{2}-[0-9]{2} \(730 days ago\)$/,
        ),
      },
      {
        filter_id: 'f3',
        field: 'zip_code',
        operator: 'WITHIN RADIUS',
        value: { zips: ['90210'], miles: 25 },
        actual: '10001',
        message: 'zip_code must be a zip code within 25 miles of 90210',
      },
    ]);
    const good = { age: 18, incident_date: '2999-01-31', zip_code: '90001' };
    expect(await post(good)).toMatchObject({ status: 201, data: { status: 'ACCEPTED' } });
    expect(sentTo('only')).toHaveLength(1);
  });

  it('skips a closed buyer, and its trail says when that opens', async () => {
    // Seven hours behind UTC all year.
    const timeZone = 'America/Phoenix';
    const inThreeDays = Date.now() + 3 * 86_400_000;
    const weekday = new Date(inThreeDays).toLocaleDateString('en-US', {
      weekday: 'long',
      timeZone,
    });
    const schedule = { days: [weekday], from: '08:00', to: '18:00' };
    const { account, post, sentTo } = await testbed.market({
      timeZone,
      buyers: { closed: { priority: 1, schedule }, open: { priority: 2 } },
    });
    const answer = await post();
    expect(answer).toMatchObject({ status: 201, data: { buyer_id: account.buyers.open } });
    expect(sentTo('closed')).toEqual([]);
    const { day } = windowKeys(new Date(inThreeDays), timeZone);
    const opensAt = new Date(`${day}T08:00:00-07:00`);
    expect((await testbed.lead(answer.data?.id)).trail).toContainEqual(
      expect.objectContaining({
        step: 'routing',
        result: 'skipped',
        buyer_id: account.buyers.closed,
        reason: 'closed',
        detail: { local_time: expect.any(String), opens_at: opensAt },
      }),
    );
  });
});
