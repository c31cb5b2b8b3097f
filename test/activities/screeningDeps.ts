/** What activities are made of, on a test's database, with buyers that answer as told. */
import type { ScreeningDeps } from '../../activities/screening.js';
import { createKeyring } from '../../src/auth/seal.js';
import { systemClock } from '../../src/clock.js';
import type { OutboundHttp } from '../../src/integrations/http.js';
import { createLog } from '../../src/log.js';
import { capStore } from '../../src/store/caps.js';
import { claimStore } from '../../src/store/claims.js';
import { deliveryStore } from '../../src/store/deliveries.js';
import { destinationStore } from '../../src/store/destinations.js';
import { eventStore } from '../../src/store/events.js';
import { leadStore } from '../../src/store/leads.js';
import { planStore } from '../../src/store/plans.js';
import { suppressionStore } from '../../src/store/suppressions.js';
import { turnStore } from '../../src/store/turns.js';
import type { TestDatabase } from '../store/database.js';

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
