/**
 * One workflow for one lead, in its best shape: all steps run in one local activity, whose result answers the update that
 * started the workflow. The server writes one workflow task for a lead, and no activity task.
 */
import {
  allHandlersFinished,
  condition,
  defineUpdate,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow';
import type { Body, Outcome } from './way.js';

export interface LeadActivities {
  /** Takes the lead from its fields to its buyer. It may run again, and then continues from the stored state. */
  goItsWay(id: string, body: Body): Promise<Outcome>;
}

const { goItsWay } = proxyLocalActivities<LeadActivities>({ startToCloseTimeout: '10 seconds' });

export const outcome = defineUpdate<Outcome>('outcome');

export async function takeLead(id: string, body: Body): Promise<void> {
  const decided = goItsWay(id, body);
  setHandler(outcome, () => decided);
  await decided;
  await condition(allHandlersFinished);
}
