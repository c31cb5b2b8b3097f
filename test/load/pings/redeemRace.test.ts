import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestbed, type Testbed } from '../../support/testbed.js';
import { aPing, PING_KEY } from '../../support/pings.js';
import { supplierOf, tally } from '../../support/supplier.js';
import { waitFor } from '../../support/waitFor.js';

const POSTS = 2_000;

describe('one ping with many concurrent posts', () => {
  let testbed: Testbed;
  let urls: string[];
  beforeAll(async () => {
    const env = { PING_TOKEN_KEYS: PING_KEY };
    testbed = await startTestbed({ settings: env });
    urls = [testbed.url, (await testbed.start('api', env)).url];
  });
  afterAll(() => testbed.stop());

  it(`is redeemed by exactly one of ${POSTS} leads, at two APIs`, async () => {
    const { account, leads, sentTo } = await testbed.market({
      campaign: { routing_method: 'PING_POST' },
    });
    const { id, body } = await aPing(testbed, account, {
      bidders: { only: { price: 20, bid: 15 } },
    });
    const suppliers = urls.map((url) => supplierOf(url, account, 100));
    const answers = await Promise.all(
      Array.from({ length: POSTS }, async (_, n) => suppliers[n % 2]?.postUntilTaken(body)),
    );
    await Promise.all(suppliers.map((supplier) => supplier.close()));
    expect(tally(answers.map((answer) => answer?.status))).toEqual({ 201: 1, 400: POSTS - 1 });
    const codes = answers.flatMap((answer) => answer?.body.field_errors ?? []);
    expect(tally(codes.map((error) => (error as { code: string }).code))).toEqual({
      already_used: POSTS - 1,
    });
    // Leads that lost the ping at the last moment are deleted.
    await waitFor(async () => (await leads()).length === 1, { message: 'one lead is left' });
    const [lead] = await leads();
    const ping = await testbed.collections.pings.findOne({ _id: id });
    expect(ping).toMatchObject({ state: 'redeemed', lead_id: lead?._id });
    await testbed.becomes(lead?._id, 'ACCEPTED');
    expect(sentTo('only')).toHaveLength(1);
  });
});
