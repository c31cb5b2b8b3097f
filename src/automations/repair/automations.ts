/** Automations with due events and no drain, and those that were disabled without a published event. */
import { finishDisabling, type AutomationHealthDeps } from '../recordAutomationHealth.js';
import { overdueBefore, wakeOverdue, type RenewDeps } from '../../deliveries/repair/stuckDrains.js';

export type AutomationRepairDeps = AutomationHealthDeps & RenewDeps;

const PER_RUN = 1_000;

/** Returns the number of automations. */
export async function wakeLostAutomations(deps: AutomationRepairDeps): Promise<number> {
  const before = overdueBefore(deps);
  const unpublished = await deps.automations.findUnpublished(before, PER_RUN);
  for (const { _id } of unpublished) await finishDisabling(_id, deps);
  const overdue = await deps.eventDeliveries.overdue(before);
  // A paused automation keeps its waiting events, and is left alone.
  const drains = (await deps.automations.get([...overdue.keys()]))
    .filter(({ status }) => status === 'active')
    .map(({ _id: id, org_id: orgId }) => ({ id, orgId, kind: 'endpoint' as const }));
  return unpublished.length + (await wakeOverdue(drains, deps.wakeAutomations, deps));
}
