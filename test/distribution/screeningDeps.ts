/** What activities are made of, on a test's database, with buyers that answer as told. */
import type { ScreeningDeps } from '../../src/distribution/screening.js';
import { createKeyring } from '../../src/platform/security/seal.js';
import { systemClock } from '../../src/lib/clock.js';
import type { OutboundHttp } from '../../src/platform/outbound/http.js';
import { createLog } from '../../src/lib/log.js';
import { capStore } from '../../src/routing/store/caps.js';
import { claimStore } from '../../src/leads/store/claims.js';
import { deliveryStore } from '../../src/deliveries/store/deliveries.js';
import { destinationStore } from '../../src/deliveries/store/destinations.js';
import { eventStore } from '../../src/deliveries/store/destinationEvents.js';
import { leadStore } from '../../src/leads/store/leads.js';
import { planStore } from '../../src/account/store/plans.js';
import { suppressionStore } from '../../src/account/store/suppressions.js';
import { turnStore } from '../../src/routing/store/turns.js';
import type { TestDatabase } from '../support/database.js';

export const SECRET = 'a secret of 32 characters, or some more';

export function screeningDeps(
  { collections }: TestDatabase,
  send: OutboundHttp['send'],
): ScreeningDeps {
  const keyring = createKeyring(SECRET);
  return {
    leads: leadStore(collections.leads),
    deliveries: deliveryStore(collections.deliveries),
    caps: capStore(collections.caps),
    claims: claimStore(collections),
    plans: planStore(collections.plans),
    suppressions: suppressionStore(collections, keyring),
    destinations: destinationStore(collections.destinations),
    turns: turnStore(collections.turns),
    events: eventStore(collections.events, collections.destinations),
    outbound: { send, close: () => Promise.resolve() },
    outcomeWindows: { stored: () => undefined },
    ...{
      mail: null,
      mailGate: null as never,
      sheets: null,
      sheetOwners: { mayWrite: () => Promise.resolve(true) },
      clock: systemClock,
    },
    keyring,
    log: createLog('silent', 'test'),
    wake: () => undefined,
  };
}
