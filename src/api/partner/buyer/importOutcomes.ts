/**
 * Outcomes in bulk: a file as spreadsheets save it, row by row by the rules of postbacks, with the result of each row.
 */
import { z } from 'zod';
import { readRows, type CsvRow } from '../../../lib/csv/readRows.js';
import { chunks } from '../../../lib/chunks.js';
import { AppError, invalidFields } from '../../../lib/errors.js';
import { definePartnerCall, type PartnerContext } from '../call.js';
import { invalidField } from '../../actions/readInput.js';
import { readMeantChange, type MeantChange } from './meantLead.js';
import { changeSale } from './outcomes.js';
import { orNull } from '../schemas/shared.js';

const OUTCOME_ROWS_MAX = 1_000;

/** Bytes of the file, in UTF-8. */
const OUTCOME_BYTES_MAX = 1_048_576;

const ReportLine = z.object({
  /** Of the file; the head is line 1. */
  line: z.number().int(),
  result: z.enum(['done', 'would_do', 'refused', 'unknown']),
  lead_id: orNull(z.string()),
  /** For a refusal: the column, and its fault. */
  path: orNull(z.string()),
  code: orNull(z.string()),
  message: orNull(z.string()),
});

type Report = z.input<typeof ReportLine>;

const COLUMNS = [
  ...(['lead_id', 'campaign_id', 'phone', 'email', 'click_id'] as const),
  ...(['match_field', 'match_value'] as const),
  ...(['outcome', 'conversion_revenue', 'revenue', 'lead_value', 'note'] as const),
] as const;

/** Bytes of the request: the file as JSON text, whose line breaks and quotes take two each. */
const BODY_MAX = 2 * OUTCOME_BYTES_MAX;
/** Rows processed at a time. */
const AT_ONCE = 16;

export const importOutcomes = definePartnerCall({
  name: 'import_outcomes',
  effect: 'write',
  bodyMax: BODY_MAX,
  hides: ['csv'],
  input: z.strictObject({
    /** With a head: lead_id, or campaign_id with phone, email or click_id; then outcome and the rest. At most 1,000 rows. */
    csv: z.string().min(1).max(OUTCOME_BYTES_MAX),
    /** Only reports what the result of each row would be. */
    dry_run: z.boolean().default(false),
  }),
  output: z.object({
    rows: z.number().int(),
    done: z.number().int(),
    refused: z.number().int(),
    report: z.array(ReportLine),
  }),
  async run({ csv, dry_run }, context) {
    const { names, rows } = await readFile(csv);
    const report: Report[] = [];
    for (const some of chunks(rows, AT_ONCE))
      report.push(...(await reportsOf(some, { names, isDry: dry_run }, context)));
    const count = (...results: Report['result'][]) =>
      report.filter(({ result }) => results.includes(result)).length;
    return {
      rows: rows.length,
      done: count('done', 'would_do'),
      refused: count('refused', 'unknown'),
      report,
    };
  },
});

async function readFile(csv: string): Promise<{ names: string[]; rows: CsvRow[] }> {
  const bytes = new TextEncoder().encode(csv);
  // The schema limits its characters, of which each may have several bytes.
  if (bytes.length > OUTCOME_BYTES_MAX)
    throw invalidField('csv', 'too_long', `csv must have at most ${OUTCOME_BYTES_MAX} bytes.`);
  const all: CsvRow[] = [];
  for await (const some of readRows(inOne(bytes))) {
    all.push(...some);
    if (all.length > OUTCOME_ROWS_MAX + 1)
      throw invalidField(
        'csv',
        'too_long',
        `csv must have at most ${OUTCOME_ROWS_MAX} rows and a head.`,
      );
  }
  const [head, ...rows] = all;
  if (!head || 'fault' in head) throw invalidField('csv', 'invalid_format', HEAD_RULE);
  const names = head.cells.map((cell) => cell.toLowerCase());
  requireColumns(names);
  if (rows.length === 0)
    throw invalidField('csv', 'required', 'csv must have a row below its head.');
  return { names, rows };
}

const HEAD_RULE = `csv must begin with a head that names its columns: ${COLUMNS.join(', ')}.`;

function requireColumns(names: readonly string[]): void {
  const stray = names.find((name) => !COLUMNS.some((column) => column === name));
  if (stray !== undefined)
    throw invalidField(
      'csv',
      'not_allowed',
      `csv has a column "${stray.slice(0, 40)}". ${HEAD_RULE}`,
    );
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw invalidField('csv', 'not_allowed', `csv has the column ${twice} twice; remove one.`);
}

async function* inOne(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

interface Asked {
  names: readonly string[];
  isDry: boolean;
}

/** A row that names a lead and its outcome, or the fault of one that does not. */
type ReadRow = { line: number; meant: MeantChange } | { report: Report };

/** Rows of different leads at once; those of one lead in the order of the file, so that the last one holds. */
async function reportsOf(
  rows: readonly CsvRow[],
  { names, isDry }: Asked,
  context: PartnerContext,
): Promise<Report[]> {
  const read = await Promise.all(rows.map((row) => readRow(row, names, context)));
  const reports = new Map<number, Report>();
  const ofLead = Map.groupBy(read.entries(), ([index, row]) =>
    'meant' in row ? row.meant.lead_id : `row ${index}`,
  );
  const inOrder = async (rowsOfLead: [number, ReadRow][]): Promise<void> => {
    for (const [index, row] of rowsOfLead)
      reports.set(index, 'meant' in row ? await change(row, isDry, context) : row.report);
  };
  await Promise.all([...ofLead.values()].map(inOrder));
  return rows.flatMap((_row, index) => reports.get(index) ?? []);
}

async function readRow(
  row: CsvRow,
  names: readonly string[],
  context: PartnerContext,
): Promise<ReadRow> {
  return orRefusal(row.line, async () => ({
    line: row.line,
    meant: await readMeantChange(bodyOf(row, names), true, context),
  }));
}

async function change(
  { line, meant }: { line: number; meant: MeantChange },
  isDry: boolean,
  context: PartnerContext,
): Promise<Report> {
  const { report, ...named } = meant;
  const made = await orRefusal(line, async (): Promise<{ report: Report }> => {
    if (!isDry) await changeSale(named, report, context);
    const { lead_id } = named;
    return { report: { line, result: isDry ? 'would_do' : 'done', lead_id } };
  });
  return made.report;
}

/** A fault of ours is no result of a row. */
async function orRefusal<T>(line: number, work: () => Promise<T>): Promise<T | { report: Report }> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError) return { report: refusalOf(line, error) };
    throw error;
  }
}

function bodyOf(row: CsvRow, names: readonly string[]): Record<string, string> {
  if ('fault' in row)
    throw unreadable('This row cannot be read: a quote is not closed, or it is too long.');
  if (row.cells.length > names.length)
    throw unreadable(`This row has ${row.cells.length} cells, the head ${names.length}.`);
  const cells = names.map((name, at): [string, string] => [name, row.cells[at] ?? '']);
  // A blank cell is left out: a row may report revenue or a note alone.
  return Object.fromEntries(cells.filter(([, cell]) => cell.trim() !== ''));
}

const unreadable = (message: string): AppError =>
  invalidFields([{ field: 'csv', code: 'invalid_format', message }]);

const refusal = (line: number, path: string | null, code: string, message: string): Report => ({
  line,
  result: 'refused',
  path,
  code,
  message,
});

/** When the result of a row is unknown, it may be sent again: the same outcome twice changes nothing. */
function refusalOf(line: number, error: AppError): Report {
  const [first] = error.extras.field_errors ?? [];
  if (first) return refusal(line, first.field, first.code, first.message);
  if (error.code === 'not_found')
    return refusal(line, 'lead_id', error.code, 'You do not have this lead.');
  const result = error.code === 'outcome_unknown' ? 'unknown' : 'refused';
  return { ...refusal(line, null, error.code, error.message), result };
}
