/**
 * New leads as they come, by asking for them again and again. A lead is given once: when it is decided, or when it is
 * still not decided as long after it came as a lead is looked for.
 */
import type { Client } from '../client/client.js';
import { isRow, type Row } from '../output/rows.js';
import type { Feed } from './follow.js';
import type { Wanted } from './wanted.js';

export interface FeedOptions {
  wanted: Wanted;
  /** Milliseconds: leads that came then or later. Null: the latest `last`, and what comes from now on. */
  since: number | null;
  /** How many of those that are there already, 0 to 500. */
  last: number;
  /** Between two pages: the limit of a key is for others, too. */
  pause: () => Promise<void>;
  /** Milliseconds, where the server does not tell its time. */
  now: () => number;
}

export interface Batch {
  /** The oldest first. */
  leads: Row[];
  /** More came than can be followed: older ones are left out, and this is where they begin. Null: none are. */
  left: string | null;
}

export type LeadFeed = Feed<Batch>;

/**
 * A lead has the time when it came, and is seen when it is stored; servers differ by a little. So far back it is looked
 * for again.
 */
const OVERLAP_MS = 30_000;
const PAGE_ROWS = 500;
/** What one look reads at most: 10,000 leads are held until the oldest of them is known. */
const PAGES_MAX = 20;

interface Walk {
  rows: Row[];
  /** When it began, by the clock of the server. */
  at: number;
  left: string | null;
}

export function createLeadFeed(client: Client, options: FeedOptions): LeadFeed {
  const { wanted, since, last, pause, now } = options;
  /** Leads that came from here on are looked for. Null: nothing was asked yet. */
  let from: number | null = since;
  /** Those given, with the time when they came. */
  const given = new Map<string, number>();
  /** Those not decided yet. */
  const held = new Map<string, Row>();

  async function walk(start: number): Promise<Walk> {
    const rows: Row[] = [];
    let at: number | null = null;
    let cursor: string | null = null;
    for (let page = 0; page < PAGES_MAX; page += 1) {
      if (page > 0) await pause();
      const found = await ask({
        created_from: new Date(start).toISOString(),
        limit: PAGE_ROWS,
        ...(cursor === null ? {} : { cursor }),
      });
      at ??= found.at;
      rows.push(...found.rows);
      cursor = found.next;
      if (cursor === null) break;
    }
    return { rows, at: at ?? now(), left: cursor };
  }

  async function ask(place: Row): Promise<{ rows: Row[]; next: string | null; at: number }> {
    const { data, servedAt } = await client.run('get_leads', { ...wanted.input, ...place });
    const inside = isRow(data) ? data : {};
    const rows = Array.isArray(inside.leads) ? inside.leads.filter(isRow) : [];
    const next = typeof inside.next_cursor === 'string' ? inside.next_cursor : null;
    return { rows, next, at: servedAt ?? now() };
  }

  /** Those of the rows that are due, and those that were held for long enough. */
  function take(rows: readonly Row[], horizon: number): Row[] {
    const out: Row[] = [];
    for (const row of rows) {
      const id = idOf(row);
      if (given.has(id) || !wanted.fits(row)) continue;
      if (isUndecided(row) && !wanted.takesNew && cameAt(row) >= horizon) held.set(id, row);
      else give(row, out);
    }
    for (const row of held.values()) if (cameAt(row) < horizon) give(row, out);
    for (const [id, at] of given) if (at < horizon) given.delete(id);
    return out.sort(byTime);
  }

  function give(row: Row, out: Row[]): void {
    given.set(idOf(row), cameAt(row));
    held.delete(idOf(row));
    out.push(row);
  }

  /** The latest of those that are there; all before them count as given. */
  async function first(): Promise<Batch> {
    const latest = await ask({ limit: Math.max(1, last) });
    const horizon = latest.at - OVERLAP_MS;
    const start = Math.max(-Infinity, ...latest.rows.slice(0, 1).map(cameAt));
    const { rows, left } = await walk(horizon);
    const known = new Set(latest.rows.map(idOf));
    // What came with the latest, or after it, is new; it is better told once too often than not at all.
    const old = rows.filter((row) => !known.has(idOf(row)) && cameAt(row) < start);
    const fresh = rows.filter((row) => !known.has(idOf(row)) && cameAt(row) >= start);
    for (const row of old) given.set(idOf(row), cameAt(row));
    if (last === 0) for (const row of latest.rows) given.set(idOf(row), cameAt(row));
    const leads = take([...latest.rows, ...fresh], horizon);
    from = reached(horizon, rows, left);
    return { leads, left: start === -Infinity ? left : null };
  }

  return {
    async next() {
      if (from === null) return first();
      const { rows, at, left } = await walk(from);
      const horizon = Math.max(from, at - OVERLAP_MS);
      const leads = take(rows, horizon);
      from = reached(horizon, rows, left);
      return { leads, left };
    },
  };
}

/** What was left out stays left out. */
const reached = (horizon: number, rows: readonly Row[], left: string | null): number =>
  left === null ? horizon : Math.max(horizon, ...rows.slice(-1).map(cameAt));

const idOf = (row: Row): string => String(row.id);
const cameAt = (row: Row): number => Date.parse(String(row.created_at));
const isUndecided = ({ status }: Row): boolean => status === 'NEW';
const byTime = (a: Row, b: Row): number =>
  cameAt(a) - cameAt(b) || (idOf(a) < idOf(b) ? -1 : Number(idOf(a) > idOf(b)));
