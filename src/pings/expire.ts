/** Pings expire: one call of a minute's workflow. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../lib/clock.js';
import type { Collections } from '../platform/mongo/collections.js';
import { pingExpiryStore, type Untold } from './store/pingExpiry.js';
import type { OtherEvent } from '../automations/announce.js';
import type { Expired } from '../../workflows/messages.js';
import { beating } from '../../activities/beating.js';

export interface ExpiryDeps {
  collections: Collections;
  clock: Clock;
  /** Tells of events that are stored; absent: nobody is told. */
  announce?: (events: readonly OtherEvent[]) => Promise<void>;
  /** True once the process is stopping: no new batch is begun. */
  stopping(): boolean;
}

/** One call works so long at the most, then answers and is called again, in milliseconds. */
const CALL_MS = 20_000;
/** Ids that one search attribute has room for. */
const IDS_MOST = 48;

export function expiryActivities(deps: ExpiryDeps) {
  return {
    /** Has pings expire that are open then. Safe to repeat, side by side with itself, and to be cut off anywhere. */
    expirePings: ({ until }: { until: string }): Promise<Expired> =>
      beating(async () => {
        const endsAt = deps.clock.monotonic() + CALL_MS;
        const inTime = () => deps.clock.monotonic() < endsAt && !deps.stopping();
        // What a call before has marked and not told.
        const left = await tellAll(deps);
        const { told, isOver } = await expireUntil(new Date(until), deps, inTime);
        const all = [...left, ...told];
        return {
          expired: all.length,
          isOver,
          org_ids: firstOf(all.map(({ org_id }) => org_id)),
          campaign_ids: firstOf(all.map(({ campaign_id }) => campaign_id)),
        };
      }),
  };
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

async function tellAll({ collections, clock, announce }: RecordDeps): Promise<Untold[]> {
  const store = pingExpiryStore(collections, announce);
  const told: Untold[] = [];
  for (;;) {
    const some = await store.tell(clock.now());
    if (some.length === 0) return told;
    told.push(...some);
  }
}

const firstOf = (ids: readonly string[]): string[] => [...new Set(ids)].slice(0, IDS_MOST);
