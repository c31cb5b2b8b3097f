/** Automations: which target is notified of an event, or what the service does about it. */
import { automationSecretPlace } from '../account/rules/sealedPlaces.js';
import { randomUUID } from 'node:crypto';
import type { ClientSession } from 'mongodb';
import { createSecret } from '../platform/security/keys.js';
import { isLeadEvent, type EventType } from '../events/rules/events.js';
import type { FilterGroup } from '../fields/filters.js';
import { AppError } from '../lib/errors.js';
import type { AutomationDoc } from '../account/store/automationDocs.js';
import type { EventCollections } from '../events/store/collections.js';
import type { AccountCollections } from '../account/store/collections.js';
import type { AutomationCollections } from './store/collections.js';
import type { AccountContext } from '../account/context.js';
import { findCampaign } from '../account/campaigns/campaigns.js';
import { definedOnly, pickDefined } from '../lib/defined.js';
import { SUBSCRIBED_FIELDS, type AutomationAction, type TargetInput } from './automationSchema.js';
import { overlapEnd } from '../account/overlapSchema.js';
import { checkTarget, fieldsOf } from './automationTarget.js';
import { claimNamedSheet, keepRecipients } from '../account/buyers/delivery/storedSettings.js';
import { checkFilterInput } from '../account/campaigns/targeting.js';
import { requireLeadsRead, requireLeadsReadToChange } from './requireLeadsRead.js';
import { CLEAN, resumedAt } from './store/automations.js';
import { withSubscriptions } from './subscriptions.js';
import { checkName, invalidValue, refuseTakenName } from '../account/values.js';

export interface AutomationInput {
  /** Null or absent: a name is made from its trigger and action. */
  name?: string | null;
  trigger: EventType;
  action: AutomationAction;
  target: TargetInput;
  /** Null or absent: every campaign. */
  campaign_id?: string | null;
  conditions?: unknown;
  status?: 'active' | 'paused';
}

export interface AutomationChanges extends Partial<Omit<AutomationInput, 'action' | 'name'>> {
  name?: string;
  rotate_secret?: boolean;
  /** Hours for which the previous secret signs too; 0 to 168. */
  overlap_hours?: number;
}

/** What the functions of automations work with, and pick what they need of. */
export interface AutomationContext extends Omit<AccountContext, 'author'> {
  collections: AccountCollections & EventCollections & AutomationCollections;
  /** Whether the caller may read leads: an automation that reports leads requires it. */
  mayReadLeads: boolean;
}

/** An automation, and its secret where this call has created one for people: it is returned this once. */
export interface SavedAutomation {
  automation: AutomationDoc;
  secret: string | null;
}

/**
 * @throws {AppError} `forbidden` where it reports leads and the caller may not read them, `validation_failed` for a bad
 * value or a taken name, `not_found` for an unknown campaign
 */
export async function createAutomation(
  context: AutomationContext,
  input: AutomationInput,
): Promise<SavedAutomation> {
  const { collections, orgId, keyring, clock } = context;
  requireLeadsRead(context.mayReadLeads, input);
  const { trigger, campaign_id = null } = input;
  const secret = createSecret();
  const _id = randomUUID();
  const place = { automation_id: _id, campaign_id, trigger };
  const automation: AutomationDoc = {
    _id,
    org_id: orgId,
    name: input.name == null ? nameOf(_id, input) : checkName(input.name),
    trigger,
    campaign_id,
    conditions: await checkConditions(context, { ...input, campaign_id }),
    ...(await checkTarget(input.action, input.target, { ...context, ...place })),
    secret: keyring.seal(secret, automationSecretPlace(_id)),
    status: input.status ?? 'active',
    created_at: clock.now(),
  };
  checkMeaning(automation);
  await claimNamedSheet({ collections, orgId }, automation.target, 'target');
  await refuseTakenName('automation', automation.name, () =>
    withSubscriptions(collections, orgId, (session) =>
      collections.automations.insertOne(automation, { session }),
    ),
  );
  return { automation, secret: isSigned(automation) ? secret : null };
}

/** The name of an unnamed automation: unique in the organization, however many are created at once. */
const nameOf = (id: string, { trigger, action }: AutomationInput): string =>
  `${trigger} ${action} ${id.slice(0, 8)}`;

/** Requests to webhooks are signed; messages of other actions are not. */
const isSigned = ({ action }: Pick<AutomationDoc, 'action'>): boolean => action === 'WEBHOOK';

/**
 * Sets what is given and leaves the rest, however many callers change it at once. A disabled automation that is made
 * active again starts without its failures.
 * @throws {AppError} `not_found`, `forbidden` as `createAutomation`, or `validation_failed` for a bad value or a taken name
 */
export function updateAutomation(
  context: AutomationContext,
  automationId: string,
  changes: AutomationChanges,
): Promise<SavedAutomation> {
  const { collections, orgId, clock } = context;
  return refuseTakenName('automation', changes.name ?? '', () =>
    withSubscriptions(collections, orgId, async (session) => {
      const current = await findAutomation(context, automationId, session);
      requireOwn(current, changes);
      await requireLeadsReadToChange(context, current, changes, session);
      const rotated = rotateSecret(current, changes, context);
      const set = {
        ...(await checkChanges(current, changes, context)),
        ...rotated?.set,
        resumed_at: resumedAt([current], changes.status, clock.now()),
      };
      const automation = await collections.automations.findOneAndUpdate(
        { _id: automationId, org_id: orgId },
        { $set: set, $unset: changes.status === 'active' ? CLEAN : {} },
        { returnDocument: 'after', session },
      );
      if (!automation) throw unknown(automationId);
      return { automation, secret: rotated?.secret ?? null };
    }),
  );
}

/** A supplier's automation belongs to the supplier: its address, and the secret that the supplier checks. */
function requireOwn({ supplier_id }: AutomationDoc, changes: AutomationChanges): void {
  const touched = SUPPLIERS_OWN.filter((key) => changes[key] !== undefined);
  if (supplier_id === undefined || touched.length === 0) return;
  throw new AppError(
    'action_refused',
    `It is the webhook of supplier ${supplier_id}, which sets it up in its portal: only its name and status can be ` +
      `changed here, not ${touched.join(', ')}.`,
  );
}

async function checkChanges(
  current: AutomationDoc,
  changes: AutomationChanges,
  context: AutomationContext,
): Promise<Partial<AutomationDoc>> {
  const { action } = current;
  const given = definedOnly(changes);
  const { trigger, campaign_id, conditions } = { ...current, ...given };
  const plain = {
    ...pickDefined(changes, ['status']),
    name: changes.name === undefined ? undefined : checkName(changes.name),
  };
  // Its target may name a field that was removed, or need a setting that was: it can be paused all the same.
  if (SUBSCRIBED_FIELDS.every((key) => given[key] === undefined)) return plain;
  const place = { automation_id: current._id, campaign_id, trigger };
  const input = action === 'GOOGLE_SHEET' ? columnsFor(trigger, current, changes) : changes.target;
  const { target } = await checkTarget(action, input ?? {}, { ...context, ...place }, current);
  const set = {
    ...plain,
    trigger,
    campaign_id,
    target,
    conditions: await checkConditions(context, { trigger, conditions, campaign_id }),
  };
  checkMeaning({ action, trigger, campaign_id });
  await keepRecipients(context, current.target);
  if (changes.target) await claimNamedSheet(context, target, 'target');
  // The target is that of its action, which does not change.
  return set as Partial<AutomationDoc>;
}

const SUPPLIERS_OWN = [...SUBSCRIBED_FIELDS, 'rotate_secret'] as const;

/** An event of another kind has other values: where no columns are named, they are all values of the event. */
const columnsFor = (
  trigger: EventType,
  current: Pick<AutomationDoc, 'trigger'>,
  { target }: AutomationChanges,
): TargetInput | undefined =>
  trigger === current.trigger ? target : { columns: null, ...definedOnly(target ?? {}) };

/** A new secret, and what is stored of it; null where none is requested. */
function rotateSecret(
  current: AutomationDoc,
  { rotate_secret: isAsked, overlap_hours: overlap }: AutomationChanges,
  { keyring, clock }: Pick<AutomationContext, 'keyring' | 'clock'>,
): { secret: string; set: Pick<AutomationDoc, 'secret' | 'previous_secret'> } | null {
  if (isAsked !== true) {
    if (overlap === undefined) return null;
    const message = 'overlap_hours is only allowed with rotate_secret: true.';
    throw invalidValue('overlap_hours', 'not_allowed', message);
  }
  if (!isSigned(current)) {
    const message = `rotate_secret is not allowed for ${current.action}, which is not signed.`;
    throw invalidValue('rotate_secret', 'not_allowed', message);
  }
  const now = clock.now();
  // Null stands for the default, too.
  const until = overlapEnd(overlap ?? undefined, now) ?? now;
  const secret = createSecret();
  const sealed = keyring.seal(secret, automationSecretPlace(current._id));
  return { secret, set: { secret: sealed, previous_secret: { secret: current.secret, until } } };
}

type Owned = Pick<AutomationContext, 'orgId'> & {
  collections: Pick<AccountCollections, 'automations'>;
};

/** @throws {AppError} `not_found` when the organization has no such automation */
export async function findAutomation(
  { collections, orgId }: Owned,
  automationId: string,
  session?: ClientSession,
): Promise<AutomationDoc> {
  const named = { _id: automationId, org_id: orgId };
  const found = await collections.automations.findOne(named, { session });
  if (found) return found;
  throw unknown(automationId);
}

/** Maximum shown with a campaign. */
const SHOWN_MAX = 100;

/**
 * By campaign, the automations that concern it, oldest first: its own, and those of every campaign. At most 100 of each
 * campaign, out of the first 100 for each of them together.
 */
export async function listAutomations(
  { automations }: Pick<AccountCollections, 'automations'>,
  org_id: string,
  campaignIds: readonly string[],
): Promise<Map<string, AutomationDoc[]>> {
  const found = await automations
    .find({ org_id, campaign_id: { $in: [...campaignIds, null] } })
    .sort({ created_at: 1, _id: 1 })
    .limit(SHOWN_MAX * campaignIds.length)
    .toArray();
  return new Map(
    campaignIds.map((id) => [
      id,
      found.filter((one) => (one.campaign_id ?? id) === id).slice(0, SHOWN_MAX),
    ]),
  );
}

const unknown = (automationId: string): AppError =>
  new AppError('not_found', `There is no automation ${automationId.slice(0, 100)}.`);

/** Conditions in their normal form: on the fields of its campaign, or of any campaign. */
async function checkConditions(
  { collections, orgId }: Pick<AutomationContext, 'collections' | 'orgId'>,
  {
    trigger,
    conditions,
    campaign_id,
  }: Pick<AutomationInput, 'trigger' | 'conditions'> & Pick<AutomationDoc, 'campaign_id'>,
): Promise<FilterGroup | null> {
  if (campaign_id !== null) await findCampaign({ collections, orgId }, campaign_id);
  if (conditions === undefined || conditions === null) return null;
  if (!isLeadEvent(trigger)) {
    const message = `conditions need the fields of a lead; ${trigger} has no lead.`;
    throw invalidValue('conditions', 'not_allowed', message);
  }
  const fields = await fieldsOf({ collections, orgId }, campaign_id);
  return checkFilterInput(conditions, fields, 'conditions');
}

/** A lead that no buyer has bought may be redistributed; other events have no lead to redistribute. */
const REDISTRIBUTED: readonly EventType[] = [
  'lead.unmatched',
  'lead.rejected',
  'lead.expired',
  'lead.returned',
];

/** Beginnings of the events about a buyer as such. */
const OF_BUYERS = ['buyer.', 'queue.'] as const;

function checkMeaning({
  action,
  trigger,
  campaign_id,
}: Pick<AutomationDoc, 'action' | 'trigger' | 'campaign_id'>): void {
  if (action === 'REDISTRIBUTE' && !REDISTRIBUTED.includes(trigger)) {
    const message = `REDISTRIBUTE needs a trigger that leaves a lead without a buyer: ${REDISTRIBUTED.join(', ')}.`;
    throw invalidValue('trigger', 'not_allowed', message);
  }
  if (campaign_id !== null && OF_BUYERS.some((prefix) => trigger.startsWith(prefix))) {
    const message = `${trigger} applies to a buyer in all its campaigns; leave campaign_id out.`;
    throw invalidValue('campaign_id', 'not_allowed', message);
  }
}
