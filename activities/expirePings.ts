/** Pings expire: one call of a minute's workflow. */
import type { Expired } from '../workflows/messages.js';
import { expireUntil, publishExpired, type ExpiryDeps } from '../src/pings/expire.js';
import { withHeartbeat } from './withHeartbeat.js';

/** One call works so long at most, then answers and is called again, in milliseconds. */
const CALL_MS = 20_000;
/** Ids that one search attribute has room for. */
const IDS_MAX = 48;

export function createExpiryActivities(deps: ExpiryDeps) {
  return {
    /** Has pings expire that are open then. Safe to repeat, side by side with itself, and to be cut off anywhere. */
    expirePings: ({ until }: { until: string }): Promise<Expired> =>
      withHeartbeat(async () => {
        const endsAt = deps.clock.monotonic() + CALL_MS;
        const inTime = () => deps.clock.monotonic() < endsAt && !deps.stopping();
        // What a call before has marked and not told.
        const left = await publishExpired(deps);
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

const firstOf = (ids: readonly string[]): string[] => [...new Set(ids)].slice(0, IDS_MAX);
