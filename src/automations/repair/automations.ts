/** Automations with due events and no drain, and those that were disabled without a published event. */
import { unavailableUntil } from '../../deliveries/rules/breaker.js';
import type { AutomationHealthDeps } from '../recordAutomationHealth.js';
import { finishDisabling } from '../recordAutomationHealth.js';
import { renewStuck, type RenewDeps } from '../../deliveries/repair/stuckDrains.js';

export type AutomationRepairDeps = AutomationHealthDeps & RenewDeps;

/** A drain that has been due for this long, in milliseconds, and has not begun is lost. */
const OVERDUE_MS = 60_000;
const PER_RUN = 1_000;

/** Returns the number of automations. */
export async function wakeLostAutomations(deps: AutomationRepairDeps): Promise<number> {
  const before = new Date(Number(deps.clock.now()) - OVERDUE_MS);
  const untold = await deps.automations.findUnpublished(before, PER_RUN);
  for (const { _id } of untold) await finishDisabling(_id, deps);
  return untold.length + (await wakeOverdue(before, deps));
}

/** A paused automation keeps its waiting events, and is left alone. */
async function wakeOverdue(before: Date, deps: AutomationRepairDeps): Promise<number> {
  const overdue = await deps.eventDeliveries.overdue(before);
  if (overdue.size === 0) return 0;
  const ids = [...overdue.keys()].slice(0, PER_RUN);
  const [automations, known] = await Promise.all([
    deps.automations.get(ids),
    deps.destinations.get(ids),
  ]);
  const lost = automations.filter(({ _id, status }) => {
    const doc = known.get(_id);
    const rests = unavailableUntil(doc);
    const seen = Number(doc?.last_drain_at ?? 0);
    return status === 'active' && rests < Number(before) && seen < Number(before);
  });
  for (const { _id, org_id } of lost) {
    const drain = { id: _id, orgId: org_id, kind: 'endpoint' as const };
    if (await renewStuck(drain, known.get(_id), deps)) continue;
    // The process that set `awake` is gone: without this no process would win the right to wake it.
    await deps.destinations.sleep(_id);
    deps.wakeAutomations([_id], org_id);
  }
  return lost.length;
}
