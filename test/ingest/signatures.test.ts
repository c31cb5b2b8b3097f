/** What a buyer verifies to know that a lead comes from here (contract 6.3; Standard Webhooks). */
import { signingSecretPlace } from '../../src/account/rules/sealedPlaces.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rotateSecret } from '../../src/account/buyers/rotateSecret.js';
import { signBody, signMessage } from '../../src/platform/security/signatures.js';
import { isVerified } from '../support/standardReceiver.js';
import { YES, type BuyerRequest } from '../support/fakeBuyer.js';
import { startTestbed, type Testbed } from '../support/testbed.js';
import { accountOf } from '../support/org.js';

describe('the signatures of a lead that is sent again', () => {
  let testbed: Testbed;
  beforeAll(async () => {
    testbed = await startTestbed();
  });
  afterAll(() => testbed.stop());

  const signingSecret = async (buyer_id: string): Promise<string> => {
    const buyer = await testbed.collections.buyers.findOne({ _id: buyer_id });
    return buyer ? testbed.keyring.open(buyer.signing_secret, signingSecretPlace(buyer._id)) : '';
  };

  /** A lead that is not accepted at first; its buyer gets a new secret before it is sent again. */
  const sentTwice = async (overlapHours: number) => {
    let isReady = false;
    const { account, post, sentTo } = await testbed.market({
      buyers: { only: { answer: () => (isReady ? YES : { status: 503 }) } },
    });
    const buyer_id = account.buyers.only ?? '';
    const old = await signingSecret(buyer_id);
    const answer = await post();
    const how = { kind: 'signing', overlapHours } as const;
    const { secret: fresh } = await rotateSecret(accountOf(testbed, account.orgId), buyer_id, how);
    isReady = true;
    await testbed.becomes(answer.data?.id, 'ACCEPTED');
    const [first, ...more] = sentTo('only');
    const last = more.at(-1);
    if (!first || !last) throw new Error('The lead was not sent twice');
    return { first, last, old, fresh, id: `${String(answer.data?.id)}:${buyer_id}` };
  };
  const signedBy = (secrets: string[], { headers, rawBody: body }: BuyerRequest): string =>
    signMessage(secrets, {
      id: String(headers['webhook-id']),
      timestamp: Number(headers['webhook-timestamp']),
      body,
    });

  it('have one id, the time of each request, and both secrets while both count', async () => {
    const { first, last, old, fresh, id } = await sentTwice(24);
    expect([first.headers['webhook-id'], last.headers['webhook-id']]).toEqual([id, id]);
    expect(first.headers['webhook-signature']).toBe(signedBy([old], first));
    expect(last.headers['webhook-signature']).toBe(signedBy([fresh, old], last));
    expect([isVerified(old, first), isVerified(fresh, last), isVerified(old, last)]).toEqual([
      true,
      true,
      true,
    ]);
    expect(last.headers['x-leaddistro-signature']).toBe(signBody(fresh, last.rawBody));
    const [before, later] = [first, last].map(({ headers }) =>
      Number(headers['webhook-timestamp']),
    );
    // It is parked for a second at least.
    expect(later).toBeGreaterThan(before ?? Infinity);
    expect(Math.abs(Number(later) - Date.now() / 1_000)).toBeLessThan(60);
  });

  it('have the new secret alone where it was replaced without overlap', async () => {
    const { last, old, fresh } = await sentTwice(0);
    expect(last.headers['webhook-signature']).toBe(signedBy([fresh], last));
    expect([isVerified(fresh, last), isVerified(old, last)]).toEqual([true, false]);
  });
});
