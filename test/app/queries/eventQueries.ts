import { wakeLostAutomations } from '../../../src/automations/repair/automations.js';
import { relayOutbox } from '../../../src/automations/repair/relayOutbox.js';
import { createLog } from '../../../src/lib/log.js';
import { createAutomationStore } from '../../../src/automations/store/automations.js';
import { createEventDeliveryStore } from '../../../src/automations/store/eventDeliveries.js';
import { createSubscriptionStore } from '../../../src/events/store/subscriptions.js';
import { createDestinationStore } from '../../../src/deliveries/store/destinations.js';
import { after, NOW } from '../../support/storedRows.js';
import type { TestDatabase } from '../../support/database.js';
import type { Recorder } from './explain.js';
import { many } from './seed.js';

const clock = { now: () => NOW, monotonic: () => 0, random: () => 0.5 };

/** Queries of publishing and delivering events. */
export async function sendEvents(
  { during }: Pick<Recorder, 'during'>,
  collections: TestDatabase['collections'],
): Promise<void> {
  const subscriptions = createSubscriptionStore(collections.eventWants);
  await during('eventWants.read', () => subscriptions.read(['org-1', 'org-2']));
  const automations = createAutomationStore(collections.automations);
  await during('endpoints.listening', () =>
    automations.findSubscribed(['org-1'], ['lead.created']),
  );
  await during('endpoints.get', () => automations.get(many('automation')));
  await during('endpoints.failing', () => automations.recordFailing('automation-1', NOW));
  await during('endpoints.well', () => automations.recordRecovered('automation-1'));
  await during('endpoints.disable', () => automations.disable('automation-1', 'gone', NOW));
  await during('endpoints.told', () =>
    automations.clearOutbox('automation-79', 'evt_automation-79_1'),
  );
  const eventDeliveries = createEventDeliveryStore(collections.eventDeliveries);
  const leadIds = ['lead-1', 'lead-11', 'lead-21'];
  await during('eventDeliveries.due', () => eventDeliveries.due('automation-1', NOW, 100));
  await during('eventDeliveries.ofLeads', () => eventDeliveries.ofLeads('automation-1', leadIds));
  await during('eventDeliveries.take', () =>
    eventDeliveries.acquire([...many('waits'), ...many('later')], 'run', after(1), NOW),
  );
  await during('eventDeliveries.settle', () =>
    eventDeliveries.settle(
      'run',
      many('waits').map((_id) => ({ _id, kind: 'parked' as const })),
    ),
  );
  await during('eventDeliveries.makeDue', () => eventDeliveries.makeDue('automation-2', NOW));
  await during('eventDeliveries.putOff', () =>
    eventDeliveries.putOff(many('later').map((_id) => ({ _id, due_at: after(1) }))),
  );
  await during('eventDeliveries.follow', () =>
    eventDeliveries.releasePutOff('automation-1', leadIds, NOW),
  );
  await during('eventDeliveries.nextDue', () => eventDeliveries.nextDue('automation-3'));
  await during('eventDeliveries.waiting', () =>
    eventDeliveries.countWaiting('automation-3', 1_000),
  );
  await during('eventDeliveries.parkAll', () =>
    eventDeliveries.deadLetterAll('automation-4', 'gone'),
  );
  const deps = {
    collections,
    clock,
    automations,
    eventDeliveries,
    wakeAutomations: () => undefined,
    destinations: createDestinationStore(collections.destinations),
    log: createLog('silent', 'test'),
    starter: { renew: () => Promise.resolve(false) },
  };
  await during('wakeLostEndpoints', () => wakeLostAutomations(deps));
  await during('tellUntold', () => relayOutbox(deps));
}
