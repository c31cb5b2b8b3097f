/** Commands on everything that waits for a buyer, in batches: a queue may have any length. */
import { setTimeout as delay } from 'node:timers/promises';
import type { QueueDone } from '../../../workflows/queueCommands.js';
import type { CommandDoc } from '../../deliveries/store/commandDoc.js';
import type { CommandStore } from '../store/commands.js';
import { DROPPED, type QueueStore } from '../../deliveries/store/queue.js';
import { endWaiting } from '../expiry.js';
import type { ScreeningDeps } from '../screening.js';

export interface WholeQueueDeps extends ScreeningDeps {
  queue: QueueStore;
  commands: CommandStore;
  stopping(): boolean;
}

/** Rows made due by one update. */
const DUE_BATCH = 1_000;
/** Rows ended together with their leads. */
const DROP_BATCH = 200;
/** How long the command retries rows whose leads another run works on, in milliseconds. */
const RETRY_FOR_MS = 10_000;
const RETRY_AFTER_MS = 1_000;

export async function commandWholeQueue(
  command: CommandDoc,
  deps: WholeQueueDeps,
): Promise<QueueDone> {
  const done = await carryOut(command, deps);
  await deps.destinations.recordCommand(command);
  return done;
}

async function carryOut(command: CommandDoc, deps: WholeQueueDeps): Promise<QueueDone> {
  const { buyer_id: buyerId, org_id: orgId } = command;
  switch (command.action) {
    case 'retry':
      await makeAllDue(buyerId, deps);
      await deps.destinations.release(buyerId);
      break;
    case 'hold':
      await deps.destinations.hold(buyerId, orgId);
      break;
    case 'drop':
      return dropAll(command, deps);
    case 'resolve':
      throw new Error('A whole queue cannot be resolved: the request should have been refused');
  }
  const { parked, unknown } = await deps.queue.counts(buyerId);
  return { rows: parked, busy: 0, unknown };
}

async function makeAllDue(buyerId: string, deps: WholeQueueDeps): Promise<void> {
  const now = deps.clock.now();
  for (;;) {
    const ids = await deps.queue.notDue(buyerId, now, DUE_BATCH);
    if (ids.length > 0) await deps.queue.makeDue(ids, now);
    // Rows that a drain puts off meanwhile are left alone.
    if (ids.length < DUE_BATCH) return;
    goOn(deps);
  }
}

async function dropAll(command: CommandDoc, deps: WholeQueueDeps): Promise<QueueDone> {
  // Rows of its last batch that a call ended before it died are counted now; the rest of the batch is found again.
  let rows = command.done + (command.batch ? await deps.queue.dropped(command.batch) : 0);
  const busy = new Set<string>();
  const giveUpAt = deps.clock.monotonic() + RETRY_FOR_MS;
  for (;;) {
    goOn(deps);
    const batch = await deps.queue.waiting(command.buyer_id, command.at, [...busy], DROP_BATCH);
    if (batch.length === 0) {
      if (busy.size === 0 || deps.clock.monotonic() > giveUpAt) break;
      await delay(RETRY_AFTER_MS);
      busy.clear();
      continue;
    }
    const ids = batch.map(({ _id }) => _id);
    await deps.commands.progress(command._id, rows, ids);
    const ended = await endWaiting(batch, DROPPED, deps);
    rows += ended.size;
    ids.filter((id) => !ended.has(id)).forEach((id) => busy.add(id));
  }
  return { rows, busy: busy.size, unknown: 0 };
}

/** @throws {Error} once the process is stopping: another process continues */
function goOn(deps: WholeQueueDeps): void {
  if (deps.stopping())
    throw new Error('The process is stopping; another process continues the command');
}
