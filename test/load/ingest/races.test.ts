import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAccount } from '../../support/account.js';
import { startFakeBuyer, YES, type FakeBuyer } from '../../support/fakeBuyer.js';
import { startServiceBed, type ServiceBed } from '../../support/service.js';
import { aPerson, supplierOf, tally } from '../../support/supplier.js';
import { waitFor } from '../../support/waitFor.js';

describe('many leads at once', () => {
  let bed: ServiceBed;
  let buyer: FakeBuyer;
  let url: string;

  beforeAll(async () => {
    bed = await startServiceBed();
    buyer = await startFakeBuyer(() => YES);
    ({ url } = await bed.start());
  });
  afterAll(async () => {
    await bed.stop();
    await buyer.stop();
  });

  it('accepts exactly one of 1,000 simultaneous posts of one person', async () => {
    const account = await createAccount(bed, {
      buyers: { only: { delivery: { url: `${buyer.url}/one` } } },
    });
    const supplier = supplierOf(url, account);
    const person = aPerson();
    const answers = await Promise.all(
      Array.from({ length: 1_000 }, () => supplier.postUntilTaken(person)),
    );
    await supplier.close();
    // After a resend, the answer may describe the winner as it is stored: then it is recognized by its id.
    const accepted = answers.filter(({ data }) => data?.status === 'ACCEPTED');
    const replayed = accepted.filter(({ headers }) => headers['idempotent-replayed'] === 'true');
    const [winner, ...others] = new Set(accepted.map(({ data }) => data?.id));
    expect(others).toEqual([]);
    expect(accepted.length - replayed.length).toBeLessThanOrEqual(1);
    expect(tally(answers.map(({ data }) => data?.status))).toEqual({
      ACCEPTED: accepted.length,
      DUPLICATE: 1_000 - accepted.length,
    });
    expect(buyer.accepted('/one')).toEqual([winner]);
    expect(new Set(answers.flatMap(({ data }) => data?.duplicate_of ?? []))).toEqual(
      new Set([winner]),
    );
  });

  it('sells exactly 100 of 400 simultaneous leads to a buyer with a daily cap of 100', async () => {
    const account = await createAccount(bed, {
      buyers: {
        capped: { caps: { daily_cap: 100 }, delivery: { url: `${buyer.url}/capped` } },
        rest: { delivery: { url: `${buyer.url}/rest` } },
      },
    });
    const supplier = supplierOf(url, account);
    const answers = await Promise.all(Array.from({ length: 400 }, () => supplier.postUntilTaken()));
    await supplier.close();
    expect(tally(answers.map(({ status, data }) => `${status} ${data?.status}`))).toEqual({
      '201 ACCEPTED': 400,
    });
    const { capped = '', rest = '' } = account.buyers;
    const ofCampaign = { campaign_id: account.campaignId };
    // On a busy machine some are answered `pending` first; what counts is the final buyer of each lead.
    const sold = () => bed.collections.leads.countDocuments({ ...ofCampaign, status: 'ACCEPTED' });
    await waitFor(async () => (await sold()) === 400, { message: 'every lead is sold' });
    for (const [buyer_id, count] of [
      [capped, 100],
      [rest, 300],
    ] as const) {
      expect(await bed.collections.leads.countDocuments({ ...ofCampaign, buyer_id })).toBe(count);
    }
    expect(buyer.accepted('/capped')).toHaveLength(100);
    expect(buyer.accepted('/rest')).toHaveLength(300);
    const counter = await bed.collections.caps.findOne({
      _id: `buyer:${account.campaignId}:${capped}`,
    });
    expect(counter).toMatchObject({ day: { count: 100 }, total: { count: 100 }, held: [] });
  });
});
