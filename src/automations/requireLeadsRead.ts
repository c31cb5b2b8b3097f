/**
 * Which automations tell somebody of leads. What is in a lead leaves by an automation only in the name of whoever may read
 * leads anyway (contract 8.2): a key that sets one up needs leads:read for it.
 */
import type { ClientSession } from 'mongodb';
import { isLeadEvent } from '../events/rules/events.js';
import { AppError } from '../lib/errors.js';
import type { AutomationDoc } from '../account/store/automationDocs.js';
import type { AutomationCollections } from './store/collections.js';

type LeadDataSender = Pick<AutomationDoc, 'action' | 'trigger'>;

/**
 * Conditions tell of fields too, by whether anything is told, so that what is told makes no difference. A lead that is
 * redistributed goes to buyers of the account, by the terms of their campaign, and nobody else is told.
 */
const sendsLeadData = ({ action, trigger }: LeadDataSender): boolean =>
  action !== 'REDISTRIBUTE' && isLeadEvent(trigger);

/** @throws {AppError} `forbidden` naming leads:read, where the automation needs it and the caller has it not */
export function requireLeadsRead(
  mayReadLeads: boolean,
  ...automations: readonly LeadDataSender[]
): void {
  if (mayReadLeads || !automations.some(sendsLeadData)) return;
  throw lacking();
}

/** Settings by which more is told, or somebody else. A name, a new secret and a pause are none. */
const LEAD_DATA_SETTINGS = ['trigger', 'target', 'campaign_id', 'conditions'] as const;

type Changes = { [K in (typeof LEAD_DATA_SETTINGS)[number]]?: unknown } & {
  trigger?: AutomationDoc['trigger'] | undefined;
  status?: 'active' | 'paused' | undefined;
};

/**
 * The same of a change: of an automation that tells of leads, before it or after it, or that has still to send what
 * happened to leads while it did.
 * @throws {AppError} `forbidden` naming leads:read
 */
export async function requireLeadsReadToChange(
  mayReadLeads: boolean,
  current: AutomationDoc,
  changes: Changes,
  { eventDeliveries }: Pick<AutomationCollections, 'eventDeliveries'>,
  session: ClientSession,
): Promise<void> {
  if (mayReadLeads) return;
  const isTold =
    LEAD_DATA_SETTINGS.some((key) => changes[key] !== undefined) || changes.status === 'active';
  if (!isTold) return;
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
