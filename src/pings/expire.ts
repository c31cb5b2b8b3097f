/** Expires pings batch by batch, each batch with its events. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../lib/clock.js';
import type { EventCollections } from '../events/store/collections.js';
import type { PingCollections } from './store/collections.js';
import { createPingExpiryStore, type ExpiredPing } from './store/pingExpiry.js';
import type { OtherEvent } from '../events/store/eventDocs.js';

export interface ExpiryDeps {
  collections: Pick<EventCollections & PingCollections, 'events' | 'pings'>;
  clock: Clock;
  /** Publishes stored events; absent: none is published. */
  publishEvents?: (events: readonly OtherEvent[]) => Promise<void>;
}

/** The pings that expired, and whether none is left. */
type ExpiredPings = Promise<{ pings: ExpiredPing[]; isOver: boolean }>;

/**
 * Expires the pings that are due, after publishing those that an earlier call has only marked.
 * @param inTime whether another batch may be begun
 */
export async function expireDue(
  until: Date,
  deps: ExpiryDeps,
  inTime: () => boolean,
): ExpiredPings {
  const left = await publishExpired(deps);
  const { pings, isOver } = await expireUntil(until, deps, inTime);
  return { pings: [...left, ...pings], isOver };
}

export async function expireUntil(
  until: Date,
  deps: ExpiryDeps,
  inTime: () => boolean,
): ExpiredPings {
  const store = createPingExpiryStore(deps.collections, deps.publishEvents);
  const pings: ExpiredPing[] = [];
  while (inTime()) {
    const found = await store.mark(until, deps.clock.now(), randomUUID());
    if (found === 0) return { pings, isOver: true };
    pings.push(...(await publishExpired(deps)));
  }
  return { pings, isOver: false };
}

/**
 * Publishes the events of marked pings.
 * @param lateMs only of those that were marked this long ago, in milliseconds
 */
export async function publishExpired(
  { collections, clock, publishEvents }: ExpiryDeps,
  { lateMs = 0, inTime = (): boolean => true } = {},
): Promise<ExpiredPing[]> {
  const store = createPingExpiryStore(collections, publishEvents);
  const published: ExpiredPing[] = [];
  while (inTime()) {
    const some = await store.publishMarked(new Date(Number(clock.now()) - lateMs));
    if (some.length === 0) break;
    published.push(...some);
  }
  return published;
}
