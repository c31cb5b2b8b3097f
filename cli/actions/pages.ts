/** The pages of a list: as many as the rows that were requested need. */
import type { Answer, Client } from '../client/client.js';
import { isRow, pageOf } from '../output/rows.js';
import type { RowSink } from '../output/show.js';
import { UsageError } from '../terminal/errors.js';
import type { Terminal } from '../terminal/terminal.js';
import type { CommandEntry } from './manifest.js';

export interface Paging {
  /** Every page. */
  all?: true;
}

export interface Taken {
  count: number;
  /** Where the rest begins; null: there is none. */
  next: string | null;
  /** What the server says beside the rows. */
  notes: string[];
}

/** Page by page, as many rows as were requested. */
export async function takePages(
  client: Client,
  entry: CommandEntry,
  { input, most, size }: Limits,
  sink: Pick<RowSink, 'take'>,
): Promise<Taken> {
  const taken: Taken = { count: 0, next: null, notes: [] };
  do {
    const limit = size === undefined ? input.limit : Math.min(size, most - taken.count);
    const cursor = taken.next ?? input.cursor;
    const answer = await client.run(entry.name, { ...input, limit, cursor });
    const page = pageOf(entry, answer);
    taken.notes.push(...notesOf(answer));
    sink.take(page.rows);
    taken.count += page.rows.length;
    taken.next = page.next;
  } while (taken.next !== null && taken.count < most);
  return taken;
}

const notesOf = ({ data }: Pick<Answer, 'data'>): string[] =>
  isRow(data) && Array.isArray(data.notes) ? data.notes.map(String) : [];

/** Rows that are left are always reported. */
export function report(
  { count, next, notes }: Taken,
  { cli }: CommandEntry,
  { say, isWatched }: Terminal,
): void {
  for (const note of notes) say(note);
  if (next !== null) {
    say(`Showing ${count}, and there are more: --all, --limit N, or --cursor ${next}`);
  } else if (count === 0 && isWatched) {
    say(`There are none (leadwire ${cli.join(' ')}).`);
  }
}

export interface Limits {
  input: Record<string, unknown>;
  /** Rows in total. */
  most: number;
  /** Rows per page; absent: the server decides. */
  size?: number;
}

/** A limit above the server's takes several pages. */
export function limitsOf(
  { paged, flags }: CommandEntry,
  input: Record<string, unknown>,
  { all }: Paging,
): Limits {
  if (!paged) return { input, most: 0 };
  const flag = flags.find(({ key }) => key === 'limit');
  const limit = input.limit;
  if (all && limit !== undefined) throw new UsageError('--all and --limit exclude each other.');
  if (all) return { input, most: Infinity, size: flag?.maximum };
  if (typeof limit !== 'number' || limit < 1) return { input, most: 0 };
  return { input, most: limit, size: flag?.maximum };
}
