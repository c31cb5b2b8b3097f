/** Deliveries as the Actions API shows them. */
import type { z } from 'zod';
import { fromMicros } from '../../fields/money.js';
import type { DeliveryDoc, DeliveryState } from '../../deliveries/store/deliveryDoc.js';
import type { TrailEntry } from '../../leads/rules/trail.js';
import { readWaits } from '../../routing/readWaits.js';
import {
  commandsFor,
  nextTry,
  type Wait,
  type WaitCommand,
} from '../../routing/rules/whyWaiting.js';
import type { ActionContext } from './action.js';
import { nameOf } from './leadViews.js';
import { readRowNames } from './rowNames.js';
import { findByIds } from '../../platform/mongo/findByIds.js';
import { readTimeZone } from '../../account/orgs.js';
import type { DeliveryRow, DeliveryView, ShownDeliveryState } from './schemas/delivery.js';

const STATES: Record<DeliveryState, ShownDeliveryState> = {
  sending: 'sending',
  parked: 'waiting',
  unknown: 'unknown',
  accepted: 'accepted',
  rejected: 'rejected',
  failed: 'failed',
  abandoned: 'abandoned',
  expired: 'expired',
};

/** Rows of a list, with the names of their records and why they wait. */
export async function deliveryRows(
  rows: readonly DeliveryDoc[],
  context: Pick<ActionContext, 'collections' | 'orgId' | 'clock'>,
): Promise<z.input<typeof DeliveryRow>[]> {
  const shown = await readShown(rows, context);
  return rows.map((row) => shown(row).view);
}

/** One delivery, with what happened to it and what can be done. */
export async function deliveryView(
  row: DeliveryDoc,
  trail: readonly TrailEntry[],
  context: Pick<ActionContext, 'collections' | 'orgId' | 'clock'>,
): Promise<Omit<z.input<typeof DeliveryView>, 'request'>> {
  const { view, wait } = (await readShown([row], context))(row);
  return {
    ...view,
    reference: row.reference,
    answer: row.excerpt,
    history: trail.filter(isOf(row)).map(historyStep),
    can: wait ? commandsFor(wait).map((command) => ({ ...COMMANDS[command] })) : [],
  };
}

const COMMANDS: Record<WaitCommand, { action: string; text: string }> = {
  retry: {
    action: 'retry_deliveries',
    text: 'Sends it now; a hold, and a cooldown of the buyer, end.',
  },
  hold: {
    action: 'hold_deliveries',
    text: 'Sends it only after a retry; its time limit keeps running.',
  },
  drop: {
    action: 'drop_deliveries',
    text: 'Ends it without a sale to this buyer. This cannot be undone.',
  },
  resolve: {
    action: 'resolve_delivery',
    text: "Records the buyer's answer: accepted is a sale; with rejected the lead goes to the next buyer.",
  },
};

const PERSON = { 'fields.first_name': 1, 'fields.last_name': 1 } as const;

type Shown = (row: DeliveryDoc) => { view: z.input<typeof DeliveryRow>; wait: Wait | undefined };

async function readShown(
  rows: readonly DeliveryDoc[],
  context: Pick<ActionContext, 'collections' | 'orgId' | 'clock'>,
): Promise<Shown> {
  const { collections, orgId, clock } = context;
  const now = clock.now();
  const at = { now, timeZone: await readTimeZone(collections, orgId) };
  const [waits, namesOf, leads] = await Promise.all([
    readWaits(collections, rows, at),
    readRowNames(context, rows),
    findByIds(
      collections.leads,
      rows.map(({ lead_id }) => lead_id),
      { projection: PERSON },
    ),
  ]);
  return (row) => {
    const wait = waits.get(row._id);
    const lead_name = nameOf(leads.get(row.lead_id)?.fields ?? {});
    return { view: { ...rowView(row, wait, now), lead_name, ...namesOf(row) }, wait };
  };
}

function rowView(row: DeliveryDoc, wait: Wait | undefined, now: Date) {
  const { lead_id, campaign_id, supplier_id, buyer_id, tries, created_at, settled_at } = row;
  const { http_status, latency_ms, reason } = row;
  const isHeld = wait?.code === 'held' || wait?.code === 'queue_held';
  return {
    id: row._id,
    lead_id,
    campaign_id,
    supplier_id,
    buyer_id,
    state: isHeld ? ('held' as const) : STATES[row.state],
    why: wait?.text,
    why_code: wait?.code,
    waits_until: wait?.until,
    next_try_at: wait && nextTry(wait, row, now),
    tries,
    created_at,
    age_seconds: Math.max(0, Math.floor((Number(now) - Number(created_at)) / 1_000)),
    expires_at: row.state === 'parked' || row.state === 'unknown' ? row.expires_at : null,
    settled_at,
    http_status,
    latency_ms,
    reason,
    price: fromMicros(row.price),
    is_test: row.reserved === null,
  };
}

/** Trail entries about this attempt; a command names the attempt as an answer does. */
const isOf =
  ({ buyer_id, n }: DeliveryDoc) =>
  ({ step, buyer_id: buyer, detail }: TrailEntry): boolean =>
    step === 'delivery' && buyer === buyer_id && (detail?.attempt ?? n) === n;

function historyStep({ at, result, reason, detail = {} }: TrailEntry) {
  const { http_status, latency_ms, by, note } = detail;
  const numberOf = (value: unknown) => (typeof value === 'number' ? value : null);
  const textOf = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    at,
    result,
    reason,
    http_status: numberOf(http_status),
    latency_ms: numberOf(latency_ms),
    by: textOf(by),
    note: textOf(note),
  };
}
