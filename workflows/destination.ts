import {
  allHandlersFinished,
  condition,
  continueAsNew,
  currentUpdateInfo,
  setCurrentDetails,
  setHandler,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';
import type { QueueCommand } from './queueCommands.js';
import { describeQueue } from './details.js';
import { queueUpdates, wake, type DestinationInput, type QueueRequest } from './messages.js';
import { durableLane, operatorsLane } from './proxies.js';
import { problemOf } from './requests.js';

/** Leads wait for buyers; events wait for automations. */
const NO_QUEUE =
  'this drain is of an automation: its events are listed and sent again by actions, not by commands on a queue.';

/**
 * The durable lane of one destination: drains its queue, sleeps during its cooldown, ends when the queue is empty.
 * It costs nothing while it waits, however long the queue is. Operators control the queue by updates.
 */
export async function destination({ buyerId, kind, taskQueue }: DestinationInput): Promise<void> {
  const { drainDestination, drainEndpoint } = durableLane(taskQueue);
  const drain = () =>
    kind === 'endpoint' ? drainEndpoint({ automationId: buyerId }) : drainDestination({ buyerId });
  const { commandQueue } = operatorsLane(taskQueue);
  let woken = false;
  let recovered = false;
  let commanded = false;
  setHandler(wake, (input) => {
    woken = true;
    recovered ||= input?.recovered ?? false;
  });
  const command = async (action: QueueCommand, request: QueueRequest | undefined) => {
    const id = currentUpdateInfo()?.id ?? uuid4();
    const { lead_id = null, result } = request ?? {};
    try {
      return await commandQueue({ id, action, buyer_id: buyerId, lead_id, result });
    } finally {
      commanded = true;
    }
  };
  for (const action of ['retry', 'hold', 'drop', 'resolve'] as const) {
    setHandler(
      queueUpdates[action],
      (request: QueueRequest | undefined) => command(action, request),
      {
        validator: (request: QueueRequest | undefined) => {
          const problem = kind === 'endpoint' ? NO_QUEUE : problemOf(action, request);
          if (problem !== null) throw new Error(problem);
        },
      },
    );
  }
  for (;;) {
    woken = false;
    recovered = false;
    commanded = false;
    const drained = await drain();
    const { nextInMs, resting } = drained;
    setCurrentDetails(describeQueue(drained));
    if (nextInMs === null && !isWoken()) {
      await condition(() => isWoken() || allHandlersFinished());
      if (!isWoken() && !isCommanded()) return;
      continue;
    }
    if (workflowInfo().continueAsNewSuggested && allHandlersFinished())
      await continueAsNew<typeof destination>({ buyerId, ...(kind ? { kind } : {}), taskQueue });
    // During a cooldown of the destination, new rows are no reason to check again; its recovery is.
    const shouldLook = () => commanded || recovered || (woken && !resting);
    if (nextInMs !== null && nextInMs > 0) await condition(shouldLook, nextInMs);
  }

  // Functions, because the handlers change the variables without the compiler's knowledge.
  function isWoken(): boolean {
    return woken;
  }
  function isCommanded(): boolean {
    return commanded;
  }
}
