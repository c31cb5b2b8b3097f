/** Pings expire, batch by batch, each with its events. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../lib/clock.js';
import type { PingCollections } from './store/collections.js';
import { pingExpiryStore, type Untold } from './store/pingExpiry.js';
import type { OtherEvent } from '../events/store/eventDocs.js';

export interface ExpiryDeps {
  collections: PingCollections;
  clock: Clock;
  /** Tells of events that are stored; absent: nobody is told. */
  announce?: (events: readonly OtherEvent[]) => Promise<void>;
  /** True once the process is stopping: no new batch is begun. */
  stopping(): boolean;
}

type RecordDeps = Pick<ExpiryDeps, 'collections' | 'clock' | 'announce'>;

/**
 * Batch by batch, each with its events.
 * @param inTime whether another batch may be begun
 */
export async function expireUntil(
  until: Date,
  { collections, clock, announce }: RecordDeps,
  inTime: () => boolean,
): Promise<{ told: Untold[]; isOver: boolean }> {
  const store = pingExpiryStore(collections, announce);
  const told: Untold[] = [];
  while (inTime()) {
    const found = await store.mark(until, clock.now(), randomUUID());
    if (found === 0) return { told, isOver: true };
    told.push(...(await tellAll({ collections, clock, announce })));
  }
  return { told, isOver: false };
}

/** Notifies of the events that a call has marked, or one before it. */
export async function tellAll({ collections, clock, announce }: RecordDeps): Promise<Untold[]> {
  const store = pingExpiryStore(collections, announce);
  const told: Untold[] = [];
  for (;;) {
    const some = await store.tell(clock.now());
    if (some.length === 0) return told;
    told.push(...some);
  }
}
