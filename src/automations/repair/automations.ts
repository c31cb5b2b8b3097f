/** Automations with due events and no drain, and those that were disabled without a published event. */
import type { AutomationDoc } from '../../account/store/automationDocs.js';
import { DELETED } from '../deleteAutomation.js';
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
  const known = await deps.automations.get([...overdue.keys()]);
  await dropLost([...overdue.keys()], known, deps);
  // A paused automation keeps its waiting events, and is left alone.
  const drains = known
    .filter(({ status }) => status === 'active')
    .map(({ _id: id, org_id: orgId }) => ({ id, orgId, kind: 'endpoint' as const }));
  return unpublished.length + (await wakeOverdue(drains, deps.wakeAutomations, deps));
}

/** Events that a process has added to an automation which it read before that was deleted, or did not end. */
async function dropLost(
  ids: readonly string[],
  known: readonly Pick<AutomationDoc, '_id'>[],
  { eventDeliveries }: Pick<AutomationRepairDeps, 'eventDeliveries'>,
): Promise<void> {
  const there = new Set(known.map(({ _id }) => _id));
  for (const id of ids.filter((one) => !there.has(one)))
    await eventDeliveries.deadLetterAll(id, DELETED);
}
