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
import {
  queueUpdates,
  wake,
  type DestinationInput,
  type Drained,
  type QueueRequest,
} from './messages.js';
import { durableLane, operatorsLane } from './proxies.js';
import { problemOf } from './requests.js';
import { createSoldLeads } from './soldLeads.js';

/** Leads wait for buyers; events wait for automations. */
const NO_QUEUE =
  'this drain is of an automation: its events are listed and sent again by actions, not by commands on a queue.';

const NOTHING = { sent: 0, sold: 0 };

/** Sold leads that a run keeps for those that continue it: they are in their input. */
const UNLISTED_MAX = 2_000;

/**
 * The durable lane of one destination: drains its queue, sleeps during its cooldown, ends when the queue is empty.
 * It costs nothing while it waits, however long the queue is. Operators control the queue by updates.
 */
export async function destination(given: DestinationInput): Promise<Drained> {
  const { buyerId, kind, taskQueue, done = NOTHING } = given;
  const { drainDestination, drainEndpoint } = durableLane(taskQueue);
  const drain = () =>
    kind === 'endpoint' ? drainEndpoint({ automationId: buyerId }) : drainDestination({ buyerId });
  const { commandQueue } = operatorsLane(taskQueue);
  let woken = false;
  let recovered = false;
  let commanded = false;
  const soldLeads = createSoldLeads();
  const total = { ...done };
  /** Sold by an operator's answer, and not listed yet. */
  const resolved: string[] = [];
  const unlisted = soldLeads.list(given.sold ?? []);
  setHandler(wake, (input) => {
    woken = true;
    recovered ||= input?.recovered ?? false;
  });
  const command = async (action: QueueCommand, request: QueueRequest | undefined) => {
    const id = currentUpdateInfo()?.id ?? uuid4();
    const { lead_id = null, result } = request ?? {};
    try {
      const answer = await commandQueue({ id, action, buyer_id: buyerId, lead_id, result });
      if ('lead' in answer && answer.lead?.status === 'ACCEPTED') resolved.push(answer.lead.id);
      return answer;
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
  if (unlisted.length > 0 && allHandlersFinished()) await goOn();
  for (;;) {
    woken = false;
    recovered = false;
    commanded = false;
    const drained = await drain();
    const { nextInMs, resting, sent, sold = [] } = drained;
    const nowSold = [...resolved.splice(0), ...sold];
    total.sent += sent;
    total.sold += nowSold.length;
    setCurrentDetails(describeQueue(drained, workflowInfo().memo?.name));
    unlisted.push(...soldLeads.list(nowSold));
    // Further runs, each of which lists some, take a moment: not while leads can be sent.
    const mayPause = nextInMs !== 0 || unlisted.length >= UNLISTED_MAX;
    if (unlisted.length > 0 && mayPause && allHandlersFinished()) await goOn();
    if (nextInMs === null && !isWoken()) {
      await condition(() => isWoken() || allHandlersFinished());
      const isDone = !isWoken() && !isCommanded() && unlisted.length === 0;
      if (isDone) return resultOf(given, total);
      continue;
    }
    if (workflowInfo().continueAsNewSuggested && allHandlersFinished()) await goOn();
    // During a cooldown of the destination, new rows are no reason to check again; its recovery is.
    const shouldLook = () => commanded || recovered || (woken && !resting);
    if (nextInMs !== null && nextInMs > 0) await condition(shouldLook, nextInMs);
  }

  /** Continues as a new run, which lists the leads for which this one had no room. */
  async function goOn(): Promise<void> {
    const more = unlisted.length > 0 ? { sold: unlisted } : {};
    const soFar = total.sent > 0 ? { done: { ...total } } : {};
    await continueAsNew<typeof destination>({
      buyerId,
      ...(kind ? { kind } : {}),
      taskQueue,
      ...more,
      ...soFar,
    });
  }

  // Functions, because the handlers change the variables without the compiler's knowledge.
  function isWoken(): boolean {
    return woken;
  }
  function isCommanded(): boolean {
    return commanded;
  }
}

/**
 * The same for the events that wait for one automation, under a name of its own in the Temporal UI. Runs that an older
 * version started have the other name, and end as they began.
 */
export const automation = (input: DestinationInput): Promise<Drained> =>
  destination({ ...input, kind: 'endpoint' });

/** The result in the Temporal UI. */
const resultOf = ({ buyerId, kind }: DestinationInput, { sent, sold }: typeof NOTHING): Drained =>
  kind === 'endpoint' ? { automation_id: buyerId, sent } : { buyer_id: buyerId, sent, sold };
