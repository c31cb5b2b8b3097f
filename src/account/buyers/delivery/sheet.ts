/** Which sheet rows are written into, for a reader of settings. */
import { optionalText } from '../../../lib/schema/settings.js';
import { readParts } from '../../../lib/schema/zodIssues.js';
import { z } from 'zod';
import { SpreadsheetId } from '../settingKinds.js';
import type { SettingReader } from './reader.js';

const Sheet = z.strictObject({ spreadsheet_id: SpreadsheetId, sheet: optionalText(100) });

/** A spreadsheet by its id, or by the address that the browser shows; empty where a problem was noted. Null: its first tab. */
export function readSheet(read: SettingReader): { spreadsheet_id: string; sheet: string | null } {
  const given = { spreadsheet_id: read.given('spreadsheet_id'), sheet: read.given('sheet') };
  const { values, problems } = readParts(Sheet, given, () => '');
  for (const { path, code, rule } of problems) read.problem(String(path[0]), code, `${rule}.`);
  return { spreadsheet_id: values.spreadsheet_id ?? '', sheet: values.sheet ?? null };
}
