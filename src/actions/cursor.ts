/** Where the next page of a list goes on: after the last record of this one, whatever came or went meanwhile. */
import { invalidInput } from './readInput.js';

export interface Place {
  at: Date;
  id: string;
}

export const writeCursor = (at: Date, id: string): string =>
  Buffer.from(`${at.toISOString()} ${id}`).toString('base64url');

/** @throws {AppError} `invalid_input` for a text that no page has given */
export function readCursor(text: string): Place {
  const [instant = '', id = ''] = Buffer.from(text, 'base64url').toString('utf8').split(' ');
  const at = new Date(instant);
  if (!Number.isNaN(Number(at)) && id !== '') return { at, id };
  const message = 'cursor must be the next_cursor of the page before.';
  throw invalidInput([{ path: 'cursor', code: 'invalid_format', message }]);
}
