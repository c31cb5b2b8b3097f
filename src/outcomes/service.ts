/** Changes of sold leads, in groups: what comes while a group is on its way goes with the next one. */
import { timeOrderedId } from '../lib/ids.js';
import type { ChangeDoc } from './store/outcomeDocs.js';
import { createGroupCommit, type GroupCommit } from '../lib/groupCommit.js';
import { LISTED_ANYWHERE } from '../platform/temporal/listing.js';
import { GIVE_UP_BY_MS, HANDED_OVER_BY_MS } from './deadlines.js';
import { keyReused, notHad } from './errors.js';
import { createHandOver, type HandOverDeps, type Item, type Standing } from './handOver.js';
import type { SaleChange, SaleChanges } from './types.js';
import { createWaiting, type Waiting } from './waiting.js';

/** Few, so that under load each group is large; two, so that one slow group does not hold up everybody. */
const LANES = 2;
/** What the deadline lets wait at some hundred a second. */
const QUEUE_MAX = 1_000;
/**
 * A group costs its workflow and its commands, however many changes share them: at 200 a second twenty do. Only full
 * groups may begin sooner after one another.
 */
const EVERY_MS = 100;

export interface SaleChangeService extends SaleChanges {
  /** Ends when nothing is on its way. */
  idle(): Promise<void>;
}

export function createSaleChanges(deps: HandOverDeps): SaleChangeService {
  const groups = createGroupCommit<Item, Standing>({
    ...{ lanes: LANES, groupMax: LISTED_ANYWHERE, queueMax: QUEUE_MAX },
    ...{ everyMs: EVERY_MS, noun: 'outcome' },
    refuseAt: ({ receivedAt }) => receivedAt + HANDED_OVER_BY_MS,
    handOver: createHandOver(deps),
  });
  const waiting = createWaiting(deps);
  return {
    make: (change, receivedAt = deps.clock.monotonic()) =>
      make({ doc: asStored(change, deps.clock.now()), receivedAt }, groups, waiting),
    idle: () => groups.idle(),
  };
}

async function make(
  item: Item,
  groups: GroupCommit<Item, Standing>,
  waiting: Waiting,
): ReturnType<SaleChanges['make']> {
  const { _id, body_hash, lead_id } = item.doc;
  const { stored: first, replayed } = await groups.submit(item);
  if (first && first.body_hash !== body_hash) throw keyReused();
  const stored =
    first?.state === 'open' ? await waiting.wait(_id, item.receivedAt + GIVE_UP_BY_MS) : first;
  if (!stored?.answer) throw notHad(lead_id);
  return { answer: stored.answer, replayed };
}

function asStored({ id, ...change }: SaleChange, received_at: Date): ChangeDoc {
  return { _id: id ?? timeOrderedId(), ...change, received_at, state: 'open' };
}
