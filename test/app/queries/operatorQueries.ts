import { createCommandStore } from '../../../src/distribution/store/commands.js';
import { createDestinationStore } from '../../../src/deliveries/store/destinations.js';
import { createEventStore } from '../../../src/deliveries/store/destinationEvents.js';
import { listEvents } from '../../../src/api/operator/events.js';
import { createQueueStore } from '../../../src/deliveries/store/queue.js';
import { NOW } from '../../support/storedRows.js';
import type { TestDatabase } from '../../support/database.js';
import type { Recorder } from './explain.js';
import { many, rowIds } from './seed.js';

/** Queries of the drains, operators and the outbox about a buyer. */
export async function sendQueue(
  { during }: Pick<Recorder, 'during'>,
  collections: TestDatabase['collections'],
): Promise<void> {
  const destinations = createDestinationStore(collections.destinations);
  await during('destinations.get', () => destinations.get(many('buyer')));
  await during('destinations.wake', () => destinations.wake('buyer-1', 'org', NOW));
  await during('destinations.begin', () => destinations.begin('buyer-1', NOW));
  await during('destinations.pace', () => destinations.pace('buyer-1', NOW));
  await during('destinations.sleep', () => destinations.sleep('buyer-1'));
  const pause = { pauses: 1, open_until: null, retry_at: NOW };
  const failing = { orgId: 'org', failed: 5, pause, reason: 'http_503', now: NOW };
  await during('destinations.failed', () => destinations.failed('buyer-1', failing));
  await during('destinations.recovered', () => destinations.recovered('buyer-1', NOW));
  await during('destinations.recovered of pings', () =>
    destinations.recovered('buyer-1', NOW, 'ping'),
  );
  await during('destinations.hold', () => destinations.hold('buyer-1', 'org'));
  await during('destinations.ask', () => destinations.ask('buyer-1', 'waiting-1:1'));
  await during('destinations.clearAsked', () =>
    destinations.clearAsked('buyer-1', ['waiting-1:1']),
  );
  await during('destinations.release', () => destinations.release('buyer-1'));
  const queue = createQueueStore(collections.deliveries);
  await during('queue.among', () => queue.among(rowIds('waiting'), 'buyer-1', NOW));
  await during('queue.notDue', () => queue.notDue('buyer-2', NOW, 20));
  await during('queue.hold', () => queue.hold(rowIds('waiting')));
  await during('queue.makeDue', () => queue.makeDue(rowIds('waiting'), NOW));
  await during('queue.waiting', () => queue.waiting('buyer-2', NOW, [], 20));
  await during('queue.dropped', () => queue.dropped(rowIds('done')));
  await during('queue.counts', () => queue.counts('buyer-2'));
  for (const kind of ['parked', 'unknown', 'held', undefined] as const)
    await during(`queue.list, ${kind ?? 'all'}`, () => queue.list('buyer-2', kind, 50));
  const commands = createCommandStore(collections.commands);
  const command = { _id: 'command', org_id: 'org', buyer_id: 'buyer-1', lead_id: null, done: 0 };
  const asked = { ...command, action: 'drop' as const, at: new Date() };
  await during('commands.begin', () => commands.begin(asked));
  await during('commands.progress', () => commands.progress('command', 1, ['a:1']));
  await during('commands.finish', () =>
    commands.finish('command', { rows: 1, busy: 0, unknown: 0 }),
  );
  await during('destinations.recordCommand', () => destinations.recordCommand(asked));
  const events = createEventStore(collections.events, collections.destinations);
  await during('events.flush', () => events.flush('buyer-3'));
  await during('events.list', () => listEvents(collections, { limit: 20 }));
  await during('events.list, of one', () => listEvents(collections, { org: 'org-1', limit: 20 }));
}
