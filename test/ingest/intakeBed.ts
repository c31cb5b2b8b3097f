/** The intake on real stores, with a decider that decides as the test says; parts of the stores may fail. */
import { createLog } from '../../src/lib/log.js';
import { systemClock } from '../../src/lib/clock.js';
import { createAdmission, type Admit } from '../../src/ingest/admission.js';
import { createDecisionPoller, type DecisionPoller } from '../../src/ingest/decisionPoller.js';
import { GROUPED_BY_MS } from '../../src/ingest/deadlines.js';
import { createAccountCache } from '../../src/account/access/accountCache.js';
import { createGroupCommitter } from '../../src/ingest/commitGroup.js';
import { createIntake } from '../../src/ingest/intake.js';
import { createPingClaims } from '../../src/ingest/pingClaim.js';
import { createResponseLog } from '../../src/ingest/responseLog.js';
import type { IngestAnswer } from '../../src/ingest/types.js';
import { createRateLimiter, type RateLimiter } from '../../src/platform/rateLimits/limiter.js';
import {
  createIdempotencyStore,
  type IdempotencyStore,
} from '../../src/ingest/store/idempotency.js';
import { createLeadStore, type LeadStore } from '../../src/leads/store/leads.js';
import { createPingRedemption } from '../../src/pings/store/pingRedemption.js';
import { createPlanStore } from '../../src/account/store/plans.js';
import { createGroupCommit } from '../../src/lib/groupCommit.js';
import { createRemoteDecider } from '../../src/distribution/decideElsewhere.js';
import { createLocalDecider, type DecideHereDeps } from '../../src/distribution/decideHere.js';
import type { LeadStarter } from '../../src/distribution/starters.js';
import type { FunnelOrigin } from '../../src/leads/rules/origin.js';
import type { TestAccount } from '../support/account.js';
import { screeningDeps } from '../distribution/screeningDeps.js';
import { tokensOf } from '../support/pings.js';
import type { ServiceBed } from '../support/service.js';
import { aPerson } from '../support/supplier.js';

export interface IntakeBedOptions {
  /** Decides leads as another process does, when they are stored. */
  decide?: LeadStarter['decide'];
  /** Instead of that, leads are decided here; their workflow is started as this says. */
  here?: Partial<Pick<DecideHereDeps, 'localRuns'>> & DecideHereDeps['starter'];
  leads?: Partial<LeadStore>;
  keys?: Partial<IdempotencyStore>;
  decisionPoller?: Partial<DecisionPoller>;
  limiter?: Partial<RateLimiter>;
  /** Called at once for each lead that a request is admitted as. */
  onAdmit?: () => Promise<void>;
}

export interface IntakeBed {
  submit: (
    key?: string,
    person?: Record<string, unknown>,
    closed?: AbortSignal,
    origin?: FunnelOrigin,
    /** How long it has been on its way already, in milliseconds. */
    agoMs?: number,
  ) => Promise<IngestAnswer>;
  close: () => void;
}

const notToBeCalled = () => Promise.reject(new Error('It must not come to this.'));

export function intakeBed(
  { collections, keyring }: ServiceBed,
  account: TestAccount,
  { decide = notToBeCalled, here, onAdmit, ...failing }: IntakeBedOptions,
): IntakeBed {
  const [clock, log] = [systemClock, createLog('silent', 'test')];
  const accountCache = createAccountCache(
    collections,
    createPlanStore(collections.plans),
    systemClock,
  );
  const limiter = { ...createRateLimiter({ rates: collections.rates }), ...failing.limiter };
  const leads = { ...createLeadStore(collections.leads), ...failing.leads };
  const idempotency = { ...createIdempotencyStore(collections.idempotency), ...failing.keys };
  const admitted = createAdmission(
    accountCache,
    clock,
    createPingClaims({ tokens: tokensOf(), clock }),
  );
  const admit: Admit = async (...request) => {
    const made = await admitted(...request);
    await onAdmit?.();
    return made;
  };
  const answers = { ...createDecisionPoller({ leads, clock, log }), ...failing.decisionPoller };
  const responseLog = createResponseLog({ collections, clock, log });
  const shared = { accountCache, admit, leads, idempotency, clock, log };
  const deciding = {
    ...screeningDeps({ collections }, () => Promise.reject(new Error('No buyer is asked here.'))),
    ...shared,
    softLimitMs: 2_000,
    background: { add: () => undefined },
    localRuns: here?.localRuns ?? { expect: () => undefined },
    starter: { decide, startHere: here?.startHere ?? notToBeCalled },
  };
  const intake = createIntake({
    ...shared,
    limiter,
    metrics: { countLead: () => undefined },
    shownBuyer: ({ buyer_id }) => buyer_id,
    decisionPoller: answers,
    responseLog,
    groups: createGroupCommit({
      maxInFlight: 4,
      groupMax: 128,
      queueMax: 1_000,
      refuseAt: ({ receivedAt }) => receivedAt + GROUPED_BY_MS,
      commit: createGroupCommitter({
        ...shared,
        keyring,
        responseLog,
        decider: here ? createLocalDecider(deciding) : createRemoteDecider(deciding),
        redemption: createPingRedemption(collections),
      }),
    }),
  });
  const [supplier] = account.suppliers;
  return {
    submit: (key, person = aPerson(), closed = new AbortController().signal, origin, agoMs = 0) =>
      intake.submit({
        ...(origin && { origin }),
        key: supplier?.key,
        body: {
          flo_campaign_id: account.campaignId,
          flo_supplier_id: supplier?.id,
          ...person,
        },
        idempotencyKey: key,
        receivedAt: performance.now() - agoMs,
        closed,
      }),
    close: () => limiter.close(),
  };
}
