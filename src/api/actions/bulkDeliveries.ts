/** Commands on many deliveries, as actions give them: by their ids, or by a filter, a bounded number at a time. */
import type { DeliveryDoc, DeliveryState } from '../../deliveries/store/deliveryDoc.js';
import { readQueueStates } from '../../deliveries/store/attention.js';
import { findDeliveries } from '../../deliveries/store/deliveryPages.js';
import { WAITING } from '../../deliveries/store/waiting.js';
import {
  commandMany,
  type ManyOrder,
  type ManyReport,
} from '../../distribution/commands/manyDeliveries.js';
import { TARGET_REQUIRED } from '../../distribution/commands/target.js';
import { AppError } from '../../lib/errors.js';
import { findByIds } from '../../platform/mongo/findByIds.js';
import type { ActionContext } from './action.js';
import { readPlace, writeCursor } from './cursor.js';
import { requireNamed } from './leadFilter.js';
import { findLead } from './list/leads.js';
import { invalidField } from './readInput.js';
import { BULK_DEFAULT } from './schemas/bulk.js';

/** Which deliveries a command is for. */
export interface BulkTarget {
  lead_id?: string;
  buyer_id?: string;
  delivery_ids?: string[];
  campaign_id?: string;
  supplier_id?: string;
  max?: number;
  continue_from?: string;
}

/** Whether a command is for deliveries one by one; otherwise it is for one lead, or for a buyer's queue as a whole. */
export const isOfRows = (
  { delivery_ids, campaign_id, supplier_id, max, continue_from }: BulkTarget,
  isDry: boolean,
): boolean =>
  isDry ||
  [delivery_ids, campaign_id, supplier_id, max, continue_from].some((one) => one !== undefined);

/** The states of the deliveries that a filter finds. */
const STATES: Record<ManyOrder['action'], readonly DeliveryState[]> = {
  retry: ['parked'],
  hold: ['parked'],
  drop: WAITING,
  resolve: ['unknown'],
};
/** Of one lead: a command on another of them is refused, and says why. */
const OPEN: readonly DeliveryState[] = ['parked', 'unknown', 'sending'];
/** Deliveries counted at most for the dry run of a whole queue. */
const QUEUED_MAX = 200_000;

/** @throws {AppError} `invalid_input` where no delivery is named, or in two ways */
export async function commandDeliveries(
  order: ManyOrder,
  target: BulkTarget,
  context: ActionContext,
) {
  checkTarget(target);
  if (isWholeQueue(order, target)) return countQueue(order, target.buyer_id ?? '', context);
  const { rows, unknownIds, next } = await findRows(order, target, context);
  const report = [...(await commandMany(order, rows, context)), ...unknownIds.map(notFound)];
  const isDone = ({ result }: ManyReport) => DONE.has(result);
  const count = (...of: ManyReport['result'][]) =>
    report.filter(({ result }) => of.includes(result)).length;
  const buyers = new Set(rows.map(({ buyer_id }) => buyer_id));
  const [only] = buyers;
  return {
    buyer_id: target.buyer_id ?? (buyers.size === 1 ? only : null),
    rows: report.filter(isDone).length,
    busy: count('busy', 'being_sent'),
    unknown: count('unknown_delivery'),
    refused: report.filter((one) => !isDone(one) && one.result !== 'already_done').length,
    report,
    continue_from: target.delivery_ids ? null : nextOf(order, report, rows, next),
  };
}

const DONE: ReadonlySet<ManyReport['result']> = new Set(['done', 'would_be_done', 'continues']);

function checkTarget(target: BulkTarget): void {
  const { delivery_ids, lead_id, buyer_id, campaign_id, supplier_id, max, continue_from } = target;
  const filter = { lead_id, buyer_id, campaign_id, supplier_id };
  const filters = Object.entries(filter).flatMap(([key, value]) =>
    value === undefined ? [] : key,
  );
  if (delivery_ids === undefined) {
    if (filters.length > 0) return;
    throw invalidField('delivery_ids', 'required', `delivery_ids is required. ${TARGET_REQUIRED}`);
  }
  const others = Object.entries({ max, continue_from });
  const given = others.flatMap(([key, value]) => (value === undefined ? [] : key));
  const [also] = [...filters, ...given];
  if (also === undefined) return;
  const message = `${also} cannot be combined with delivery_ids, which name the deliveries.`;
  throw invalidField(also, 'not_allowed', message);
}

/** A dry run of the command on a whole queue: it has any length, so its deliveries are counted, not listed. */
const isWholeQueue = ({ action, dry_run }: ManyOrder, target: BulkTarget): boolean =>
  dry_run && action !== 'resolve' && target.lead_id === undefined && !isOfRows(target, false);

async function countQueue({ action }: ManyOrder, buyer_id: string, context: ActionContext) {
  await requireNamed({ buyer_id, campaign_id: undefined, supplier_id: undefined }, context);
  const { deliveries } = context.collections;
  const queue = (await readQueueStates(deliveries, [buyer_id], QUEUED_MAX)).get(buyer_id);
  const { parked = 0, unknown = 0 } = queue ?? {};
  return action === 'drop'
    ? { buyer_id, rows: parked + unknown, busy: 0, unknown: 0 }
    : { buyer_id, rows: parked, busy: 0, unknown };
}

interface FoundRows {
  rows: DeliveryDoc[];
  /** Ids of which there is no delivery. */
  unknownIds: string[];
  next: string | null;
}

async function findRows(
  order: ManyOrder,
  { delivery_ids, max = BULK_DEFAULT, continue_from, ...filter }: BulkTarget,
  context: ActionContext,
): Promise<FoundRows> {
  const { collections, orgId: org_id } = context;
  if (delivery_ids) {
    const ids = [...new Set(delivery_ids)];
    const found = await findByIds(collections.deliveries, ids);
    const own = ids.flatMap((id) => found.get(id) ?? []).filter((row) => row.org_id === org_id);
    const known = new Set(own.map(({ _id }) => _id));
    return { rows: own, unknownIds: ids.filter((id) => !known.has(id)), next: null };
  }
  const { buyer_id, campaign_id, supplier_id, lead_id } = filter;
  await requireNamed({ buyer_id, campaign_id, supplier_id }, context);
  const list = listOf(order);
  const after = readPlace(list, continue_from);
  if (lead_id !== undefined) await findLead(lead_id, context);
  const wanted = {
    org_id,
    states: lead_id === undefined ? STATES[order.action] : OPEN,
    buyer_id,
    campaign_id,
    supplier_id,
    lead_id,
  };
  const page = await findDeliveries(collections.deliveries, wanted, { after, limit: max });
  if (!page) throw new AppError('action_refused', TOO_MANY);
  return { rows: page.docs, unknownIds: [], next: page.next && writeCursor(list, page.next) };
}

const listOf = ({ action }: ManyOrder): string => `${action}_deliveries`;

const TOO_MANY =
  'The search for these deliveries would read too many. Name a buyer, or one filter less.';

const notFound = (delivery_id: string): ManyReport => ({
  delivery_id,
  lead_id: null,
  buyer_id: null,
  result: 'not_found',
  message: `There is no delivery ${delivery_id}.`,
});

/** After the last delivery that was tried, as the first always is: the next call begins with those that were not. */
function nextOf(
  order: ManyOrder,
  report: readonly ManyReport[],
  rows: readonly DeliveryDoc[],
  next: string | null,
): string | null {
  const first = report.findIndex(({ result }) => result === 'not_tried');
  if (first < 0) return next;
  const last = rows[first - 1];
  return last ? writeCursor(listOf(order), { at: last.created_at, id: last._id }) : null;
}
