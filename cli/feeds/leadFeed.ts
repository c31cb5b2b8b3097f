/**
 * New leads as they arrive, by polling. A lead is returned once: when it is decided, or when it is
 * still undecided after the overlap in which leads are searched for.
 */
import type { Client } from '../client/client.js';
import { isRow, type Row } from '../output/rows.js';
import type { Feed } from './follow.js';
import type { Wanted } from './wanted.js';

export interface FeedOptions {
  wanted: Wanted;
  /** Milliseconds: leads that arrived then or later. Null: the latest `last`, and those that arrive from now on. */
  since: number | null;
  /** How many existing leads, 0 to 500. */
  last: number;
  /** Between two pages: other callers share the limit of the key. */
  pause: () => Promise<void>;
  /** Milliseconds, where the server does not send its time. */
  now: () => number;
}

export interface Batch {
  /** The oldest first. */
  leads: Row[];
  /** More arrived than can be followed: older ones are left out, and this is where they begin. Null: none are. */
  left: string | null;
}

export type LeadFeed = Feed<Batch>;

/**
 * A lead carries the time when it arrived, and is visible when it is stored; clocks of servers differ a little. Each
 * poll goes back this far.
 */
const OVERLAP_MS = 30_000;
const PAGE_ROWS = 500;
/** Maximum pages of one poll: 10,000 leads are held until the oldest of them is known. */
const PAGES_MAX = 20;

interface Walk {
  rows: Row[];
  /** When it began, by the clock of the server. */
  at: number;
  left: string | null;
}

export function createLeadFeed(client: Client, options: FeedOptions): LeadFeed {
  const { wanted, since, last, pause, now } = options;
  /** Leads that arrived from here on are searched for. Null: no poll yet. */
  let from: number | null = since;
  /** Ids of returned leads, with the time when they arrived. */
  const given = new Map<string, number>();
  /** Leads that are not decided yet. */
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
        cursor: cursor ?? undefined,
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

  /** Returns the rows that are due, and those that were held for long enough. */
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

  /** The latest existing leads; all earlier ones count as returned. */
  async function first(): Promise<Batch> {
    const latest = await ask({ limit: Math.max(1, last) });
    const horizon = latest.at - OVERLAP_MS;
    const start = Math.max(-Infinity, ...latest.rows.slice(0, 1).map(cameAt));
    const { rows, left } = await walk(horizon);
    const known = new Set(latest.rows.map(idOf));
    // A lead that arrived with the latest, or after it, counts as new: showing it twice is better than not at all.
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

/** Leads that were left out stay left out. */
const reached = (horizon: number, rows: readonly Row[], left: string | null): number =>
  left === null ? horizon : Math.max(horizon, ...rows.slice(-1).map(cameAt));

const idOf = (row: Row): string => String(row.id);
const cameAt = (row: Row): number => Date.parse(String(row.created_at));
const isUndecided = ({ status }: Row): boolean => status === 'NEW';
const byTime = (a: Row, b: Row): number =>
  cameAt(a) - cameAt(b) || (idOf(a) < idOf(b) ? -1 : Number(idOf(a) > idOf(b)));
