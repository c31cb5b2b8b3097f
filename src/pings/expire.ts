/** Pings expire, batch by batch, each with its events. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../lib/clock.js';
import type { PingCollections } from './store/collections.js';
import { createPingExpiryStore, type ExpiredPing } from './store/pingExpiry.js';
import type { OtherEvent } from '../events/store/eventDocs.js';

export interface ExpiryDeps {
  collections: PingCollections;
  clock: Clock;
  /** Tells of events that are stored; absent: nobody is told. */
  publishEvents?: (events: readonly OtherEvent[]) => Promise<void>;
  /** True once the process is stopping: no new batch is begun. */
  stopping(): boolean;
}

type RecordDeps = Pick<ExpiryDeps, 'collections' | 'clock' | 'publishEvents'>;

/**
 * Batch by batch, each with its events.
 * @param inTime whether another batch may be begun
 */
export async function expireUntil(
  until: Date,
  { collections, clock, publishEvents }: RecordDeps,
  inTime: () => boolean,
): Promise<{ told: ExpiredPing[]; isOver: boolean }> {
  const store = createPingExpiryStore(collections, publishEvents);
  const told: ExpiredPing[] = [];
  while (inTime()) {
    const found = await store.mark(until, clock.now(), randomUUID());
    if (found === 0) return { told, isOver: true };
    told.push(...(await publishExpired({ collections, clock, publishEvents })));
  }
  return { told, isOver: false };
}

/** Notifies of the events that a call has marked, or one before it. */
export async function publishExpired({
  collections,
  clock,
  publishEvents,
}: RecordDeps): Promise<ExpiredPing[]> {
  const store = createPingExpiryStore(collections, publishEvents);
  const told: ExpiredPing[] = [];
  for (;;) {
    const some = await store.tell(clock.now());
    if (some.length === 0) return told;
    told.push(...some);
  }
}
