/** The webhook that notifies a supplier of leads that were answered `pending`, once they are decided. */
import { z } from 'zod';
import type { EventDeliveryDoc } from '../../../automations/store/automationDocs.js';
import { findEventDeliveries } from '../../../automations/store/eventPages.js';
import { createEventDeliveryStore } from '../../../automations/store/eventDeliveries.js';
import {
  findSupplierWebhook,
  noWebhook,
  removeSupplierWebhook,
  rotateSupplierWebhookSecret,
  setSupplierWebhook,
  type SupplierWebhookDoc,
  type WebhookOwner,
} from '../../../automations/supplierWebhook.js';
import { shownTarget } from '../../../automations/automationTarget.js';
import { readMessages } from '../../../automations/readMessages.js';
import { sendTestEvent } from '../../../automations/testEvent.js';
import { ACCESS, ADDRESS, LEADS } from '../../actions/exits.js';
import { stillAhead } from '../../actions/views.js';
import { definePartnerCall, type PartnerContext } from '../call.js';
import { orNull, Instant, NoInput, Done } from '../schemas/shared.js';
import { OverlapHours } from '../../../account/overlapSchema.js';

const SupplierWebhook = z.object({
  url: z.string(),
  /** Names as they are, values hidden. */
  headers: z.record(z.string(), z.string()),
  /** disabled: by the service, because nothing arrived for days. */
  status: z.enum(['active', 'paused', 'disabled']),
  disabled_reason: orNull(z.string()),
  /** Since when nothing has arrived; null while it is healthy. */
  failing_since: orNull(Instant),
  /** How many messages wait to be sent, counted up to 1,000. */
  waiting: z.number().int(),
  /** The previous secret signs too until then. */
  previous_secret_until: Instant.nullable(),
  created_at: Instant,
  /** Newest first, at most 20. */
  attempts: z.array(
    z.object({
      id: z.string(),
      lead_id: z.string().nullable(),
      at: Instant,
      state: z.enum(['waiting', 'delivered', 'parked']),
      attempts: z.number().int(),
      http_status: orNull(z.number().int()),
      reason: orNull(z.string()),
      next_at: Instant.nullable(),
    }),
  ),
  /** An example of a message. */
  example: z.looseObject({}),
});

const ATTEMPTS_SHOWN = 20;
const WAITING_COUNTED = 1_000;

const ownerOf = ({ org_id, party_id, party_name }: PartnerContext): WebhookOwner => ({
  org_id,
  supplier_id: party_id,
  name: party_name,
});

export const getWebhook = definePartnerCall({
  name: 'get_webhook',
  effect: 'read',
  input: NoInput,
  output: SupplierWebhook.nullable(),
  async run(_input, context) {
    const webhook = await findSupplierWebhook(context.collections, ownerOf(context));
    return webhook && webhookView(webhook, context);
  },
});

export const setWebhook = definePartnerCall({
  name: 'set_webhook',
  effect: 'write',
  letsOut: [ADDRESS],
  hides: ['headers'],
  guards: 'key_changed',
  input: z.strictObject({
    url: z.string().trim().min(1).max(2_000),
    /** Absent: as they are. A value of [hidden] keeps the stored one, at the same origin. */
    headers: z.record(z.string().min(1).max(100), z.string().max(2_000)).optional(),
    status: z.enum(['active', 'paused']).default('active'),
  }),
  output: z.object({
    webhook: SupplierWebhook,
    /** The secret that signs its messages, shown this once; null: it has one already. */
    secret: z.string().nullable(),
  }),
  async run(input, context) {
    const { webhook, secret } = await setSupplierWebhook(context, ownerOf(context), input);
    // Sends now what waited while it was paused or disabled.
    if (input.status === 'active') context.wakeEndpoints(idsOf(webhook), context.org_id);
    return { webhook: await webhookView(webhook, context), secret };
  },
});

export const rotateWebhookSecret = definePartnerCall({
  name: 'rotate_webhook_secret',
  effect: 'write',
  letsOut: [ACCESS],
  guards: 'key_changed',
  input: z.strictObject({ overlap_hours: OverlapHours }),
  output: z.object({ secret: z.string(), previous_until: orNull(Instant) }),
  async run({ overlap_hours }, context) {
    const owner = ownerOf(context);
    const made = await rotateSupplierWebhookSecret(context, owner, overlap_hours);
    return { secret: made.secret, previous_until: made.previousUntil };
  },
});

export const testWebhook = definePartnerCall({
  name: 'test_webhook',
  effect: 'write',
  letsOut: [LEADS],
  input: NoInput,
  output: z.object({
    ok: z.boolean(),
    http_status: orNull(z.number().int()),
    /** Why it did not arrive. */
    reason: z.string().nullable(),
    /** What was sent. */
    sent: z.looseObject({}),
  }),
  async run(_input, context) {
    const [first] = (await findSupplierWebhook(context.collections, ownerOf(context))) ?? [];
    if (!first) throw noWebhook();
    const made = await sendTestEvent(context, first);
    const shown = (await readMessages([made], first, context)).get(made._id);
    const ok = made.state === 'delivered';
    return {
      ok,
      http_status: made.http_status,
      reason: ok ? null : (made.reason ?? 'No answer came in 5 seconds.'),
      sent: shown && 'message' in shown ? { ...shown.message.envelope } : {},
    };
  },
});

export const removeWebhook = definePartnerCall({
  name: 'remove_webhook',
  effect: 'write',
  letsOut: [ACCESS],
  guards: 'key_changed',
  input: NoInput,
  output: Done,
  async run(_input, context) {
    await removeSupplierWebhook(context.collections, ownerOf(context));
    return { done: true as const };
  },
});

const idsOf = (webhook: readonly SupplierWebhookDoc[]): string[] => webhook.map(({ _id }) => _id);

/** Its two automations as one: the status is the worse of the two. */
async function webhookView(webhook: readonly SupplierWebhookDoc[], context: PartnerContext) {
  const [first] = webhook;
  if (!first) throw noWebhook();
  const { url = '', headers = {} } = shownTarget(first, context.keyring);
  const worst = webhook.find(({ status }) => status !== 'active') ?? first;
  const failing = webhook.flatMap(({ failing_since }) => failing_since ?? []);
  const { attempts, waiting } = await readAttempts(idsOf(webhook), context);
  const { previous_secret: previous } = first;
  return {
    url,
    headers,
    status: worst.status,
    disabled_reason: worst.disabled_reason,
    failing_since: failing.toSorted((a, b) => Number(a) - Number(b))[0],
    waiting,
    previous_secret_until: stillAhead(previous?.until, context.clock),
    created_at: first.created_at,
    attempts: attempts.map(attemptView),
    example: EXAMPLE,
  };
}

async function readAttempts(
  ids: readonly string[],
  { collections, org_id }: PartnerContext,
): Promise<{ attempts: EventDeliveryDoc[]; waiting: number }> {
  const { eventDeliveries } = collections;
  const store = createEventDeliveryStore(eventDeliveries);
  const [found, counts] = await Promise.all([
    Promise.all(
      ids.map((automation_id) =>
        findEventDeliveries(
          eventDeliveries,
          { org_id, automation_id },
          { after: null, limit: ATTEMPTS_SHOWN },
        ),
      ),
    ),
    Promise.all(ids.map((id) => store.countWaiting(id, WAITING_COUNTED))),
  ]);
  const attempts = found
    .flatMap(({ docs }) => docs)
    .sort((a, b) => Number(b.created_at) - Number(a.created_at))
    .slice(0, ATTEMPTS_SHOWN);
  const waiting = counts.reduce((sum, count) => sum + count, 0);
  return { attempts, waiting: Math.min(waiting, WAITING_COUNTED) };
}

const attemptView = (row: EventDeliveryDoc) => ({
  ...row,
  id: row._id,
  at: row.sent_at ?? row.created_at,
  next_at: row.state === 'waiting' ? row.due_at : null,
});

/** A lead that was bought; for one that no buyer bought the status is EXPIRED, and delivery is left out. */
const EXAMPLE = {
  id: 'evt_2d3f9a60-7a3d-4a53-9a51-0f2b6c9e7d10_2',
  type: 'lead.accepted',
  created_at: '2026-01-01T12:31:07.000Z',
  data: {
    id: '2d3f9a60-7a3d-4a53-9a51-0f2b6c9e7d10',
    status: 'ACCEPTED',
    buyer_id: '8a4e5d0c-2f4b-4a35-8f0e-0d6f3ad1c2b7',
    campaign_id: '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11',
    delivery: 'delivered',
    is_test: false,
    created_at: '2026-01-01T12:30:00.000Z',
  },
};
