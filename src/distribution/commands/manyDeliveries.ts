/** One command on many deliveries: each is carried out, or refused, by itself. */
import type { QueueCommand, Refusal } from '../../../workflows/queueCommands.js';
import type { DeliveryCollections } from '../../deliveries/store/collections.js';
import type { DeliveryDoc } from '../../deliveries/store/deliveryDoc.js';
import type { LeadCollections } from '../../leads/store/collections.js';
import { AppError } from '../../lib/errors.js';
import { chunks } from '../../lib/chunks.js';
import type { Clock } from '../../lib/clock.js';
import { findByIds } from '../../platform/mongo/findByIds.js';
import { CommandRefused, CommandUnanswered } from './errors.js';
import type { createQueueCommands } from './queueCommands.js';
import { checkCommand } from './refusal.js';

/** A command, without the delivery that it is for. */
export interface ManyOrder {
  action: QueueCommand;
  /** For `resolve`: the buyers' decision. */
  result?: 'accepted' | 'rejected';
  org_id: string;
  by?: string;
  note?: string;
  /** Checks only: nothing changes. */
  dry_run: boolean;
}

/**
 * done: carried out. would_be_done: of a dry run. already_done: so before, and nothing changed. continues: it takes longer
 * and is carried out all the same, or nobody knows whether it was.
 */
export type ManyResult =
  | ('done' | 'would_be_done' | 'already_done' | 'continues' | 'not_tried')
  | (Refusal | 'invalid' | 'id_reused');

/** What happened to one delivery. */
export interface ManyReport {
  delivery_id: string;
  /** Null: there is no such delivery. */
  lead_id: string | null;
  buyer_id: string | null;
  result: ManyResult;
  /** Why it was not done; null: it was. */
  message: string | null;
}

export interface ManyDeps {
  collections: Pick<LeadCollections & DeliveryCollections, 'leads' | 'deliveries'>;
  queue: ReturnType<typeof createQueueCommands>;
  clock: Pick<Clock, 'now' | 'monotonic'>;
}

type Row = Pick<
  DeliveryDoc,
  '_id' | 'lead_id' | 'buyer_id' | 'n' | 'state' | 'unanswered' | 'answer_by'
>;

/** Commands that are sent at once: a workflow takes few updates at a time. */
const AT_ONCE = 5;
/** After this time, in milliseconds, no command is begun but the first ones; the rest is reported as not tried. */
const RUN_MS = 10_000;

/**
 * Carries the command out on each of these deliveries, in their order. Repeating it is safe, as each command is.
 * @throws {unknown} what fails before a command is carried out; after that the report says where it failed
 */
export async function commandMany(
  order: ManyOrder,
  rows: readonly Row[],
  deps: ManyDeps,
): Promise<ManyReport[]> {
  const until = deps.clock.monotonic() + RUN_MS;
  const report: ManyReport[] = [];
  const checked = await checkRows(order, rows, deps);
  let hasFailed = false;
  for (const some of chunks(rows, AT_ONCE)) {
    // The first are always tried, so that each call gets on.
    const isOver = hasFailed || (report.length > 0 && deps.clock.monotonic() > until);
    const handle = async (row: Row): Promise<ManyReport> => {
      const before = checked.get(row._id);
      if (before) return before;
      if (order.dry_run) return reportOf(row, 'would_be_done', null);
      if (!isOver) return commandOne(order, row, deps);
      return reportOf(row, 'not_tried', hasFailed ? NOT_TRIED_AFTER : NOT_TRIED);
    };
    const ended = await Promise.allSettled(some.map(handle));
    const failures = ended.flatMap((one): unknown[] =>
      one.status === 'rejected' ? [one.reason] : [],
    );
    const done = ended.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    if (failures.length > 0 && ![...report, ...done].some(isCarriedOut)) throw worstOf(failures);
    hasFailed ||= failures.length > 0;
    const known = new Map(done.map((one) => [one.delivery_id, one]));
    report.push(
      ...some.map((row) => known.get(row._id) ?? reportOf(row, 'continues', UNCONFIRMED)),
    );
  }
  return report;
}

/** A refusal says that nothing was done: another failure leaves it open. */
const worstOf = (failures: readonly unknown[]): unknown =>
  failures.find((error) => !(error instanceof AppError)) ?? failures[0];

const isCarriedOut = ({ result }: ManyReport): boolean =>
  result === 'done' || result === 'continues';

const NOT_TRIED = 'The call took too long. Call again with the deliveries that are left.';
const NOT_TRIED_AFTER =
  'The call ended at an error before it. Call again with the deliveries that are left.';
const UNCONFIRMED =
  'An error occurred, and it is not known whether the command was carried out: check the delivery, or repeat the command.';

const reportOf = (
  { _id: delivery_id, lead_id, buyer_id }: Pick<Row, '_id' | 'lead_id' | 'buyer_id'>,
  result: ManyResult,
  message: string | null,
): ManyReport => ({ delivery_id, lead_id, buyer_id, result, message });

/** The reports of those that need no command: refused as they are now, or done before. */
async function checkRows(
  order: ManyOrder,
  rows: readonly Row[],
  { collections, clock }: ManyDeps,
): Promise<Map<string, ManyReport>> {
  const now = clock.now();
  const leads = await findByIds(
    collections.leads,
    rows.map(({ lead_id }) => lead_id),
    { projection: { status: 1 } },
  );
  const reports = rows.flatMap((row) => {
    const lead = leads.get(row.lead_id);
    if (!lead) return [reportOf(row, 'not_found', `There is no lead ${row.lead_id}.`)];
    const check = checkCommand({ ...order, buyer_id: row.buyer_id }, row, lead, now);
    if (check === null) return [];
    if (check === 'done')
      return [
        reportOf(row, 'already_done', `Lead ${row.lead_id} is already ${row.state} by this buyer.`),
      ];
    return [reportOf(row, check.refused, check.message)];
  });
  return new Map(reports.map((one) => [one.delivery_id, one]));
}

async function commandOne(order: ManyOrder, row: Row, { queue }: ManyDeps): Promise<ManyReport> {
  const { action, result = 'rejected', org_id, by, note } = order;
  const { lead_id, buyer_id } = row;
  const input = { lead_id, buyer_id, org_id, by, note };
  try {
    await (action === 'resolve' ? queue.resolve({ ...input, result }) : queue[action](input));
    return reportOf(row, 'done', null);
  } catch (error) {
    if (error instanceof CommandRefused) return reportOf(row, error.code, error.message);
    if (error instanceof CommandUnanswered)
      return reportOf(row, 'continues', 'It takes longer and continues: check the delivery later.');
    throw error;
  }
}
