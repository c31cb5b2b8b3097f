/** Queries that search for leftovers. */
import { reconcile, type ReconcileDeps } from '../../../src/app/reconcile.js';
import { sealPlaintext } from '../../../src/account/repair/plaintext.js';
import { hashEntries } from '../../../src/account/repair/suppressions.js';
import { keyring } from '../../account/values.js';
import { freeKeys } from '../../../src/ingest/repair/keys.js';
import { createCapStore } from '../../../src/routing/store/caps.js';
import { createEventStore } from '../../../src/deliveries/store/destinationEvents.js';
import { createAutomationStore } from '../../../src/automations/store/automations.js';
import { createEventDeliveryStore } from '../../../src/automations/store/eventDeliveries.js';
import { createDestinationStore } from '../../../src/deliveries/store/destinations.js';
import { createOutcomeStore } from '../../../src/outcomes/store/outcomes.js';
import { createSoldLeadStore } from '../../../src/leads/store/soldLeads.js';
import { createRepairStore } from '../../../src/platform/mongo/repairs.js';
import { createPlanStore } from '../../../src/account/store/plans.js';
import { createLog } from '../../../src/lib/log.js';
import { NOW } from '../../support/storedRows.js';
import type { TestDatabase } from '../../support/database.js';
import type { Recorder } from './explain.js';

const clock = { now: () => NOW, monotonic: () => 0, random: () => 0.5 };
const log = createLog('silent', 'test');

/** Sent separately, before the calls above change what there is to repair. */
export async function sendRepair(
  { during }: Recorder,
  { client, name, collections }: TestDatabase,
): Promise<void> {
  const deps: ReconcileDeps = {
    collections,
    keyring,
    clock,
    log,
    destinations: createDestinationStore(collections.destinations),
    events: createEventStore(collections.events, collections.destinations),
    automations: createAutomationStore(collections.automations),
    eventDeliveries: createEventDeliveryStore(collections.eventDeliveries),
    wakeAutomations: () => undefined,
    caps: createCapStore(collections.caps),
    outcomes: createOutcomeStore(collections.outcomes),
    soldLeads: createSoldLeadStore(collections.leads),
    plans: createPlanStore(collections.plans),
    outcomeStarter: { restart: () => Promise.resolve() },
    starter: {
      decide: () => Promise.resolve(null),
      startHere: () => Promise.resolve(),
      restart: () => Promise.resolve(),
      wake: () => Promise.resolve(),
      renew: () => Promise.resolve(false),
      command: () => Promise.resolve({ rows: 0, busy: 0, unknown: 0 }),
      schedule: () => Promise.resolve(),
    },
    wake: () => undefined,
    repairs: createRepairStore(client.db(name)),
    returns: { catchUp: () => Promise.resolve(0) },
    policy: { allowPrivate: false },
    stopping: () => false,
    metrics: { reconciled: { inc: () => undefined } },
  };
  await during('reconcile', () => reconcile(deps));
  const long = { seen_at: new Date(Number(NOW) - 2 * 86_400_000) };
  await collections.suppressionState.updateOne({ _id: 'hashing' }, { $set: long });
  await during('hashEntries', () =>
    hashEntries({
      collections,
      keyring,
      clock,
      log,
      stopping: () => false,
      repairs: createRepairStore(client.db(name)),
    }),
  );
  const repairs = createRepairStore(client.db(name));
  const later = { ...clock, now: () => new Date(Number(NOW) + 2 * 86_400_000) };
  const sealing = { collections, keyring, repairs, log, clock: later, stopping: () => false };
  await during('sealPlaintext', () => sealPlaintext(sealing));
  // MongoDB deletes expired keys by its own clock, so these are of the real time.
  const realClock = { ...clock, now: () => new Date() };
  await during('freeKeys', () => freeKeys({ collections, clock: realClock }));
}
