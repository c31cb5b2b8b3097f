/** Changes of sold leads: making those that are asked for, and ending those that time ends. */
import type { ChangesInput, ChangesResult, Expired } from '../workflows/messages.js';
import type { ChangeDoc } from '../src/outcomes/store/outcomeDocs.js';
import { attributeIds, createTimeBudget } from './timeBudget.js';
import { withHeartbeat } from './withHeartbeat.js';
import { applyChanges, type ApplyChangesDeps } from '../src/outcomes/applyChanges.js';
import { expireUntil } from '../src/outcomes/expire.js';
import { settleUnsold, type SettleDeps } from '../src/outcomes/settleUnsold.js';

export interface OutcomeDeps extends ApplyChangesDeps, SettleDeps {
  /** True once the process is stopping: no new batch is begun. */
  stopping(): boolean;
}

export function createOutcomeActivities(deps: OutcomeDeps) {
  return {
    /** Makes a group of changes. Safe to repeat, side by side with itself, and to be cut off anywhere. */
    applyChanges: async ({ changes, settle }: ChangesInput): Promise<ChangesResult> => {
      const { unsold, left } = await applyChanges(changes, deps);
      if (unsold.length === 0 || !settle) return { open: [...left, ...unsold].map(nameOf) };
      const { again, refused } = await settleUnsold(unsold, deps);
      await deps.outcomes.forget(refused.map(({ _id }) => _id));
      const settled = await applyChanges(again.map(nameOf), deps);
      return { open: [...left, ...settled.left, ...settled.unsold].map(nameOf) };
    },
    /** Closes conversion windows that have ended by then. Safe as above. */
    expireOutcomes: ({ until }: { until: string }): Promise<Expired> =>
      withHeartbeat(async () => {
        const inTime = createTimeBudget(deps);
        const { leads, isOver } = await expireUntil(new Date(until), deps, inTime);
        return {
          expired: leads.length,
          isOver,
          org_ids: attributeIds(leads.map(({ org_id }) => org_id)),
          campaign_ids: attributeIds(leads.map(({ campaign_id }) => campaign_id)),
        };
      }),
  };
}

const nameOf = ({ _id: id, lead_id }: ChangeDoc) => ({ id, lead_id });
