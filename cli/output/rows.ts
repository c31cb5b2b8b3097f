/** The content of an answer, as rows of a list or as one record. */
import type { CommandEntry } from '../actions/manifest.js';
import { getOwn } from '../../src/lib/getOwn.js';

export type Row = Record<string, unknown>;

export interface Page {
  rows: unknown[];
  /** Where the next page begins; null: this was the last. */
  next: string | null;
}

/** The rows of an answer; its cursor is next to `data`, or in it. */
export function pageOf(
  { rows }: Pick<CommandEntry, 'rows'>,
  body: { data: unknown; next_cursor?: string | null },
): Page {
  const { data } = body;
  const inside = isRow(data) ? data : {};
  const found = rows === '' || rows === null ? data : getOwn(inside, rows);
  const cursor = body.next_cursor ?? inside.next_cursor;
  return {
    rows: Array.isArray(found) ? found : [],
    next: typeof cursor === 'string' ? cursor : null,
  };
}

export const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
