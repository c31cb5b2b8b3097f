/** The dependencies of activities on a test's database, with buyers that answer as the test says. */
import type { ScreeningDeps } from '../../src/distribution/screening.js';
import { createKeyring } from '../../src/platform/security/seal.js';
import { systemClock } from '../../src/lib/clock.js';
import type { OutboundHttp } from '../../src/platform/outbound/http.js';
import { createLog } from '../../src/lib/log.js';
import { createCapStore } from '../../src/routing/store/caps.js';
import { createClaimStore } from '../../src/leads/store/claims.js';
import { createDeliveryStore } from '../../src/deliveries/store/deliveries.js';
import { createDestinationStore } from '../../src/deliveries/store/destinations.js';
import { createEventStore } from '../../src/deliveries/store/destinationEvents.js';
import { createLeadStore } from '../../src/leads/store/leads.js';
import { createPlanStore } from '../../src/account/store/plans.js';
import { createSuppressionStore } from '../../src/account/store/suppressions.js';
import { createTurnStore } from '../../src/routing/store/turns.js';
import type { TestDatabase } from '../support/database.js';

export const SECRET = 'a secret of 32 characters, or some more';

export function screeningDeps(
  { collections }: Pick<TestDatabase, 'collections'>,
  send: OutboundHttp['send'],
): ScreeningDeps {
  const keyring = createKeyring(SECRET);
  return {
    collections,
    leads: createLeadStore(collections.leads),
    deliveries: createDeliveryStore(collections.deliveries),
    caps: createCapStore(collections.caps),
    claims: createClaimStore(collections),
    plans: createPlanStore(collections.plans),
    suppressions: createSuppressionStore(collections, keyring),
    destinations: createDestinationStore(collections.destinations),
    turns: createTurnStore(collections.turns),
    events: createEventStore(collections.events, collections.destinations),
    outbound: { send, close: () => Promise.resolve() },
    conversionWindows: { stored: () => undefined },
    mail: null,
    mailGate: null as never,
    sheets: null,
    sheetOwners: { mayWrite: () => Promise.resolve(true) },
    clock: systemClock,
    keyring,
    metrics: { countAttempt: () => undefined },
    log: createLog('silent', 'test'),
    wake: () => undefined,
  };
}
