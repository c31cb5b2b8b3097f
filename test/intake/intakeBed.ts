/** The intake on real stores, in front of a starter that decides as a test says; parts of the stores may fail. */
import { createLog } from '../../src/lib/log.js';
import { systemClock } from '../../src/lib/clock.js';
import { createAdmission, type Admit } from '../../src/ingest/admission.js';
import { createAnswers, type Answers } from '../../src/ingest/answers.js';
import { HANDED_OVER_BY_MS } from '../../src/ingest/deadlines.js';
import { createDirectory } from '../../src/account/access/directory.js';
import { createHandOver } from '../../src/ingest/handOver.js';
import { createIntake } from '../../src/ingest/intake.js';
import { createMarks } from '../../src/ingest/marks.js';
import type { IngestAnswer } from '../../src/ingest/types.js';
import { createRateLimiter } from '../../src/platform/rateLimits/limiter.js';
import { idempotencyStore, type IdempotencyStore } from '../../src/ingest/store/idempotency.js';
import { leadStore, type LeadStore } from '../../src/leads/store/leads.js';
import { pingRedemption } from '../../src/pings/store/pingRedemption.js';
import { planStore } from '../../src/account/store/plans.js';
import { createGroupCommit } from '../../src/lib/groupCommit.js';
import type { LeadStarter } from '../../src/distribution/starters.js';
import type { TestAccount } from '../support/account.js';
import { noPings } from '../support/pings.js';
import type { TestBed } from '../support/service.js';
import { aPerson } from '../support/supplier.js';

export interface IntakeBedOptions {
  decide: LeadStarter['decide'];
  leads?: Partial<LeadStore>;
  keys?: Partial<IdempotencyStore>;
  answers?: Partial<Answers>;
  /** Sees each lead that a request is admitted as, at once. */
  onAdmit?: () => Promise<void>;
}

export interface IntakeBed {
  submit: (
    key?: string,
    person?: Record<string, unknown>,
    closed?: AbortSignal,
  ) => Promise<IngestAnswer>;
  close: () => void;
}

export function intakeBed(
  { collections, keyring }: TestBed,
  account: TestAccount,
  { decide, onAdmit, ...failing }: IntakeBedOptions,
): IntakeBed {
  const [clock, log] = [systemClock, createLog('silent', 'test')];
  const directory = createDirectory(collections, planStore(collections.plans), systemClock);
  const limiter = createRateLimiter({ rates: collections.rates });
  const leads = { ...leadStore(collections.leads), ...failing.leads };
  const idempotency = { ...idempotencyStore(collections.idempotency), ...failing.keys };
  const admitted = createAdmission(directory, clock, noPings);
  const admit: Admit = async (...request) => {
    const made = await admitted(...request);
    await onAdmit?.();
    return made;
  };
  const answers = { ...createAnswers({ leads, clock, log }), ...failing.answers };
  const marks = createMarks({ collections, clock, log });
  const shared = { directory, admit, leads, idempotency, clock, log };
  const intake = createIntake({
    ...{ ...shared, limiter, shownBuyer: ({ buyer_id }) => buyer_id },
    ...{ answers, marks },
    groups: createGroupCommit({
      ...{ lanes: 4, groupMax: 128, queueMax: 1_000 },
      refuseAt: ({ receivedAt }) => receivedAt + HANDED_OVER_BY_MS,
      handOver: createHandOver({
        ...{ ...shared, keyring, marks, starter: { decide } },
        redemption: pingRedemption(collections),
      }),
    }),
  });
  const [supplier] = account.suppliers;
  return {
    submit: (key, person = aPerson(), closed = new AbortController().signal) =>
      intake.submit({
        key: supplier?.key,
        body: {
          flo_campaign_id: account.campaignId,
          flo_supplier_id: supplier?.id,
          ...person,
        },
        idempotencyKey: key,
        receivedAt: performance.now(),
        closed,
      }),
    close: () => limiter.close(),
  };
}
