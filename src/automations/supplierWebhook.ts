/**
 * The webhook of a supplier: two automations of its organization, one for each way in which a lead that was answered
 * `pending` is decided. They share one address and one secret, and are changed together.
 */
import { automationSecretPlace } from '../account/rules/sealedPlaces.js';
import type { ClientSession } from 'mongodb';
import type { AutomationDoc } from '../account/store/automationDocs.js';
import { overlapEnd } from '../account/overlapSchema.js';
import { AppError } from '../lib/errors.js';
import { createSecret } from '../platform/security/keys.js';
import type { AutomationContext } from './automations.js';
import { CLEAN, resumedAt } from './store/automations.js';
import { checkTarget } from './automationTarget.js';
import type { AccountCollections } from '../account/store/collections.js';
import { withSubscriptions } from './subscriptions.js';

type Deps = Omit<AutomationContext, 'mayReadLeads' | 'orgId'>;

/** The supplier that owns the webhook. */
export interface WebhookOwner {
  org_id: string;
  supplier_id: string;
  /** Name of the supplier, for operators who see it among their automations. */
  name: string;
}

export interface WebhookInput {
  url: string;
  headers?: Record<string, string>;
  status: 'active' | 'paused';
}

/** Events that end a supplier's wait: a buyer bought the lead, or none did. */
const DECISIONS = ['lead.accepted', 'lead.expired'] as const;
type Decision = (typeof DECISIONS)[number];

/** One of the two automations. */
export type SupplierWebhookDoc = Extract<AutomationDoc, { action: 'WEBHOOK' }>;

/** One per supplier and trigger, however many are created at once. */
const idOf = (supplierId: string, trigger: Decision): string =>
  `${supplierId}-${trigger.replace('.', '-')}`;

/** @returns both of its automations; null where none is set up */
export async function findSupplierWebhook(
  { automations }: Pick<AccountCollections, 'automations'>,
  { org_id, supplier_id }: Pick<WebhookOwner, 'org_id' | 'supplier_id'>,
  session?: ClientSession,
): Promise<SupplierWebhookDoc[] | null> {
  const _id = { $in: DECISIONS.map((trigger) => idOf(supplier_id, trigger)) };
  const found = await automations
    .find({ _id, org_id, supplier_id }, { session })
    .sort({ _id: 1 })
    .toArray();
  const webhook = found.filter((one): one is SupplierWebhookDoc => one.action === 'WEBHOOK');
  return webhook.length === 0 ? null : webhook;
}

/**
 * Sets it up, or changes its address. A disabled webhook that is made active again starts without its failures.
 * @returns its secret where this call has created it: it is returned this once
 * @throws {AppError} `validation_failed` for an address or headers that this installation does not allow
 */
export function setSupplierWebhook(
  deps: Deps,
  owner: WebhookOwner,
  { url, headers, status }: WebhookInput,
): Promise<{ webhook: SupplierWebhookDoc[]; secret: string | null }> {
  const { collections, keyring, clock } = deps;
  const { org_id, supplier_id } = owner;
  return withSubscriptions(collections, org_id, async (session) => {
    const current = (await findSupplierWebhook(collections, owner, session)) ?? [];
    const isNew = current.length === 0;
    const secret = createSecret();
    const resumed_at = resumedAt(current, status, clock.now());
    for (const trigger of DECISIONS) {
      const _id = idOf(supplier_id, trigger);
      const before = current.find((one) => one._id === _id);
      const place = { orgId: org_id, automation_id: _id, campaign_id: null, trigger };
      const given = { url, headers };
      const { target } = await checkTarget('WEBHOOK', given, { ...deps, ...place }, before);
      const first = {
        action: 'WEBHOOK' as const,
        supplier_id,
        name: nameOf(owner, trigger),
        trigger,
        campaign_id: null,
        conditions: null,
        secret: keyring.seal(secret, automationSecretPlace(_id)),
        created_at: clock.now(),
      };
      await collections.automations.updateOne(
        { _id, org_id },
        {
          $set: { target, status, resumed_at },
          $unset: status === 'active' ? CLEAN : {},
          $setOnInsert: first,
        },
        { session, upsert: isNew },
      );
    }
    const webhook = await findSupplierWebhook(collections, owner, session);
    return { webhook: webhook ?? [], secret: isNew ? secret : null };
  });
}

/** Unique among the organization's names, whatever its suppliers are called. */
const nameOf = ({ name, supplier_id }: WebhookOwner, trigger: Decision): string =>
  `Webhook of ${name} (${supplier_id.slice(0, 8)}): ${trigger}`;

/**
 * Creates a new secret; the previous one signs too until the overlap ends.
 * @param overlapHours 0 to 168
 * @throws {AppError} `not_found` where there is no webhook
 */
export function rotateSupplierWebhookSecret(
  { collections, keyring, clock }: Pick<Deps, 'collections' | 'keyring' | 'clock'>,
  owner: Pick<WebhookOwner, 'org_id' | 'supplier_id'>,
  overlapHours: number,
): Promise<{ secret: string; previousUntil: Date | null }> {
  const now = clock.now();
  const previousUntil = overlapEnd(overlapHours, now);
  const secret = createSecret();
  return withSubscriptions(collections, owner.org_id, async (session) => {
    const current = await findSupplierWebhook(collections, owner, session);
    if (!current) throw noWebhook();
    for (const { _id, secret: before } of current)
      await collections.automations.updateOne(
        { _id },
        {
          $set: {
            secret: keyring.seal(secret, automationSecretPlace(_id)),
            previous_secret: { secret: before, until: previousUntil ?? now },
          },
        },
        { session },
      );
    return { secret, previousUntil };
  });
}

/** Nothing is sent any longer, and waiting events are deleted. Repeating it changes nothing. */
export async function removeSupplierWebhook(
  { automations, eventDeliveries, eventWants }: AutomationContext['collections'],
  { org_id, supplier_id }: Pick<WebhookOwner, 'org_id' | 'supplier_id'>,
): Promise<void> {
  const ids = DECISIONS.map((trigger) => idOf(supplier_id, trigger));
  await withSubscriptions({ automations, eventWants }, org_id, (session) =>
    automations.deleteMany({ _id: { $in: ids }, org_id, supplier_id }, { session }),
  );
  await eventDeliveries.deleteMany({ state: 'waiting', automation_id: { $in: ids } });
}

export const noWebhook = (): AppError =>
  new AppError('not_found', 'There is no webhook. Set its address first.');
