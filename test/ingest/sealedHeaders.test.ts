/** Deliveries carry the buyer's own headers, in whatever form they are stored. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sealPlaintext } from '../../src/account/repair/plaintext.js';
import { updateBuyer } from '../../src/account/buyers/buyers.js';
import { systemClock } from '../../src/lib/clock.js';
import { createRepairStore } from '../../src/platform/mongo/repairs.js';
import { everythingIn } from '../support/everything.js';
import { storeAsBefore } from '../support/plainHeaders.js';
import { startTestbed, type Testbed } from '../support/testbed.js';
import { accountOf } from '../support/org.js';

const DAY_MS = 86_400_000;

describe('a delivery', () => {
  let testbed: Testbed;
  beforeAll(async () => {
    testbed = await startTestbed();
  });
  afterAll(() => testbed.stop());

  const repairAll = async () => {
    const { collections, keyring } = testbed;
    const failed = () => {
      throw new Error('a repair failed');
    };
    for (const days of [0, 2, 2, 2])
      await sealPlaintext({
        collections,
        keyring,
        stopping: () => false,
        log: { error: failed },
        repairs: createRepairStore(collections.buyers.db),
        clock: { ...systemClock, now: () => new Date(Date.now() + days * DAY_MS) },
      });
  };

  it('has the headers that an earlier release stored in plain text, and the same once they are sealed', async () => {
    const { collections, keyring } = testbed;
    const headers = { 'X-Key': 'canary' };
    const market = await testbed.market({ buyers: { only: { delivery: { headers } } } });
    const { orgId, buyers } = market.account;
    await storeAsBefore(collections, keyring);
    expect(await everythingIn(collections.buyers.db)).toContain('canary');
    expect((await market.post()).data?.status).toBe('ACCEPTED');
    await repairAll();
    expect(await everythingIn(collections.buyers.db)).not.toContain('canary');
    expect((await market.post()).data?.status).toBe('ACCEPTED');
    // A further version, which no process has in memory.
    await updateBuyer(accountOf({ collections, keyring }, orgId), buyers.only ?? '', {
      delivery: { timeout_ms: 4_000 },
    });
    expect((await market.post()).data?.status).toBe('ACCEPTED');
    expect(market.sentTo('only').map((one) => one.headers['x-key'])).toEqual([
      'canary',
      'canary',
      'canary',
    ]);
    expect(await everythingIn(collections.buyers.db)).not.toContain('canary');
  });
});
