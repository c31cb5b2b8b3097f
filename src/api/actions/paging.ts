/** Lists come in pages: one way for every action that is `paged`. */
import { z } from 'zod';
import type { Found, Wanted } from '../../platform/mongo/pages.js';
import { readCursor, writeCursor } from './cursor.js';

/** The result of a paged action: `data`, and the cursor of the next page. */
export interface Page<T> {
  data: T;
  /** Null on the last page. */
  next_cursor: string | null;
}

/** The part of the input that every paged action has. */
export const pageInput = {
  limit: z.number().int().min(1).max(500).default(100).describe('Maximum rows per page, 1 to 500'),
  cursor: z
    .string()
    .max(300)
    .optional()
    .describe('next_cursor of the previous page; absent for the first page'),
};

export interface PageAsked {
  limit: number;
  cursor?: string;
}

/**
 * One page of a list.
 * @param name of the list: a cursor works only for the list that returned it
 * @throws {AppError} `invalid_input` for a cursor that this list has not returned
 */
export async function pageOf<T>(
  name: string,
  { limit, cursor }: PageAsked,
  find: (wanted: Wanted) => Promise<Found<T>>,
): Promise<Page<T[]>> {
  const after = cursor === undefined ? null : readCursor(name, cursor);
  const { docs, next } = await find({ after, limit });
  return { data: docs, next_cursor: next && writeCursor(name, next) };
}
