/** Which sheet rows are written into, as a person names it. */
import type { SettingReader } from './reader.js';

export const COLUMNS_MAX = 200;
const NAME_MAX = 100;
const ADDRESS_MAX = 500;

const ID = /^[A-Za-z0-9_-]{10,100}$/;
const ADDRESS =
  /^https:\/\/docs\.google\.com\/spreadsheets\/(?:u\/[0-9]+\/)?d\/([A-Za-z0-9_-]{10,100})(?:[/?#]|$)/;

/** A spreadsheet by its id, or by the address that the browser shows; empty where a problem was noted. Null: its first tab. */
export function readSheet(read: SettingReader): { spreadsheet_id: string; sheet: string | null } {
  const given = read.text('spreadsheet_id', ADDRESS_MAX)?.trim() ?? null;
  const id = ADDRESS.exec(given ?? '')?.[1] ?? given;
  const sheet = read.text('sheet', NAME_MAX);
  if (id !== null && ID.test(id)) return { spreadsheet_id: id, sheet };
  const rule =
    'must be the address of the sheet, or the part of it between /d/ and the next slash.';
  read.problem('spreadsheet_id', id === null ? 'required' : 'invalid_format', rule);
  return { spreadsheet_id: '', sheet };
}
