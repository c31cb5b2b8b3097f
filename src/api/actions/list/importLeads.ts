/** Leads from a file, through the intake. */
import { z } from 'zod';
import { supplierKeyPlace } from '../../../account/rules/sealedPlaces.js';
import { findCampaign } from '../../../account/campaigns/campaigns.js';
import { findSupplier } from '../../../account/suppliers/suppliers.js';
import { FieldScalar } from '../../../fields/values.js';
import { importRows, type ImportRow, type RowReport } from '../../../ingest/imports/importRows.js';
import {
  readImportRow,
  rowsOfCsv,
  type BrokenRow,
  type SentRow,
} from '../../../ingest/imports/readImport.js';
import { defineAction } from '../action.js';
import { fieldOfColumn, isOwnColumn } from '../exportColumns.js';
import { LEADS } from '../exits.js';
import { invalidField } from '../readInput.js';
import { id, orNull } from '../schemas/common.js';
import { Csv } from './suppressions.js';

/** As many as are decided within a call. */
const ROWS_MAX = 500;
const RESULTS = [
  ...(['accepted', 'unmatched', 'duplicate', 'rejected'] as const),
  ...(['refused', 'unknown', 'again', 'unanswered', 'valid'] as const),
] as const;

export const importLeads = defineAction({
  name: 'import_leads',
  cli: ['leads', 'import-rows'],
  summary: 'Import leads from rows of a file',
  description:
    'Sends rows of a file as leads of a supplier, with the validation, duplicates and routing of a posted lead, and reports ' +
    'each row. dry_run checks the fields of each row and stores nothing. A row that an earlier call has imported returns ' +
    'its lead and is not sold again: rows are distinguished by import_id and line, or by the value of key_column in all ' +
    `imports of this supplier and campaign, for 90 days. Send at most ${ROWS_MAX} rows a call, as rows or as csv, and rows ` +
    'with the result again or unanswered once more, under the same import_id and key_column. Columns of export_leads that are no fields, such as id and status, are ignored. The ' +
    'calls count toward the calls of a minute, and not toward its writes.',
  idempotent: true,
  reachesOut: true,
  isPartOfFile: true,
  permission: 'leads:write',
  letsOut: [LEADS],
  hides: ['rows', 'csv'],
  input: z.strictObject({
    campaign_id: id('campaign'),
    supplier_id: id('supplier'),
    import_id: z
      .string()
      .regex(/^[\w.-]{1,100}$/)
      .describe('Your name of the import: letters, digits, ._-; the same one continues it'),
    rows: z
      .array(
        z.strictObject({
          line: z.number().int().min(1).describe('Line of the file'),
          fields: z.record(z.string(), FieldScalar.nullable()).describe('Values by column'),
        }),
      )
      .min(1)
      .max(ROWS_MAX)
      .optional()
      .describe('The rows, where they are not sent as csv'),
    csv: Csv.optional().describe('The rows as CSV; the first line names the fields'),
    first_line: z
      .number()
      .int()
      .min(2)
      .default(2)
      .describe('Line of the file that the second line of csv is'),
    key_column: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('The column that distinguishes rows, such as an id of yours'),
    is_test: z.boolean().default(false).describe('Send test leads, which cost nothing'),
    dry_run: z.boolean().default(false).describe('Check the rows, and store nothing'),
  }),
  example: {
    campaign_id: '5f3e7c1a-6a0e-4d7b-9f57-0c8f2f1f6a11',
    supplier_id: 'c1b7d1e4-5b0a-4a43-9f0d-54f9f8d2b6e3',
    import_id: 'partner-2026-11-28',
    csv: 'first_name,phone\nAda,4155550134',
    dry_run: true,
  },
  output: z.object({
    import_id: z.string().describe('The import'),
    dry_run: z.boolean().describe('Nothing was stored'),
    counts: z.partialRecord(z.enum(RESULTS), z.number().int()).describe('Rows by result'),
    rows: z
      .array(
        z.object({
          line: z.number().int().describe('Line of the file'),
          result: z
            .enum(RESULTS)
            .describe(
              'accepted, unmatched, duplicate, rejected: it is a lead. refused: it is none. again: this call made no ' +
                'lead of it; send it once more. unanswered: it may be a lead; send it once more under the same import_id ' +
                'and key_column, which returns the lead or makes it. unknown: look for its lead. valid: the dry run found no fault',
            ),
          lead_id: orNull(z.string()).describe('Its lead'),
          message: orNull(z.string()).describe('Why, in words'),
          repeated: z.boolean().describe('An earlier call has imported it'),
        }),
      )
      .describe('Each row, in the order of the file'),
  }),
  async run(input, context) {
    const { collections, orgId, keyring } = context;
    const { campaign_id, supplier_id, import_id, dry_run } = input;
    await findCampaign(context, campaign_id);
    const supplier = await findSupplier({ collections, orgId }, supplier_id);
    const sent = await sentRows(input);
    const rules = {
      import_id,
      supplier_id,
      campaign_id,
      isOwnColumn,
      keyColumn: input.key_column,
      fieldOf: fieldOfColumn,
    };
    const read = sent
      .map((row) => ('message' in row ? row : readImportRow(row, rules)))
      .filter((row) => row !== null);
    const target = {
      org_id: orgId,
      supplier_id,
      key: keyring.open(supplier.api_key, supplierKeyPlace(supplier_id)),
      control: {
        flo_campaign_id: campaign_id,
        flo_supplier_id: supplier_id,
        ...(input.is_test ? { test_lead: true } : {}),
      },
    };
    const whole = read.filter((row): row is ImportRow => 'fields' in row);
    const broken = read.filter((row): row is BrokenRow => 'message' in row).map(refused);
    const reports = [...(await importRows(whole, target, context, dry_run)), ...broken];
    const rows = reports.toSorted((a, b) => a.line - b.line);
    return { import_id, dry_run, counts: countsOf(rows), rows };
  },
});

interface Sent {
  rows?: { line: number; fields: SentRow['values'] }[];
  csv?: string;
  first_line: number;
}

/** @throws {AppError} `invalid_input` unless there is one of both, with as many rows as a call takes */
async function sentRows({ rows, csv, first_line }: Sent): Promise<(SentRow | BrokenRow)[]> {
  if ((rows === undefined) === (csv === undefined))
    throw invalidField('rows', 'required', 'One of rows and csv must be given, and not both.');
  if (rows) return rows.map(({ line, fields: values }) => ({ line, values }));
  const read = await rowsOfCsv(csv ?? '', first_line);
  if (read.length <= ROWS_MAX) return read;
  const message = `csv must have at most ${ROWS_MAX} rows; it has ${read.length}.`;
  throw invalidField('csv', 'too_long', message);
}

const refused = ({ line, message }: BrokenRow): RowReport => ({
  line,
  message,
  result: 'refused' as const,
  lead_id: null,
  repeated: false,
});

const countsOf = (rows: readonly RowReport[]): Partial<Record<RowReport['result'], number>> =>
  Object.fromEntries(
    RESULTS.flatMap((result) => {
      const count = rows.filter((row) => row.result === result).length;
      return count === 0 ? [] : [[result, count]];
    }),
  );
