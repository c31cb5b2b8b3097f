import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLog } from '../../src/lib/log.js';
import { systemClock } from '../../src/lib/clock.js';
import type { LeadStatus } from '../../src/leads/rules/leadStatus.js';
import { createAdmission } from '../../src/ingest/admission.js';
import { createDecisionPoller } from '../../src/ingest/decisionPoller.js';
import { createAccountCache } from '../../src/account/access/accountCache.js';
import type { IntakeItem, GroupResult } from '../../src/ingest/group.js';
import { createIntake } from '../../src/ingest/intake.js';
import { createResponseLog } from '../../src/ingest/responseLog.js';
import { createRateLimiter } from '../../src/platform/rateLimits/limiter.js';
import { createIdempotencyStore } from '../../src/ingest/store/idempotency.js';
import { createLeadStore } from '../../src/leads/store/leads.js';
import { createPlanStore } from '../../src/account/store/plans.js';
import { createAccount, type TestAccount } from '../support/account.js';
import { noPings } from '../support/pings.js';
import { startServiceBed, type ServiceBed } from '../support/service.js';
import { aPerson } from '../support/supplier.js';

/** Longer than the campaign's limit for an answer. */
const LATE_MS = 2_500;

describe('a verdict that arrives after the deadline of its request', () => {
  let bed: ServiceBed;
  let account: TestAccount;
  const limiters: { close(): void }[] = [];

  beforeAll(async () => {
    bed = await startServiceBed();
    account = await createAccount(bed, { buyers: {} });
  });
  afterAll(async () => {
    limiters.forEach((limiter) => limiter.close());
    await bed.stop();
  });

  /** The intake on real stores; groups return with this verdict, and the lead is stored in its final state. */
  const submit = async (
    verdict: 'UNMATCHED' | 'ACCEPTED',
    stored: LeadStatus,
    { key, promised }: { key?: string; promised: boolean },
  ) => {
    const { collections } = bed;
    const [clock, log] = [systemClock, createLog('silent', 'test')];
    const leads = createLeadStore(collections.leads);
    const accountCache = createAccountCache(
      collections,
      createPlanStore(collections.plans),
      systemClock,
    );
    const limiter = createRateLimiter({ rates: collections.rates });
    limiters.push(limiter);
    const intake = createIntake({
      accountCache,
      limiter,
      leads,
      clock,
      log,
      metrics: { countLead: () => undefined },
      admit: createAdmission(accountCache, clock, noPings),
      shownBuyer: ({ buyer_id }) => buyer_id,
      decisionPoller: createDecisionPoller({ leads, clock, log }),
      idempotency: createIdempotencyStore(collections.idempotency),
      responseLog: createResponseLog({ collections, clock, log }),
      groups: {
        async submit({ admitted: { lead } }: IntakeItem): Promise<GroupResult> {
          const buyer_id = stored === 'ACCEPTED' ? 'buyer' : null;
          const pending = promised ? { pending_at: new Date() } : {};
          await leads.insert([{ ...lead, status: stored, buyer_id, ...pending }]);
          return {
            kind: 'verdict',
            verdict: { id: lead._id, status: verdict, ...(buyer_id ? { buyer_id } : {}) },
          };
        },
        load: () => ({ waiting: 0, inFlight: 0 }),
        idle: () => Promise.resolve(),
      },
    });
    const [supplier] = account.suppliers;
    return intake.submit({
      key: supplier?.key,
      body: {
        flo_campaign_id: account.campaignId,
        flo_supplier_id: supplier?.id,
        ...aPerson(),
      },
      idempotencyKey: key,
      receivedAt: performance.now() - LATE_MS,
      closed: new AbortController().signal,
    });
  };

  it.each([
    ['UNMATCHED', 'EXPIRED'],
    ['ACCEPTED', 'ACCEPTED'],
  ] as const)(
    'keeps the pending answer that a request with the same key got (%s)',
    async (verdict, stored) => {
      const answer = await submit(verdict, stored, { key: `late-${verdict}`, promised: true });
      expect(answer).toMatchObject({ status: 201, data: { delivery: 'pending', buyer_id: null } });
    },
  );

  it('is returned unchanged when no request got a pending answer', async () => {
    const keyed = await submit('UNMATCHED', 'UNMATCHED', { key: 'late', promised: false });
    expect(keyed).toMatchObject({ status: 200, data: { status: 'UNMATCHED' } });
    const bare = await submit('ACCEPTED', 'ACCEPTED', { promised: false });
    expect(bare).toMatchObject({ status: 201, data: { delivery: 'delivered' } });
  });
});
