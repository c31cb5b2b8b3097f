/** Deleting an automation, and what waits for it. */
import type { AutomationDoc } from '../account/store/automationDocs.js';
import { AppError } from '../lib/errors.js';
import { findAutomation, type AutomationContext } from './automations.js';
import { createEventDeliveryStore } from './store/eventDeliveries.js';
import { withSubscriptions } from './subscriptions.js';

/** Why an event that waited for a deleted automation is not sent. */
export const DELETED = 'The automation was deleted';

/**
 * Deletes an automation. What waits for it is dead-lettered, and sent nowhere; `reconcile` does the same with what a
 * process that has read it before still adds.
 * @returns how many events waited
 * @throws {AppError} `not_found`; `action_refused` for the webhook that a supplier has set up in its portal
 */
export async function deleteAutomation(
  context: Pick<AutomationContext, 'collections' | 'orgId'>,
  automationId: string,
): Promise<number> {
  const { collections, orgId } = context;
  await withSubscriptions(collections, orgId, async (session) => {
    await requireDeletable(context, await findAutomation(context, automationId, session));
    await collections.automations.deleteOne({ _id: automationId, org_id: orgId }, { session });
  });
  const waiting = createEventDeliveryStore(collections.eventDeliveries);
  return waiting.deadLetterAll(automationId, DELETED);
}

/** The webhook of a supplier ends in its portal, and after the supplier itself here. */
export async function requireDeletable(
  { collections, orgId }: Pick<AutomationContext, 'collections' | 'orgId'>,
  { supplier_id }: Pick<AutomationDoc, 'supplier_id'>,
): Promise<void> {
  if (supplier_id === undefined) return;
  const supplier = await collections.suppliers.findOne({ _id: supplier_id, org_id: orgId });
  if (!supplier) return;
  const text = `It is the webhook that supplier ${supplier.name} has set up in its portal. Pause it here`;
  throw new AppError('action_refused', `${text} (update_automation); the supplier removes it.`);
}
