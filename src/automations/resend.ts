/** Sends events again at a caller's request. */
import type { AnyBulkWriteOperation } from 'mongodb';
import type { AccountContext } from '../account/context.js';
import { AppError } from '../lib/errors.js';
import type { EventDeliveryDoc } from './store/automationDocs.js';
import type { EventCollections } from '../events/store/collections.js';
import type { AccountCollections } from '../account/store/collections.js';
import type { LeadCollections } from '../leads/store/collections.js';
import type { AutomationCollections } from './store/collections.js';
import { insertNew } from '../platform/mongo/insertNew.js';
import type { EventDoc } from '../events/store/eventDocs.js';
import { giveUpAt } from './store/eventDeliveries.js';
import { newEventDelivery } from './fanOut.js';
import { AWAITED_FIELDS, isForSupplier } from './supplierData.js';

export interface ResendOrder {
  event_id?: string;
  automation_id?: string;
  /** ISO 8601; with `automation_id`. */
  since?: string;
  include_delivered?: boolean;
}

export interface Resent {
  resent: number;
  automation_ids: string[];
  /** Where the next call continues, if one call could not resend all. Null: that was all. */
  next_since: Date | null;
}

export interface ResendContext extends Pick<AccountContext, 'orgId' | 'clock'> {
  collections: Pick<
    EventCollections & AccountCollections & LeadCollections & AutomationCollections,
    'events' | 'automations' | 'leads' | 'eventDeliveries'
  >;
  wakeEndpoints: (automationIds: readonly string[], orgId: string) => void;
}

/** Read and written by one command. */
const BATCH_SIZE = 1_000;
/** Maximum resent by one call. */
const RESENT_MAX = 20_000;

/**
 * Waiting deliveries become due at once; others wait again, with the full time for attempts. A delivery that is being
 * sent at this moment is left alone.
 * @throws {AppError} `not_found` for an event that is not kept; `action_refused` for one that the supplier whose webhook
 * is named may not see
 */
export async function resendEvents(
  context: ResendContext,
  { event_id, automation_id, since, include_delivered }: ResendOrder,
): Promise<Resent> {
  const resent =
    event_id === undefined
      ? await resendSince(context, automation_id ?? '', new Date(since ?? 0), include_delivered)
      : await resendOne(context, event_id, automation_id, include_delivered);
  if (resent.automation_ids.length > 0) context.wakeEndpoints(resent.automation_ids, context.orgId);
  return resent;
}

async function resendOne(
  context: ResendContext,
  event_id: string,
  automation_id: string | undefined,
  withDelivered = true,
): Promise<Resent> {
  const { collections, orgId, clock } = context;
  const event = await collections.events.findOne({ _id: event_id, org_id: orgId });
  if (!event) {
    const text = `There is no event ${event_id.slice(0, 120)}, or it has been deleted`;
    throw new AppError('not_found', `${text}: events are kept for 30 days.`);
  }
  if (automation_id !== undefined) await makeDelivery(context, event, automation_id);
  const found = await collections.eventDeliveries
    .find({ event_id, automation_id })
    .limit(BATCH_SIZE)
    .toArray();
  const wanted = found.filter(isWanted(withDelivered, clock.now()));
  await sendAgain(context, wanted);
  return { ...summary(wanted), next_since: null };
}

/**
 * An automation that was created later, or has another trigger, may be sent an event all the same; the webhook of a
 * supplier only what it waits for.
 */
async function makeDelivery(
  { collections, clock }: ResendContext,
  event: EventDoc,
  automationId: string,
): Promise<void> {
  await requireAllowed(collections, event, automationId);
  const placed = { ...event, ...placeOf(event) };
  await insertNew(collections.eventDeliveries, [
    newEventDelivery(placed, automationId, clock.now()),
  ]);
}

async function requireAllowed(
  { automations, leads }: ResendContext['collections'],
  event: EventDoc,
  automationId: string,
): Promise<void> {
  const automation = await automations.findOne({ _id: automationId, org_id: event.org_id });
  if (automation?.supplier_id === undefined) return;
  const { supplier_id, trigger } = automation;
  const { lead_id } = placeOf(event);
  const lead =
    lead_id === null ? null : await leads.findOne({ _id: lead_id }, { projection: AWAITED_FIELDS });
  if (isForSupplier({ supplier_id, trigger }, event, lead)) return;
  throw new AppError(
    'action_refused',
    `Automation ${automationId} is the webhook of a supplier, which may be sent only ${trigger} of its own leads that ` +
      `were answered pending; event ${event._id} is none. Leave automation_id out, or name another automation.`,
  );
}

/** Its position among the events of its lead; an event of a made-up lead, or of none, has none. */
const placeOf = ({ data }: EventDoc) =>
  'lead_id' in data && !data.lead
    ? { lead_id: data.lead_id, ord: data.n }
    : { lead_id: null, ord: 0 };

async function resendSince(
  context: ResendContext,
  automation_id: string,
  since: Date,
  withDelivered = false,
): Promise<Resent> {
  const states = (['waiting', 'parked', 'delivered'] as const).filter(
    (state) => withDelivered || state !== 'delivered',
  );
  const done: EventDeliveryDoc[] = [];
  let [from, looked] = [since, 0];
  for (;;) {
    const found = await context.collections.eventDeliveries
      .find({ automation_id, state: { $in: [...states] }, created_at: { $gte: from } })
      .sort({ created_at: 1 })
      .limit(BATCH_SIZE + 1)
      .toArray();
    const batch = found.slice(0, BATCH_SIZE);
    const wanted = batch.filter(isWanted(withDelivered, context.clock.now()));
    await sendAgain(context, wanted);
    done.push(...wanted);
    looked += batch.length;
    const next = found[BATCH_SIZE];
    if (!next) return { ...summary(done), next_since: null };
    // Where a whole batch is of one moment, the next one begins after it, or the call would never get past it.
    from = next.created_at > from ? next.created_at : new Date(Number(from) + 1);
    if (looked >= RESENT_MAX) return { ...summary(done), next_since: from };
  }
}

const isWanted =
  (withDelivered: boolean, now: Date) =>
  (delivery: EventDeliveryDoc): boolean =>
    (withDelivered || delivery.state !== 'delivered') && !isBeingSent(delivery, now);

/** A run has acquired it, and its time is not over. */
const isBeingSent = ({ state, run, due_at }: EventDeliveryDoc, now: Date): boolean =>
  state === 'waiting' && run !== undefined && due_at > now;

const summary = (deliveries: readonly EventDeliveryDoc[]) => ({
  resent: new Set(deliveries.map(({ _id }) => _id)).size,
  automation_ids: [...new Set(deliveries.map(({ automation_id }) => automation_id))],
});

async function sendAgain(
  { collections, clock }: ResendContext,
  deliveries: readonly EventDeliveryDoc[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const now = clock.now();
  const operations = deliveries.map((delivery): AnyBulkWriteOperation<EventDeliveryDoc> => ({
    updateOne: {
      // A delivery that has changed since it was read is left to the next call: each acquisition counts an attempt.
      filter: { _id: delivery._id, state: delivery.state, attempts: delivery.attempts },
      update: {
        $set: { state: 'waiting', due_at: now, give_up_at: giveUpAt(now) },
        $unset: { delivered_at: true, reason: true, run: true },
      },
    },
  }));
  await collections.eventDeliveries.bulkWrite(operations, { ordered: false });
}
