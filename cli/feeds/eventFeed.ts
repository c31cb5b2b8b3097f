/** Events as they are recorded, by polling: each once, the oldest first. */
import { type Client, Refused } from '../client/client.js';
import type { Feed } from './follow.js';
import { isRow, rowsOf, type Row } from '../output/rows.js';
import type { WantedEvents } from './wantedEvents.js';

export interface EventFeedOptions {
  wanted: WantedEvents;
  /** Milliseconds: events from then on. Null: from now on. */
  since: number | null;
  /** Between two pages of one poll: other callers share the limit of the key. */
  pause: () => Promise<void>;
  /** Milliseconds. */
  now: () => number;
  /** Called where the shown events depend on others. */
  say: (text: string) => void;
}

/**
 * Events carry the time when they were recorded, and are visible when that is stored; clocks of processes differ a
 * little. Each poll goes back this far.
 */
const OVERLAP_MS = 30_000;
const PAGE_ROWS = 500;
/** Maximum rows of one poll; the next continues from there. */
const ROWS_MAX = 10_000;
/** Listening lasts an hour; it is extended long before its end. */
const PROLONG_MS = 1_200_000;
/** Maximum remembered ids: enough for the overlap at more than 1,000 events a second. */
const RETURNED_MAX = 50_000;

export function createEventFeed(client: Client, options: EventFeedOptions): Feed<Row[]> {
  const { wanted, pause, now, say } = options;
  let from = options.since;
  let listenedAt = -Infinity;
  const given = new Set<string>();

  /** Events of leads are written only while a caller listens. */
  async function listen(): Promise<void> {
    if (now() - listenedAt < PROLONG_MS) return;
    const isFirst = listenedAt === -Infinity;
    listenedAt = now();
    try {
      const { data } = await client.run('listen_events', {});
      if (isRow(data)) from ??= Date.parse(String(data.since));
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 403) throw error;
      if (isFirst)
        say('This key may not listen: only events that automations have as trigger are shown.');
    }
    from ??= now();
  }

  function take(rows: readonly Row[]): Row[] {
    const fresh = rows.filter(({ id }) => !given.has(String(id)));
    for (const { id } of fresh) given.add(String(id));
    for (const id of given) {
      if (given.size <= RETURNED_MAX) break;
      given.delete(id);
    }
    return fresh;
  }

  return {
    async next() {
      await listen();
      const start = from ?? now();
      const rows: Row[] = [];
      let cursor: string | null = null;
      do {
        if (cursor !== null) await pause();
        const { data, next_cursor } = await client.run('list_events', {
          since: new Date(start).toISOString(),
          limit: PAGE_ROWS,
          ...wanted.input,
          cursor: cursor ?? undefined,
        });
        rows.push(...rowsOf(data));
        cursor = next_cursor ?? null;
      } while (cursor !== null && rows.length < ROWS_MAX);
      // Only now: after an error the next poll repeats the interrupted one.
      const last = rows.at(-1);
      if (last) from = Math.max(start, Date.parse(String(last.recorded_at)) - OVERLAP_MS);
      return take(rows).filter((row) => wanted.fits(row));
    },
  };
}
