import {
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { wake, type DestinationInput } from './messages.js';
import { durableLane } from './proxies.js';

/**
 * The durable lane of one destination: drains its queue, sleeps while it rests, ends when it is empty.
 * It costs nothing while it waits, however long the queue is.
 */
export async function destination({ buyerId, taskQueue }: DestinationInput): Promise<void> {
  const { drainDestination } = durableLane(taskQueue);
  let woken = false;
  let recovered = false;
  setHandler(wake, (input) => {
    woken = true;
    recovered ||= input?.recovered ?? false;
  });
  for (;;) {
    woken = false;
    recovered = false;
    const { waiting, nextInMs, resting, sent } = await drainDestination({ buyerId });
    setCurrentDetails(`${String(waiting)} waiting, ${String(sent)} sent by the last drain`);
    if (nextInMs === null && !isWoken()) return;
    if (workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof destination>({ buyerId, taskQueue });
    // While the destination itself must rest, new rows are no reason to look again; its recovery is.
    const shouldLook = () => recovered || (woken && !resting);
    if (nextInMs !== null && nextInMs > 0) await condition(shouldLook, nextInMs);
  }

  // A function, because the handler changes the variable behind the compiler's back.
  function isWoken(): boolean {
    return woken;
  }
}
