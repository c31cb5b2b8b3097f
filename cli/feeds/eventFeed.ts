/** Events as they are recorded, by asking for them again and again: each once, the oldest first. */
import type { Client } from '../client/client.js';
import { Refused } from '../client/client.js';
import type { Feed } from './follow.js';
import { isRow, type Row } from '../output/rows.js';

export interface EventFeedOptions {
  /** Only these; null: every kind. */
  type: string | null;
  /** Milliseconds: events from then on. Null: from now on. */
  since: number | null;
  /** Between two pages of one look: the limit of a key is for others, too. */
  pause: () => Promise<void>;
  /** Milliseconds. */
  now: () => number;
  /** Told where what is shown depends on others. */
  say: (text: string) => void;
}

/**
 * Events have the time when they were recorded, and are seen when that is stored; processes differ by a little. So far
 * back they are looked for again.
 */
const OVERLAP_MS = 30_000;
const PAGE_ROWS = 500;
/** Read by one look at most; the next goes on from there. */
const ROWS_MAX = 10_000;
/** Listening lasts an hour; it is prolonged long before. */
const PROLONG_MS = 1_200_000;
/** So many are remembered as given: what comes within the overlap, at more than 1,000 a second. */
const RETURNED_MAX = 50_000;

export function createEventFeed(client: Client, options: EventFeedOptions): Feed<Row[]> {
  const { type, pause, now, say } = options;
  let from = options.since;
  let listenedAt = -Infinity;
  const given = new Set<string>();

  /** What happens to leads is an event only where somebody listens. */
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
          ...(type === null ? {} : { type }),
          ...(cursor === null ? {} : { cursor }),
        });
        rows.push(...(Array.isArray(data) ? data : []).filter(isRow));
        cursor = next_cursor ?? null;
      } while (cursor !== null && rows.length < ROWS_MAX);
      // Only now: what an error has cut off is asked for again.
      const last = rows.at(-1);
      if (last) from = Math.max(start, Date.parse(String(last.recorded_at)) - OVERLAP_MS);
      return take(rows);
    },
  };
}
