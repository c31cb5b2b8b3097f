/**
 * Counts of a funnel's days. They are summed in memory and written once a second, however many visitors come: a process
 * that is killed loses a second of them.
 */
import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import type { Clock } from '../../lib/clock.js';
import type { Log } from '../../lib/log.js';
import { lruMap } from '../../lib/lruMap.js';
import { windowKeys } from '../../fields/windowKeys.js';
import type { SuspectReason } from '../../leads/rules/origin.js';
import type { FunnelCountDoc } from '../store/funnelDocs.js';

/** Identifies the row that an event is counted in. */
export interface Counted {
  orgId: string;
  funnelId: string;
  version: number;
  /** Of the account: a day is its day. */
  timeZone: string;
  /** As `sourceOf` returns it. */
  source: string;
}

export type CountEvent =
  | { kind: 'view' | 'start' | 'submit' }
  | { kind: 'shown' | 'done'; step: string }
  | { kind: 'suspect'; reason: SuspectReason };

const FLUSH_INTERVAL_MS = 1_000;
/** Rows that wait to be written; further funnels, days and sources are not counted. */
const ROWS_MAX = 5_000;
/** Sources of one funnel and day that a process counts separately; further ones are `other`. */
const SOURCES_MAX = 200;
const DAYS_MAX = 2_000;
const EVENTS_SEEN_MAX = 50_000;
const OTHER = 'other';

type Row = Pick<FunnelCountDoc, '_id' | 'org_id' | 'funnel_id' | 'day' | 'version' | 'source'> & {
  /** By the path of the number. */
  added: Map<string, number>;
};

export type FunnelCounts = ReturnType<typeof createFunnelCounts>;

export function createFunnelCounts({
  funnelCounts,
  clock,
  log,
}: {
  funnelCounts: Collection<FunnelCountDoc>;
  clock: Pick<Clock, 'now'>;
  log: Pick<Log, 'warn'>;
}) {
  let rows = new Map<string, Row>();
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();
  const sources = lruMap<string, Set<string>>(DAYS_MAX);
  const seen = lruMap<string, true>(EVENTS_SEEN_MAX);

  const boundSource = (day: string, source: string): string => {
    const known = sources.get(day) ?? new Set();
    sources.set(day, known);
    if (!known.has(source) && known.size >= SOURCES_MAX) return OTHER;
    known.add(source);
    return source;
  };
  const rowOf = ({ orgId, funnelId, version, timeZone, source: given }: Counted): Row | null => {
    const { day } = windowKeys(clock.now(), timeZone);
    const source = boundSource(`${funnelId}:${day}`, given);
    const _id = `${funnelId}:${day}:${version}:${source}`;
    const known = rows.get(_id);
    if (known) return known;
    if (rows.size >= ROWS_MAX) return null;
    const key = { _id, org_id: orgId, funnel_id: funnelId, day, version, source };
    const row = { ...key, added: new Map<string, number>() };
    rows.set(_id, row);
    return row;
  };
  const write = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const batch = [...rows.values()];
    rows = new Map();
    if (batch.length === 0) return;
    try {
      await funnelCounts.bulkWrite(batch.map(writeOf), { ordered: false });
    } catch (error) {
      log.warn({ err: error, rows: batch.length }, 'counts of funnels were not written');
    }
  };
  const flush = (): Promise<void> => (writing = writing.then(write));
  const count = (what: Counted, event: CountEvent): void => {
    const row = rowOf(what);
    if (!row) return;
    const path = pathOf(event);
    row.added.set(path, (row.added.get(path) ?? 0) + 1);
    timer ??= setTimeout(() => void flush(), FLUSH_INTERVAL_MS).unref();
  };
  return {
    count,
    /**
     * Counts an event that a browser reports, possibly twice: once per page.
     * @param nonce of the page
     */
    countOnce(nonce: string, what: Counted, event: CountEvent): void {
      const key = `${nonce}:${pathOf(event)}`;
      if (seen.get(key)) return;
      seen.set(key, true);
      count(what, event);
    },
    /** Writes the counts that are still in memory. */
    flush,
  };
}

function pathOf(event: CountEvent): string {
  if (event.kind === 'suspect') return `suspects.${event.reason}`;
  if (event.kind === 'shown' || event.kind === 'done') return `steps.${event.step}.${event.kind}`;
  return `${event.kind}s`;
}

/** A row has all of these from its first write. */
const EMPTY = { views: 0, starts: 0, submits: 0, steps: {}, suspects: {} };

function writeOf({ added, _id, ...key }: Row): AnyBulkWriteOperation<FunnelCountDoc> {
  const $inc = Object.fromEntries(added);
  const begun = new Set([...added.keys()].map((path) => path.split('.', 1)[0]));
  const zeros = Object.entries(EMPTY).filter(([name]) => !begun.has(name));
  return {
    updateOne: {
      filter: { _id },
      update: { $inc, $setOnInsert: { ...key, ...Object.fromEntries(zeros) } },
      upsert: true,
    },
  };
}
