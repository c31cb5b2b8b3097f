/** What makes a lead a duplicate, and for how long, as the supplier sees it. */
import { accountOf } from '../support/org.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { updateCampaign } from '../../src/account/campaigns/campaigns.js';
import type { DedupeSettings } from '../../src/account/rules/plan.js';
import { aPerson } from '../support/supplier.js';
import { startTestbed, type Testbed } from '../support/testbed.js';

type Dedupe = Partial<DedupeSettings>;

const DAY_MS = 86_400_000;
/** Allows for the time that the requests of the test take. */
const MARGIN_MS = 600_000;

let testbed: Testbed;
beforeAll(async () => {
  testbed = await startTestbed();
});
afterAll(() => testbed.stop());

/** As if the lead had come in this long ago. */
async function age(leadId: string | undefined, ms: number): Promise<void> {
  const created_at = new Date(Date.now() - ms);
  const { matchedCount } = await testbed.collections.leads.updateOne(
    { _id: leadId ?? '' },
    { $set: { created_at } },
  );
  expect(matchedCount).toBe(1);
}

describe('the window for duplicates', () => {
  it.each([
    [30, {}],
    [7, { window_days: 7 }],
  ])(
    'is over %d days after the first lead, and the person is sold as a new lead',
    async (days, dedupe) => {
      const { post, sentTo } = await testbed.market({ campaign: { dedupe } });
      const person = aPerson();
      const first = await post(person);
      await age(first.data?.id, days * DAY_MS - MARGIN_MS);
      expect((await post(person)).data).toMatchObject({
        status: 'DUPLICATE',
        duplicate_of: first.data?.id,
      });
      await age(first.data?.id, days * DAY_MS);
      const later = await post(person);
      expect(later).toMatchObject({ status: 201, data: { status: 'ACCEPTED' } });
      expect(later.data).not.toHaveProperty('duplicate_of');
      expect(sentTo('only')).toHaveLength(2);
      // From now on the new lead is the original.
      expect((await post(person)).data).toMatchObject({
        status: 'DUPLICATE',
        duplicate_of: later.data?.id,
      });
    },
  );

  it.each([
    ['REJECT', 'DUPLICATE'],
    ['ROUTE_TO_ORIGINAL', 'ACCEPTED'],
  ] as const)(
    'is not extended by a repeat where duplicates are %s',
    async (on_duplicate, status) => {
      const { post } = await testbed.market({ campaign: { dedupe: { on_duplicate } } });
      const person = aPerson();
      const first = await post(person);
      await age(first.data?.id, 30 * DAY_MS - MARGIN_MS);
      const repeat = await post({ ...person, last_name: 'Changed' });
      expect(repeat.data).toMatchObject({ status, duplicate_of: first.data?.id });
      await age(first.data?.id, 30 * DAY_MS);
      const later = await post({ ...person, last_name: 'Again' });
      expect(later).toMatchObject({ status: 201, data: { status: 'ACCEPTED' } });
      expect(later.data).not.toHaveProperty('duplicate_of');
    },
  );
});

describe('settings that begin to find more duplicates', () => {
  const days = (count: number) => count * DAY_MS;
  /** A person that was sold so long ago that its claims are gone, in a campaign that is then changed. */
  async function soldBefore(age_ms: number, before: Dedupe, after: Dedupe) {
    const { post, account } = await testbed.market({ campaign: { dedupe: before } });
    const person = aPerson();
    const first = await post(person);
    const id = first.data?.id;
    await age(id, age_ms);
    if (age_ms > days(before.window_days ?? 30))
      await testbed.collections.claims.deleteMany({ lead_id: id ?? '' });
    const { orgId, campaignId } = account;
    await updateCampaign(accountOf(testbed, orgId), campaignId, { dedupe: after });
    return { post, person, id };
  }

  it.each<[string, number, Dedupe, Dedupe, Record<string, string>]>([
    ['a longer window', days(15), { window_days: 7 }, { window_days: 30 }, {}],
    [
      'another field',
      days(1),
      { fields: ['email'] },
      { fields: ['phone'] },
      { email: 'o@b.example' },
    ],
    ['ANY for ALL', days(1), { match: 'ALL' }, { match: 'ANY' }, { email: 'o@b.example' }],
    [
      'ALL for ANY',
      days(1),
      { fields: ['phone'] },
      { fields: ['phone', 'email'], match: 'ALL' },
      {},
    ],
  ])(
    '%s reaches back to leads that were sold before the change',
    async (_name, ago, before, after, changes) => {
      const { post, person, id } = await soldBefore(ago, before, after);
      const repeats = [
        await post({ ...person, ...changes }),
        await post({ ...person, ...changes }),
      ];
      for (const { status, data } of repeats) {
        expect({ status, data }).toMatchObject({
          status: 200,
          data: { status: 'DUPLICATE', duplicate_of: id, buyer_id: null },
        });
      }
      expect(await testbed.collections.leads.countDocuments({ duplicate_of: id })).toBe(2);
    },
  );

  it('reach back no further than the window', async () => {
    const { post, person } = await soldBefore(days(31), { window_days: 7 }, { window_days: 30 });
    expect((await post(person)).data).toMatchObject({ status: 'ACCEPTED' });
  });

  it('sell exactly one of many posts of a person at once', async () => {
    const { post, person, id } = await soldBefore(
      days(40),
      { window_days: 7 },
      { window_days: 30 },
    );
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => post({ ...person, last_name: `Doe ${n}` })),
    );
    const statuses = answers.map(({ data }) => data?.status);
    expect(statuses.filter((status) => status === 'ACCEPTED')).toHaveLength(1);
    expect(statuses.filter((status) => status === 'DUPLICATE')).toHaveLength(19);
    expect(answers.filter(({ data }) => data?.duplicate_of === id)).toEqual([]);
  });
});

describe('duplicates', () => {
  it('are looked for by the fields that the campaign names, and by no others', async () => {
    const policy = {
      ...({ name: 'policy', type: 'String' } as const),
      required: false,
      ping_required: false,
    };
    const { post } = await testbed.market({
      campaign: { fields: [policy], dedupe: { fields: ['policy'] } },
    });
    const person = aPerson();
    const first = await post({ ...person, policy: 'P-1' });
    const samePerson = await post({ ...person, policy: 'P-2' });
    const samePolicy = await post({ ...aPerson(), policy: 'p-1' });
    const withoutPolicy = [await post(person), await post({ ...person, last_name: 'Changed' })];
    expect(samePerson.data?.status).toBe('ACCEPTED');
    expect(samePolicy.data).toMatchObject({
      status: 'DUPLICATE',
      duplicate_of: first.data?.id,
    });
    expect(withoutPolicy.map(({ data }) => data?.status)).toEqual(['ACCEPTED', 'ACCEPTED']);
  });
});
