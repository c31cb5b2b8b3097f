/**
 * Decides past leads as the service would have at their time: by its own code, on a clock that shows that time, with buyers
 * that are functions. Nothing is sent, and no workflow is started.
 */
import type { ActionCollections as Collections } from '../../api/actions/action.js';
import { createAccountCache } from '../../account/access/accountCache.js';
import { createMailRecipientStore } from '../../account/store/mailRecipients.js';
import { createPlanStore } from '../../account/store/plans.js';
import { createSheetOwners } from '../../account/store/spreadsheets.js';
import { createSuppressionStore } from '../../account/store/suppressions.js';
import { createMailGate } from '../../deliveries/recipients/gate.js';
import { createDeliveryStore } from '../../deliveries/store/deliveries.js';
import { createEventStore } from '../../deliveries/store/destinationEvents.js';
import { createDestinationStore } from '../../deliveries/store/destinations.js';
import { processLeads, type ProcessDeps } from '../../distribution/processLeads.js';
import { createAdmission } from '../../ingest/admission.js';
import { NO_PING } from '../../ingest/pingClaim.js';
import type { Lead } from '../../leads/rules/lead.js';
import { createClaimStore } from '../../leads/store/claims.js';
import { createLeadStore } from '../../leads/store/leads.js';
import { createBackground } from '../../lib/background.js';
import type { Clock } from '../../lib/clock.js';
import { createLog } from '../../lib/log.js';
import type { OutboundRequest } from '../../platform/outbound/http.js';
import type { TransportReply } from '../../platform/outbound/reply.js';
import type { Keyring } from '../../platform/security/seal.js';
import { createCapStore } from '../../routing/store/caps.js';
import { createTurnStore } from '../../routing/store/turns.js';

/** Answers a delivery in the place of its buyer. */
export type AnswerAsBuyer = (request: OutboundRequest, at: Date) => TransportReply;

export interface PastLead {
  id: string;
  at: Date;
  supplierId: string;
  /** With the ids of campaign and supplier. */
  body: Record<string, unknown>;
}

/** How long a stored lead may wait for its run, which begins at once. */
const TAKEN_WITHIN_MS = 60_000;
/** Longer than any answer of a function takes. */
const SOFT_LIMIT_MS = 60_000;

export interface Past {
  /**
   * One at a time: all of it happens at the time of the lead.
   * @throws {AppError} when the campaign would have refused the request of its supplier
   */
  decide(lead: PastLead): Promise<void>;
}

export function createPast(
  { collections, keyring }: { collections: Collections; keyring: Keyring },
  orgId: string,
  answer: AnswerAsBuyer,
): Past {
  let at = new Date();
  const clock: Clock = { now: () => at, monotonic: () => performance.now(), random: () => 0 };
  const plans = createPlanStore(collections.plans);
  const admit = createAdmission(createAccountCache(collections, plans, clock), clock, () =>
    Promise.resolve(NO_PING),
  );
  const deps = depsOf({ collections, keyring, clock, plans, answer });
  return {
    async decide({ id, supplierId, body, at: then }) {
      at = then;
      const access = { org_id: orgId, supplier_id: supplierId, ...NO_LIMITS, version: 0 };
      const admitted = await admit(access, body);
      const take_by = new Date(Date.now() + TAKEN_WITHIN_MS);
      const lead: Lead = { ...admitted.lead, _id: id, seed: id, take_by };
      await deps.leads.insert([lead]);
      await processLeads([id], deps);
    },
  };
}

/** Requests are not counted: the leads of a past day came then. */
const RATE = { per_second: 1, burst_per_second: 1, burst_seconds: 1 };
const NO_LIMITS = { rate_limit: RATE, ping_rate_limit: RATE };

interface Parts {
  collections: Collections;
  keyring: Keyring;
  clock: Clock;
  plans: ProcessDeps['plans'];
  answer: AnswerAsBuyer;
}

function depsOf({ collections, keyring, clock, plans, answer }: Parts): ProcessDeps {
  return {
    collections,
    keyring,
    clock,
    plans,
    log: createLog('silent', 'seed'),
    outbound: {
      send: (request) => Promise.resolve(answer(request, clock.now())),
      close: () => Promise.resolve(),
    },
    mail: null,
    mailGate: createMailGate({
      recipients: createMailRecipientStore(collections.mailRecipients),
      rates: collections.rates,
      allowedDomains: [],
      perDay: 1,
      onLimit: () => undefined,
    }),
    sheets: null,
    sheetOwners: createSheetOwners(collections),
    leads: createLeadStore(collections.leads),
    deliveries: createDeliveryStore(collections.deliveries),
    caps: createCapStore(collections.caps),
    destinations: createDestinationStore(collections.destinations),
    events: createEventStore(collections.events, collections.destinations),
    turns: createTurnStore(collections.turns),
    claims: createClaimStore(collections),
    suppressions: createSuppressionStore(collections, keyring),
    conversionWindows: { stored: () => undefined },
    // These leads are of the past: the counters of this process's metrics do not have them.
    metrics: { countAttempt: () => undefined },
    // What waits is found by the service's next repair.
    wake: () => undefined,
    softLimitMs: SOFT_LIMIT_MS,
    background: createBackground(),
  };
}
