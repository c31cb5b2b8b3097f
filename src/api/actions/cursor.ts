/** Where the next page of a list goes on: after the last record of this one, even if records come or go meanwhile. */
import type { AppError } from '../../lib/errors.js';
import type { Place } from '../../platform/mongo/pages.js';
import { invalidField } from './readInput.js';

/** Opaque to callers: the list it belongs to, an instant and an id. */
export const writeCursor = (list: string, { at, id }: Place): string =>
  Buffer.from(`${list} ${at.toISOString()} ${id}`).toString('base64url');

/** @throws {AppError} `invalid_input` for a text that no page of this list has returned */
export function readCursor(list: string, text: string): Place {
  const [name, instant = '', id, ...more] = Buffer.from(text, 'base64url')
    .toString('utf8')
    .split(' ');
  const at = new Date(instant);
  const isWhole = name === list && id !== undefined && more.length === 0;
  if (isWhole && !Number.isNaN(Number(at))) return { at, id };
  throw notGiven(list);
}

/** For a bulk command, which goes on where the previous call ended; null: from the beginning. Refused as a cursor is. */
export function readPlace(list: string, text: string | undefined): Place | null {
  try {
    return text === undefined ? null : readCursor(list, text);
  } catch {
    const message = `continue_from must be the continue_from of the previous call of ${list}.`;
    throw invalidField('continue_from', 'invalid_format', message);
  }
}

/** For a list ordered by a text alone, such as a name. */
export const writeTextCursor = (list: string, text: string): string =>
  writeCursor(list, { at: new Date(0), id: Buffer.from(text).toString('base64url') });

/** @throws {AppError} `invalid_input` for a text that no page of this list has returned */
export function readTextCursor(list: string, cursor: string): string {
  const { id } = readCursor(list, cursor);
  const text = Buffer.from(id, 'base64url').toString('utf8');
  if (text !== '' && Buffer.from(text).toString('base64url') === id) return text;
  throw notGiven(list);
}

/** The error for a cursor that no page of this list has returned. */
export function notGiven(list: string): AppError {
  const message = `cursor must be the next_cursor of the previous page of ${list}.`;
  return invalidField('cursor', 'invalid_format', message);
}
