/** Changes of sold leads, in groups: changes that arrive while a group is in flight go with the next one. */
import { timeOrderedId } from '../lib/ids.js';
import type { ChangeDoc } from './store/outcomeDocs.js';
import { createGroupCommit, type GroupCommit } from '../lib/groupCommit.js';
import { LISTED_ANYWHERE } from '../platform/temporal/listing.js';
import { ANSWERED_BY_MS, GROUPED_BY_MS } from './deadlines.js';
import {
  createGroupCommitter,
  type GroupCommitterDeps,
  type ChangeItem,
  type StoredChange,
  keyReused,
  notDelivered,
  outcomeUnknown,
} from './commitGroup.js';
import type { ChangeResult, SaleChange, SaleChanges } from './types.js';
import { createPoller, type PollerOptions } from '../lib/poller.js';

/** Few, so that under load each group is large; two, so that one slow group does not delay every change. */
const IN_FLIGHT_MAX = 2;
/** As many as can wait within the deadline at some hundred a second. */
const QUEUE_MAX = 1_000;
/**
 * A group costs its workflow and its commands, however many changes share them: at 200 a second twenty do. Only full
 * groups may begin sooner after one another.
 */
const GROUP_INTERVAL_MS = 100;

export interface SaleChangeService extends SaleChanges {
  /** Resolves when nothing is in flight. */
  idle(): Promise<void>;
}

export function createSaleChanges(deps: GroupCommitterDeps): SaleChangeService {
  const groups = createGroupCommit<ChangeItem, StoredChange>({
    maxInFlight: IN_FLIGHT_MAX,
    groupMax: LISTED_ANYWHERE,
    queueMax: QUEUE_MAX,
    intervalMs: GROUP_INTERVAL_MS,
    noun: 'outcome',
    refuseAt: ({ receivedAt }) => receivedAt + GROUPED_BY_MS,
    commit: createGroupCommitter(deps),
  });
  const poller = createChangePoller(deps);
  return {
    make: (change, receivedAt = deps.clock.monotonic()) =>
      make({ doc: asStored(change, deps.clock.now()), receivedAt }, groups, poller),
    idle: () => groups.idle(),
  };
}

async function make(
  item: ChangeItem,
  groups: GroupCommit<ChangeItem, StoredChange>,
  poller: ReturnType<typeof createChangePoller>,
): Promise<ChangeResult> {
  const { _id, body_hash, lead_id } = item.doc;
  const { stored: first, replayed } = await groups.submit(item);
  if (first && first.body_hash !== body_hash) throw keyReused();
  const stored =
    first?.state === 'open'
      ? await poller.wait(_id, Infinity, item.receivedAt + ANSWERED_BY_MS)
      : first;
  if (!stored?.answer) throw notDelivered(lead_id);
  return { answer: stored.answer, replayed };
}

function asStored({ id, ...change }: SaleChange, received_at: Date): ChangeDoc {
  return { _id: id ?? timeOrderedId(), ...change, received_at, state: 'open' };
}

const POLL_INTERVAL_MS = 100;

/** Waits for changes that another process applies; one that cannot be applied is deleted, and then undefined. */
export const createChangePoller = ({
  outcomes,
  clock,
  log,
}: Pick<PollerOptions<ChangeDoc>, 'clock' | 'log'> & {
  outcomes: Pick<GroupCommitterDeps['outcomes'], 'get'>;
}) =>
  createPoller<ChangeDoc>({
    clock,
    log,
    firstAfterMs: POLL_INTERVAL_MS,
    everyMs: POLL_INTERVAL_MS,
    waitMinMs: POLL_INTERVAL_MS,
    read: (ids) => outcomes.get(ids),
    isFinal: (change) => change?.state !== 'open',
    failure: 'awaited changes could not be read',
    tooLate: outcomeUnknown,
  });
