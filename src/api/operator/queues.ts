/** Operators' commands on the leads that wait for a buyer, and the list of them. */
import type { Client } from '@temporalio/client';
import type { AccountCollections } from '../../account/store/collections.js';
import type { DeliveryCollections } from '../../deliveries/store/collections.js';
import type { DeliveryDoc } from '../../deliveries/store/deliveryDoc.js';
import { createQueueStore, type QueueKind } from '../../deliveries/store/queue.js';
import { CommandRefused } from '../../distribution/commands/errors.js';
import {
  createQueueCommands,
  type CommandDone,
  type QueueInput,
  type ResolveInput,
} from '../../distribution/commands/queueCommands.js';
import { findQueue, type QueueCollections } from '../../distribution/commands/target.js';
import { createLeadStarter } from '../../distribution/starters.js';
import { createCommandStore } from '../../distribution/store/commands.js';
import type { DistributionCollections } from '../../distribution/store/collections.js';
import { systemClock } from '../../lib/clock.js';
import { AppError } from '../../lib/errors.js';
import { createLog } from '../../lib/log.js';
import type { TaskQueues } from '../../platform/temporal/names.js';
import { recordedAsOperator, type OperatorContext } from './record.js';

type QueueContext = OperatorContext & { collections: QueueCollections & DistributionCollections };

/** The action with the same effect. */
const ACTION = {
  retry: 'retry_deliveries',
  hold: 'hold_deliveries',
  drop: 'drop_deliveries',
  resolve: 'resolve_delivery',
} as const;

export type OperatorCommand = keyof typeof ACTION;

export type QueueOrder =
  | ({ action: Exclude<OperatorCommand, 'resolve'> } & QueueInput)
  | ({ action: 'resolve' } & ResolveInput);

export interface Temporal {
  client: Client;
  queues: TaskQueues;
}

export type OperatorAnswer = CommandDone | { refused: CommandRefused['code']; message: string };

/**
 * Waits until the command is done, and records it, also when it is refused.
 * @throws {CommandUnanswered} when it takes longer than the call waits: it is carried out all the same
 */
export async function commandQueueAsOperator(
  context: QueueContext,
  { client, queues, waitMs }: Temporal & { waitMs: number },
  order: QueueOrder,
): Promise<OperatorAnswer> {
  const { collections } = context;
  const { lead_id, buyer_id, note } = order;
  const result = order.action === 'resolve' ? order.result : undefined;
  const commands = createQueueCommands({
    collections,
    starter: createLeadStarter(client, queues, createLog('error', 'cli')),
    waitMs,
    clock: systemClock,
    commands: createCommandStore(collections.commands),
  });
  try {
    const { org_id } = await findQueue(order, undefined, collections);
    const input = { lead_id, buyer_id, note, result };
    return await recordedAsOperator(
      context,
      { name: ACTION[order.action], orgId: org_id, input },
      () => (order.action === 'resolve' ? commands.resolve(order) : commands[order.action](order)),
    );
  } catch (error) {
    if (error instanceof CommandRefused) return { refused: error.code, message: error.message };
    throw error;
  }
}

export interface QueueQuery {
  buyer: string;
  state?: QueueKind;
  limit: number;
}

/** @throws {AppError} `not_found` when there is no such buyer */
export async function listQueue(
  { buyers, destinations, deliveries }: AccountCollections & DeliveryCollections,
  { buyer, state, limit }: QueueQuery,
) {
  const [known, destination] = await Promise.all([
    buyers.findOne({ _id: buyer }, { projection: { _id: 1 } }),
    destinations.findOne({ _id: buyer }),
  ]);
  if (!known) throw new AppError('not_found', `There is no buyer ${buyer}.`);
  const held = destination?.held === true;
  // With its queue, every parked row is held.
  const kind = state === 'held' && held ? 'parked' : state;
  const rows = await createQueueStore(deliveries).list(buyer, kind, limit);
  return {
    held,
    last_command: destination?.last_command,
    rows: rows.map((row) => shownRow(row, held)),
  };
}

export type QueuedDelivery = ReturnType<typeof shownRow>;

function shownRow(row: DeliveryDoc, isAllHeld: boolean) {
  const isHeld = row.state === 'parked' && (isAllHeld || row.held === true);
  return {
    lead_id: row.lead_id,
    state: isHeld ? 'held' : row.state,
    tries: row.tries,
    /** Null: not before an operator retries or resolves it. */
    due_at: isHeld || row.state === 'unknown' ? null : (row.due_at ?? null),
    expires_at: row.expires_at,
    reason: row.reason ?? null,
  };
}
