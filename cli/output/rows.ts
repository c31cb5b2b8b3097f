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

/** The records of a list; none where there is no list. */
export const rowsOf = (value: unknown): Row[] => (Array.isArray(value) ? value.filter(isRow) : []);

/** The record that a JSON text is; null for any other text. */
export function parseRow(text: string): Row | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRow(value) ? value : null;
  } catch {
    return null;
  }
}

export const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
