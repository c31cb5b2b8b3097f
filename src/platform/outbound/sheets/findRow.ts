/** Looks for a row that an append may have written without a confirmation. */
import { performance } from 'node:perf_hooks';
import { z } from 'zod';
import type { TransportReply } from '../reply.js';
import { tabOf } from '../../rules/sheetTab.js';

export interface SoughtRow {
  spreadsheetId: string;
  /** The tab; null: the first. */
  sheet: string | null;
  /** The value of its first column. */
  id: string;
  timeoutMs: number;
}

/** `failed`: the column could not be read completely, so the result is unknown. */
export type FoundRow = { row: number } | { absent: true } | { failed: string };

/** A GET of a path below the spreadsheets; `by` is on the clock of performance.now(). */
export type ReadSheet = (path: string, by: number) => Promise<TransportReply>;

/** Cells of one answer: ids of leads have 36 characters, of events up to 125; all of them fit into what is read. */
const ROWS_AT_ONCE = 2_000;

const Tabs = z.object({
  sheets: z.array(
    z.object({
      properties: z.object({
        title: z.string(),
        gridProperties: z.object({ rowCount: z.number().int().nonnegative() }),
      }),
    }),
  ),
});
/** Empty cells at the end are left out, and so is the list where all are empty. */
const Column = z.object({ values: z.array(z.array(z.unknown())).default([]) });

/** Reads from the end, where rows are appended, up to the first row or the end of the time. */
export async function findRow(
  { spreadsheetId, sheet, id, timeoutMs }: SoughtRow,
  read: ReadSheet,
): Promise<FoundRow> {
  const by = performance.now() + timeoutMs;
  const spreadsheet = encodeURIComponent(spreadsheetId);
  const fields = 'sheets.properties(title,gridProperties.rowCount)';
  const tabs = parsed(Tabs, await read(`${spreadsheet}?fields=${encodeURIComponent(fields)}`, by));
  if ('failed' in tabs) return tabs;
  const tab = tabs.value.sheets.find(({ properties }) => [null, properties.title].includes(sheet));
  if (!tab) return { failed: 'the sheet has no such tab' };
  for (let last = tab.properties.gridProperties.rowCount; last > 0; last -= ROWS_AT_ONCE) {
    const first = Math.max(1, last - ROWS_AT_ONCE + 1);
    const range = encodeURIComponent(`${tabOf(sheet)}A${first}:A${last}`);
    const query = 'majorDimension=COLUMNS&prettyPrint=false';
    const part = parsed(Column, await read(`${spreadsheet}/values/${range}?${query}`, by));
    if ('failed' in part) return part;
    const at = part.value.values[0]?.lastIndexOf(id) ?? -1;
    if (at >= 0) return { row: first + at };
  }
  return { absent: true };
}

function parsed<T>(schema: z.ZodType<T>, reply: TransportReply): { value: T } | { failed: string } {
  if (reply.kind !== 'answered') return { failed: reply.reason };
  if (reply.status !== 200) return { failed: `Google Sheets answered ${reply.status}` };
  try {
    return { value: schema.parse(JSON.parse(reply.body)) };
  } catch {
    return { failed: 'Google Sheets gave an answer that cannot be read' };
  }
}
