/** Pings expire: one call of a minute's workflow. */
import type { Expired } from '../workflows/messages.js';
import { expireUntil, publishExpired, type ExpiryDeps } from '../src/pings/expire.js';
import { attributeIds, createTimeBudget } from './timeBudget.js';
import { withHeartbeat } from './withHeartbeat.js';

export function createExpiryActivities(deps: ExpiryDeps) {
  return {
    /** Has pings expire that are open then. Safe to repeat, side by side with itself, and to be cut off anywhere. */
    expirePings: ({ until }: { until: string }): Promise<Expired> =>
      withHeartbeat(async () => {
        const inTime = createTimeBudget(deps);
        // What a call before has marked and not told.
        const left = await publishExpired(deps);
        const { told, isOver } = await expireUntil(new Date(until), deps, inTime);
        const all = [...left, ...told];
        return {
          expired: all.length,
          isOver,
          org_ids: attributeIds(all.map(({ org_id }) => org_id)),
          campaign_ids: attributeIds(all.map(({ campaign_id }) => campaign_id)),
        };
      }),
  };
}
