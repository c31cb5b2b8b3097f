import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createActivities } from '../../activities/index.js';
import { uploadSuppressions } from '../../src/account/suppression/upload.js';
import { NO, YES } from '../support/fakeBuyer.js';
import { waitFor } from '../support/waitFor.js';
import { ago, DOWN, startLaneBed, type Lane, type LaneBed } from './drainFixture.js';

describe('a buyer that must not get a lead', () => {
  let lanes: LaneBed;
  beforeAll(async () => {
    lanes = await startLaneBed();
  });
  afterAll(() => lanes.stop());

  /** Everybody with this email is on the buyer's list. */
  const suppress = async ({ account }: Lane, buyer: string, email: string) => {
    const source = (async function* () {
      yield await Promise.resolve(Buffer.from(`email\n${email}\n`));
    })();
    const target = { scope: 'buyer', buyer_id: account.buyers[buyer] ?? '' } as const;
    const list = { org_id: account.orgId, target, name: 'List', uploaded_by: 'test' };
    await uploadSuppressions(lanes.bed, list, source);
  };

  it('is not asked either when the lead comes back from waiting for another', async () => {
    const lane = await lanes.open({
      first: { answers: () => DOWN },
      barred: { answers: () => YES },
    });
    await suppress(lane, 'barred', 'ada@example.com');
    const answer = await lane.supplier.post({ email: 'ada@example.com' });
    expect(answer.data).toMatchObject({ status: 'ACCEPTED', delivery: 'pending' });
    lane.behave('first', () => NO);
    const ended = async () => (await lane.lead(answer.data?.id ?? ''))?.status === 'EXPIRED';
    await waitFor(ended, { message: 'the lead has ended unsold' });
    expect(lane.requests('barred')).toEqual([]);
  });

  it('is not asked either when a lead is taken up that a dead run left', async () => {
    const lane = await lanes.open({
      first: { answers: () => NO },
      barred: { answers: () => YES },
      last: { answers: () => YES },
    });
    await suppress(lane, 'barred', 'ada@example.com');
    const { data } = await lane.supplier.post({ email: 'ada@example.com' });
    const id = data?.id ?? '';
    expect(data?.buyer_id).toBe(lane.account.buyers.last);
    // As if the run had died when the first buyer had said no.
    const { leads, deliveries } = lanes.bed.collections;
    await deliveries.deleteOne({ _id: `${id}:2` });
    await leads.updateOne(
      { _id: id },
      { $set: { status: 'NEW', run: 'dead', lease_until: ago(1_000), buyer_id: null, sales: [] } },
    );
    const { processLeads } = createActivities(lanes.service.deps);
    const { verdicts } = await processLeads({ leadIds: [id] });
    expect(verdicts).toMatchObject([{ id, status: 'ACCEPTED', buyer_id: data?.buyer_id }]);
    expect(lane.requests('barred')).toEqual([]);
    expect(lane.requests('last')).toHaveLength(2);
  });
});
