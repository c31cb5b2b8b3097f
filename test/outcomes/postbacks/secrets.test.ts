/** A buyer's secrets and their rotation (contract 10.2). */
import { signingSecretPlace } from '../../../src/account/rules/sealedPlaces.js';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rotateSecret, type SecretKind } from '../../../src/account/buyers/rotateSecret.js';
import { after, NOW } from '../../support/storedRows.js';
import { latestPlan } from '../../support/plans.js';
import {
  startPostbackServers,
  type PostbackServers,
  type PostbackMarket,
} from './postbackServers.js';
import { accountOf } from '../../support/org.js';

const HOUR = 3_600_000;

describe('the webhook secret of a buyer', () => {
  let servers: PostbackServers;
  let market: PostbackMarket;
  let leadId: string;
  beforeAll(async () => {
    servers = await startPostbackServers();
  });
  afterAll(() => servers.stop());

  const setUp = async () => {
    servers.clock.at = NOW;
    market = await servers.market();
    leadId = (await market.sold({}))._id;
    return market.secret();
  };
  const rotate = async (overlapHours: number, kind: SecretKind = 'webhook') => {
    const { orgId, buyers } = market.account;
    const { collections, keyring } = servers;
    const account = accountOf({ collections, keyring, clock: { now: () => NOW } }, orgId);
    return (await rotateSecret(account, buyers.Acme ?? '', { kind, overlapHours })).secret;
  };
  /** The answers of both processes. */
  const statuses = (secret: string) =>
    Promise.all(
      [0, 1].map(async (n) => {
        const body = { lead_id: leadId, outcome: 'pending' };
        return (await servers.post(secret, body, n)).status;
      }),
    );

  it('is refused at once in every process when it was replaced without overlap', async () => {
    const old = await setUp();
    expect(await statuses(old)).toEqual([200, 200]);
    const fresh = await rotate(0);
    expect(await statuses(old)).toEqual([401, 401]);
    expect(await statuses(fresh)).toEqual([200, 200]);
  });

  it('is accepted in addition to the new one until the overlap ends', async () => {
    const old = await setUp();
    expect(await statuses(old)).toEqual([200, 200]);
    const fresh = await rotate(24);
    expect([await statuses(old), await statuses(fresh)]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    servers.clock.at = after(24 * HOUR - 1);
    expect(await statuses(old)).toEqual([200, 200]);
    servers.clock.at = after(24 * HOUR);
    expect([await statuses(old), await statuses(fresh)]).toEqual([
      [401, 401],
      [200, 200],
    ]);
  });

  it('is valid with at most one other', async () => {
    const first = await setUp();
    const second = await rotate(24);
    const third = await rotate(24);
    expect([await statuses(first), await statuses(second), await statuses(third)]).toEqual([
      [401, 401],
      [200, 200],
      [200, 200],
    ]);
  });

  it('is no longer valid when the buyer is deleted', async () => {
    const secret = await setUp();
    expect(await statuses(secret)).toEqual([200, 200]);
    await servers.collections.buyers.deleteOne({ _id: market.account.buyers.Acme ?? '' });
    await servers.collections.versions.updateOne(
      { _id: market.account.orgId },
      { $inc: { version: 1 } },
    );
    expect(await statuses(secret)).toEqual([401, 401]);
  });

  it('stays when the signing secret is replaced, which plans have at once', async () => {
    const secret = await setUp();
    const fresh = await rotate(24, 'signing');
    expect(await statuses(secret)).toEqual([200, 200]);
    const { campaignId } = market.account;
    const plan = await latestPlan(servers.collections, campaignId);
    const terms = plan.buyers.find(({ name }) => name === 'Acme');
    expect(
      terms && servers.keyring.open(terms.signing_secret, signingSecretPlace(terms.buyer_id)),
    ).toBe(fresh);
  });

  it('is not lost when two replace it at the same moment', async () => {
    await setUp();
    const fresh = await Promise.all([rotate(24), rotate(24)]);
    for (const secret of fresh) expect(await statuses(secret)).toEqual([200, 200]);
  });
});
