/**
 * Which automations report leads. A lead's data leave by an automation only in the name of a caller that may read
 * leads anyway (contract 8.2): a key that sets one up needs leads:read for it.
 */
import type { ClientSession } from 'mongodb';
import { isLeadEvent } from '../events/rules/events.js';
import { AppError } from '../lib/errors.js';
import type { AutomationDoc } from '../account/store/automationDocs.js';
import { SUBSCRIBED_FIELDS } from './automationSchema.js';
import type { AutomationCollections } from './store/collections.js';

type LeadDataSender = Pick<AutomationDoc, 'action' | 'trigger'>;

/**
 * Conditions reveal fields too, by whether a message is sent, so the content of the message makes no difference. A lead
 * that is redistributed goes only to buyers of the account, by the terms of their campaign.
 */
const sendsLeadData = ({ action, trigger }: LeadDataSender): boolean =>
  action !== 'REDISTRIBUTE' && isLeadEvent(trigger);

/** @throws {AppError} `forbidden` naming leads:read, where the automation needs it and the caller lacks it */
export function requireLeadsRead(
  mayReadLeads: boolean,
  ...automations: readonly LeadDataSender[]
): void {
  if (mayReadLeads || !automations.some(sendsLeadData)) return;
  throw lacking();
}

type Changes = { [K in (typeof SUBSCRIBED_FIELDS)[number]]?: unknown } & {
  trigger?: AutomationDoc['trigger'];
  status?: 'active' | 'paused';
};

/**
 * The same for a change of an automation that reports leads, before it or after it, or that has still to send events
 * of leads from the time when it did.
 * @throws {AppError} `forbidden` naming leads:read
 */
export async function requireLeadsReadToChange(
  {
    mayReadLeads,
    collections: { eventDeliveries },
  }: { mayReadLeads: boolean; collections: Pick<AutomationCollections, 'eventDeliveries'> },
  current: AutomationDoc,
  changes: Changes,
  session: ClientSession,
): Promise<void> {
  if (mayReadLeads) return;
  // A name, a new secret and a pause change neither what is reported nor to which receiver.
  const isReported =
    SUBSCRIBED_FIELDS.some((key) => changes[key] !== undefined) || changes.status === 'active';
  if (!isReported) return;
  const { action, trigger } = current;
  requireLeadsRead(false, current, { action, trigger: changes.trigger ?? trigger });
  const waiting = { state: 'waiting', automation_id: current._id } as const;
  const ofLead = { ...waiting, lead_id: { $type: 'string' } } as const;
  if (action !== 'REDISTRIBUTE' && (await eventDeliveries.findOne(ofLead, { session })))
    throw lacking();
}

const lacking = (): AppError =>
  new AppError(
    'forbidden',
    'An automation that sends data of leads needs the permission leads:read in addition to campaigns:write, and this ' +
      'key does not have it.',
    { required: 'leads:read' },
  );
