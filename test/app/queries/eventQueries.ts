import { wakeLostEndpoints } from '../../../src/automations/repair/endpoints.js';
import { tellUntold } from '../../../src/automations/repair/untold.js';
import { createLog } from '../../../src/lib/log.js';
import { endpointStore } from '../../../src/automations/store/endpoints.js';
import { eventDeliveryStore } from '../../../src/automations/store/eventDeliveries.js';
import { eventWants } from '../../../src/events/store/eventWants.js';
import { destinationStore } from '../../../src/deliveries/store/destinations.js';
import { after, NOW } from '../../support/storedRows.js';
import type { TestDatabase } from '../../support/database.js';
import type { Recorder } from './explain.js';
import { many } from './seed.js';

const clock = { now: () => NOW, monotonic: () => 0, random: () => 0.5 };

/** What those who tell of events send. */
export async function sendEvents(
  { during }: Pick<Recorder, 'during'>,
  collections: TestDatabase['collections'],
): Promise<void> {
  const wants = eventWants(collections.eventWants);
  await during('eventWants.read', () => wants.read(['org-1', 'org-2']));
  await during('eventWants.read, all', () => wants.read());
  const endpoints = endpointStore(collections.automations);
  await during('endpoints.listening', () => endpoints.listening(['org-1'], ['lead.created']));
  await during('endpoints.get', () => endpoints.get(many('automation')));
  await during('endpoints.failing', () => endpoints.failing('automation-1', NOW));
  await during('endpoints.well', () => endpoints.well('automation-1'));
  await during('endpoints.disable', () => endpoints.disable('automation-1', 'gone', NOW));
  await during('endpoints.told', () => endpoints.told('automation-79', 'evt_automation-79_1'));
  const eventDeliveries = eventDeliveryStore(collections.eventDeliveries);
  const leadIds = ['lead-1', 'lead-11', 'lead-21'];
  await during('eventDeliveries.due', () => eventDeliveries.due('automation-1', NOW, 100));
  await during('eventDeliveries.ofLeads', () => eventDeliveries.ofLeads('automation-1', leadIds));
  await during('eventDeliveries.take', () =>
    eventDeliveries.take([...many('waits'), ...many('later')], 'run', after(1), NOW),
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
    eventDeliveries.follow('automation-1', leadIds, NOW),
  );
  await during('eventDeliveries.nextDue', () => eventDeliveries.nextDue('automation-3'));
  await during('eventDeliveries.waiting', () => eventDeliveries.waiting('automation-3', 1_000));
  await during('eventDeliveries.parkAll', () => eventDeliveries.parkAll('automation-4', 'gone'));
  const deps = {
    ...{ collections, clock, endpoints, eventDeliveries, wakeEndpoints: () => undefined },
    destinations: destinationStore(collections.destinations),
    ...{ log: createLog('silent', 'test'), starter: { renew: () => Promise.resolve(false) } },
  };
  await during('wakeLostEndpoints', () => wakeLostEndpoints(deps));
  await during('tellUntold', () => tellUntold(deps));
}
