/**
 * The activities that workflows call, each under the name in recorded histories. An activity reads its
 * arguments, maintains its heartbeat and time limit, and calls one function of a room.
 */
import { commandQueue, type CommandDeps } from '../src/distribution/commands/commandQueue.js';
import { drainAutomation, type AutomationDrainDeps } from '../src/automations/drainAutomation.js';
import { drainBuyer } from '../src/distribution/drainBuyer.js';
import type { BatchDeps } from '../src/distribution/drainBatch.js';
import { createFailovers } from '../src/distribution/failovers.js';
import { processLeads, type ProcessDeps } from '../src/distribution/processLeads.js';
import { tryChanges } from '../src/outcomes/applyChanges.js';
import { applyAndSettle, type SettleDeps } from '../src/outcomes/applyAndSettle.js';
import { expireWindows } from '../src/outcomes/expire.js';
import { expireDue, type ExpiryDeps } from '../src/pings/expire.js';
import type { Activities } from '../workflows/activities.js';
import type { Expired } from '../workflows/messages.js';
import { attributeIds, createTimeBudget } from './timeBudget.js';
import { withHeartbeat } from './withHeartbeat.js';

export type ActivityDeps = ProcessDeps &
  BatchDeps &
  CommandDeps &
  ExpiryDeps &
  AutomationDrainDeps &
  SettleDeps & {
    /** True once the process is stopping: no new batch is begun. */
    stopping(): boolean;
  };

/**
 * All but `reconcile`, which `src/app` adds with its list of repairs. Each may be repeated, run in parallel with itself, and be interrupted at any point.
 */
export function createActivities(deps: ActivityDeps) {
  const drainDeps = { ...deps, failovers: createFailovers() };
  return {
    processLeads: ({ leadIds }) => processLeads(leadIds, deps),
    applyChanges: ({ changes, settle }) =>
      settle ? applyAndSettle(changes, deps) : tryChanges(changes, deps),
    drainDestination: ({ buyerId }) =>
      withHeartbeat(() => drainBuyer(buyerId, createTimeBudget(deps), drainDeps)),
    drainEndpoint: ({ automationId }) =>
      withHeartbeat(() => drainAutomation(automationId, createTimeBudget(deps), deps)),
    commandQueue: (order) => withHeartbeat(() => commandQueue(order, deps)),
    expirePings: ({ until }) =>
      withHeartbeat(async () => {
        const { inTime } = createTimeBudget(deps);
        const { pings, isOver } = await expireDue(new Date(until), deps, inTime);
        return expired(pings, isOver);
      }),
    expireOutcomes: ({ until }) =>
      withHeartbeat(async () => {
        const { inTime } = createTimeBudget(deps);
        const { leads, isOver } = await expireWindows(new Date(until), deps, inTime);
        return expired(leads, isOver);
      }),
  } satisfies Omit<Activities, 'reconcile'>;
}

const expired = (
  all: readonly { org_id: string; campaign_id: string }[],
  isOver: boolean,
): Expired => ({
  expired: all.length,
  isOver,
  org_ids: attributeIds(all.map(({ org_id }) => org_id)),
  campaign_ids: attributeIds(all.map(({ campaign_id }) => campaign_id)),
});
