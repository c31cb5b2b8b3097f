import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hashKey } from '../../src/platform/security/keys.js';
import { systemClock } from '../../src/lib/clock.js';
import { requireSupplier } from '../../src/account/access/requirePartner.js';
import { createAdmission } from '../../src/ingest/admission.js';
import { STORED_BY_MS } from '../../src/ingest/deadlines.js';
import { createAccountCache } from '../../src/account/access/accountCache.js';
import { createGroupCommitter } from '../../src/ingest/commitGroup.js';
import { createResponseLog } from '../../src/ingest/responseLog.js';
import { createLog } from '../../src/lib/log.js';
import { createIdempotencyStore } from '../../src/ingest/store/idempotency.js';
import { createLeadStore } from '../../src/leads/store/leads.js';
import { createPingRedemption } from '../../src/pings/store/pingRedemption.js';
import { createPlanStore } from '../../src/account/store/plans.js';
import { createAccount, type TestAccount } from '../support/account.js';
import { startServiceBed, type ServiceBed } from '../support/service.js';
import { noPings } from '../support/pings.js';
import { aPerson } from '../support/supplier.js';
import { waitFor } from '../support/waitFor.js';

/** The rest of the time for storing, and how much longer claiming takes, in milliseconds. */
const LEFT_MS = 100;
const TOO_LONG_MS = 300;

describe('an idempotency key that is claimed too late', () => {
  let bed: ServiceBed;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await startServiceBed();
    account = await createAccount(bed, { buyers: {} });
  });
  afterAll(() => bed.stop());

  it('is free again without a repair, and nothing is stored', async () => {
    const { collections } = bed;
    const [clock, log] = [systemClock, createLog('silent', 'test')];
    const accountCache = createAccountCache(
      collections,
      createPlanStore(collections.plans),
      systemClock,
    );
    const admit = createAdmission(accountCache, clock, noPings);
    const keys = createIdempotencyStore(collections.idempotency);
    let claimed = false;
    const commitGroup = createGroupCommitter({
      accountCache,
      admit,
      clock,
      log,
      leads: createLeadStore(collections.leads),
      redemption: createPingRedemption(collections),
      responseLog: createResponseLog({ collections, clock, log }),
      keyring: bed.keyring,
      idempotency: {
        ...keys,
        async claim(rows) {
          const earlier = await keys.claim(rows);
          await delay(TOO_LONG_MS);
          claimed = (await collections.idempotency.countDocuments()) === 1;
          return earlier;
        },
      },
      decider: {
        async accept(group) {
          await group.check(false);
          throw new Error('It must not come to this.');
        },
      },
    });
    const [supplier] = account.suppliers;
    const keyHash = hashKey(supplier?.key ?? '');
    const access = await requireSupplier(keyHash, accountCache);
    const ids = { flo_campaign_id: account.campaignId, flo_supplier_id: supplier?.id };
    const body = { ...ids, ...aPerson() };
    const admitted = await admit(access, body);
    const row = { _id: `${access.supplier_id}:${randomUUID()}`, body_hash: 'hash' };
    const receivedAt = clock.monotonic() - STORED_BY_MS + LEFT_MS;
    const idempotency = { row, claimed: false };

    await expect(
      commitGroup([{ admitted, access, keyHash, body, receivedAt, idempotency }]),
    ).rejects.toMatchObject({ code: 'unavailable' });
    await waitFor(async () => claimed && (await collections.idempotency.countDocuments()) === 0, {
      message: 'the key is free',
    });
    expect(await collections.leads.countDocuments()).toBe(0);
  });
});
