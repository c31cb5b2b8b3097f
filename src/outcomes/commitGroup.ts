/** One group of changes on its way: stored, which makes them sure, and then given to a workflow that makes them. */
import type { Clock } from '../lib/clock.js';
import { unavailable } from '../lib/errors.js';
import { withTimeout } from '../lib/withTimeout.js';
import type { Log } from '../lib/log.js';
import type { ChangeDoc } from './store/outcomeDocs.js';
import type { OutcomeStore } from './store/outcomes.js';
import type { OutcomeStarter } from './outcomeStarter.js';
import { STORED_BY_MS, TRIED_BY_MS } from './deadlines.js';
import { outcomeUnknown } from './errors.js';

export interface ChangeItem {
  doc: ChangeDoc;
  /** On the monotonic clock. */
  receivedAt: number;
}

/** A change after its group was committed. */
export interface StoredChange {
  /** As it is stored; undefined: it is not there any more, for it cannot be made. */
  stored: ChangeDoc | undefined;
  /** Somebody has asked for it before. */
  replayed: boolean;
}

export interface GroupCommitterDeps {
  outcomes: Pick<OutcomeStore, 'insert' | 'get'>;
  outcomeStarter: Pick<OutcomeStarter, 'record'>;
  clock: Pick<Clock, 'now' | 'monotonic'>;
  log: Pick<Log, 'warn'>;
}

const NOT_ACCEPTED = 'The outcome was not accepted. Send it again.';

/** Four commands of its own: insert, and read what came of it; one more where ids were met again. */
export function createGroupCommitter(deps: GroupCommitterDeps) {
  return async (items: readonly ChangeItem[]): Promise<PromiseSettledResult<StoredChange>[]> => {
    // The oldest request of the group sets the pace.
    const arrived = Math.min(...items.map(({ receivedAt }) => receivedAt));
    const leftMs = (byMs: number) => arrived + byMs - deps.clock.monotonic();
    const docs = items.map(({ doc }) => doc);
    const repeats = await store(docs, leftMs(STORED_BY_MS), deps);
    const fresh = docs.filter((doc) => !repeats.has(doc));
    if (fresh.length > 0) await start(fresh, leftMs(TRIED_BY_MS), deps);
    const stored = await read(docs, deps);
    return docs.map((doc) => ({
      status: 'fulfilled',
      value: { stored: stored.get(doc._id), replayed: repeats.has(doc) },
    }));
  };
}

/** @throws {AppError} `unavailable` when nothing was begun; `outcome_unknown` when nobody can tell what is stored */
async function store(
  docs: readonly ChangeDoc[],
  ms: number,
  { outcomes, log }: GroupCommitterDeps,
): Promise<Set<ChangeDoc>> {
  if (ms <= 0) throw unavailable(NOT_ACCEPTED);
  try {
    return await withTimeout(ms, NOT_ACCEPTED, () => outcomes.insert(docs));
  } catch (error) {
    // The driver tries twice, and says of the second time only that no server was there: the first may have come through.
    log.warn(
      { err: error, changes: docs.length },
      'whether changes of leads are stored is unknown',
    );
    throw outcomeUnknown(error);
  }
}

/** What is stored is made, whatever comes of this: who waits looks at the database, and `reconcile` finds what is left. */
async function start(
  docs: readonly ChangeDoc[],
  ms: number,
  { outcomeStarter, log }: GroupCommitterDeps,
): Promise<void> {
  try {
    // On this process's own clock, by which the client of Temporal measures.
    const deadline = Date.now() + ms;
    await withTimeout(ms, NOT_ACCEPTED, () => outcomeStarter.record(docs, deadline));
  } catch (error) {
    log.warn(
      { err: error, changes: docs.length },
      'changes of leads are stored and not yet applied',
    );
  }
}

/** When it cannot be read, it is as it was stored: who waits looks again. */
async function read(
  docs: readonly ChangeDoc[],
  { outcomes, log }: GroupCommitterDeps,
): Promise<Map<string, ChangeDoc>> {
  try {
    return await outcomes.get(docs.map(({ _id }) => _id));
  } catch (error) {
    log.warn({ err: error }, 'the results of changes could not be read');
    throw outcomeUnknown(error);
  }
}
