/** One group of changes: stored, which makes them durable, and then passed to a workflow that applies them. */
import type { Clock } from '../lib/clock.js';
import { unavailable, AppError } from '../lib/errors.js';
import { withTimeout } from '../lib/withTimeout.js';
import type { Log } from '../lib/log.js';
import type { ChangeDoc } from './store/outcomeDocs.js';
import type { OutcomeStore } from './store/outcomes.js';
import type { ChangeRecorder } from './outcomeStarter.js';
import { STORED_BY_MS, TRIED_BY_MS } from './deadlines.js';

export interface ChangeItem {
  doc: ChangeDoc;
  /** On the monotonic clock. */
  receivedAt: number;
}

/** A change after its group was committed. */
export interface StoredChange {
  /** As it is stored; undefined: it was deleted, because it cannot be applied. */
  stored: ChangeDoc | undefined;
  /** An earlier request made the same change. */
  replayed: boolean;
}

export interface GroupCommitterDeps {
  outcomes: Pick<OutcomeStore, 'insert' | 'get'>;
  recorder: ChangeRecorder;
  clock: Pick<Clock, 'now' | 'monotonic'>;
  log: Pick<Log, 'warn'>;
}

const NOT_ACCEPTED = 'The outcome was not accepted. Send it again.';

/** Inserts, starts the workflow, and reads the results: few commands for any number of changes. */
export function createGroupCommitter(deps: GroupCommitterDeps) {
  return async (items: readonly ChangeItem[]): Promise<PromiseSettledResult<StoredChange>[]> => {
    // The oldest request of the group sets the deadlines.
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

/** @throws {AppError} `unavailable` when nothing was begun; `outcome_unknown` when it is unknown what is stored */
async function store(
  docs: readonly ChangeDoc[],
  ms: number,
  { outcomes, log }: GroupCommitterDeps,
): Promise<Set<ChangeDoc>> {
  if (ms <= 0) throw unavailable(NOT_ACCEPTED);
  try {
    return await withTimeout(ms, NOT_ACCEPTED, () => outcomes.insert(docs));
  } catch (error) {
    // The driver tries twice, and reports only that no server was there for the second: the first may have succeeded.
    log.warn(
      { err: error, changes: docs.length },
      'whether changes of leads are stored is unknown',
    );
    throw outcomeUnknown(error);
  }
}

/** A stored change is applied even if this fails: the waiting request polls, and `reconcile` finds what is left. */
async function start(
  docs: readonly ChangeDoc[],
  ms: number,
  { recorder, log }: GroupCommitterDeps,
): Promise<void> {
  try {
    // On the clock of this process, which the Temporal client uses.
    const deadline = Date.now() + ms;
    await withTimeout(ms, NOT_ACCEPTED, () => recorder.record(docs, deadline));
  } catch (error) {
    log.warn(
      { err: error, changes: docs.length },
      'changes of leads are stored, and may not be applied yet',
    );
  }
}

/** @throws {AppError} `outcome_unknown` when they cannot be read: the changes are stored all the same */
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

/** Seconds after which a stored change should be applied. */
const RETRY_AFTER_SECONDS = 10;

/** The change is stored, or may be: then it is applied, and a repetition under its id receives the result. */
export const outcomeUnknown = (cause?: unknown): AppError =>
  new AppError(
    'outcome_unknown',
    'Whether the outcome was recorded is unknown. Send it again with the same idempotency_key in ' +
      `${RETRY_AFTER_SECONDS} s: it is not recorded twice.`,
    { retry_after: RETRY_AFTER_SECONDS, cause },
  );

export const notDelivered = (leadId: string): AppError =>
  new AppError('not_found', `There is no lead ${leadId} that was delivered to this buyer.`);

export const keyReused = (): AppError =>
  new AppError(
    'conflict',
    'This idempotency_key was used with another body. Use a new key for a new outcome.',
  );
