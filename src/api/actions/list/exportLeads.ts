/** Leads as a file, with the columns that the caller chooses. */
import { z } from 'zod';
import {
  findWholeLeads,
  type ExportedLead,
  type LeadFilter,
} from '../../../leads/store/leadPages.js';
import type { Found, Wanted } from '../../../platform/mongo/pages.js';
import { definePagedAction, type ActionContext } from '../action.js';
import { PEOPLE } from '../exits.js';
import { columnsOf, EXPORT_COLUMNS, exportCells, type NameMaps } from '../exportColumns.js';
import { leadFilterInput, readLeadFilter, requireNamed } from '../leadFilter.js';
import { pageInput, pageOf } from '../paging.js';
import { readNames } from '../recordNames.js';
import { refuseRare } from './leads.js';

const fields = z
  .array(z.string().min(1).max(100))
  .min(1)
  .max(100)
  .optional()
  .describe(
    `The columns, after id: of ${EXPORT_COLUMNS.join(', ')}, and fields of leads, such as phone; fields.NAME where a field ` +
      'has the name of a column. Default: no contact data',
  );

export const exportLeads = definePagedAction({
  name: 'export_leads',
  cli: ['leads', 'export-page'],
  summary: 'Export leads with chosen columns',
  description:
    'Returns leads that match all filters given, newest first, as flat rows with the columns that fields names. Over HTTP, ' +
    'Accept: text/csv or application/x-ndjson streams all of them, however many, without limit and cursor; the last line ' +
    '(#end N, or {"end":true,"rows":N}) states the number of rows, and a file without it was cut. Otherwise the answer is ' +
    'a page. A column that no lead has is empty.',
  permission: 'leads:read',
  letsOut: [PEOPLE],
  hides: ['search'],
  input: z.strictObject({ ...leadFilterInput, fields, ...pageInput }),
  example: { date_from: '2026-11-22', date_to: '2026-11-28', fields: ['status', 'phone', 'price'] },
  output: z.object({
    leads: z
      .array(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])))
      .describe('One page: of each lead its id, and a value of each column'),
    next_cursor: z
      .string()
      .nullable()
      .describe('cursor of the next page, or null; the same as next_cursor next to data'),
  }),
  async run({ limit, cursor, fields: chosen, ...wanted }, context) {
    const { collections } = context;
    const filter = await readLeadFilter(wanted, context);
    const columns = columnsOf(chosen);
    const page = await pageOf(
      'export_leads',
      { limit, cursor },
      async (place) =>
        (await findWholeLeads(collections.leads, filter, place)) ?? refuseRare(wanted),
    );
    if (page.data.length === 0 && cursor === undefined) await requireNamed(wanted, context);
    const cells = await createCells(columns, context)(page.data);
    const leads = cells.map((row) =>
      Object.fromEntries(columns.map((name, at) => [name, shownCell(row[at])])),
    );
    return { data: { leads, next_cursor: page.next_cursor }, next_cursor: page.next_cursor };
  },
  async file({ limit: _limit, cursor: _cursor, fields: chosen, ...wanted }, context) {
    await requireNamed(wanted, context);
    const filter = await readLeadFilter(wanted, context);
    const columns = columnsOf(chosen);
    const cells = createCells(columns, context);
    return {
      columns,
      batches: batchesOf(
        (place) => readBatch(filter, place, context),
        cells,
        () => refuseRare(wanted),
      ),
    };
  },
});

const shownCell = (cell: ReturnType<typeof exportCells>[number]) =>
  cell instanceof Date ? cell.toISOString() : (cell ?? null);

/** Leads read by one call: some megabytes. */
const BATCH_LEADS = 500;
/** Where few leads match all filters, a smaller page may still be found in time. */
const SMALLER = [BATCH_LEADS, 50, 5];

const readBatch = async (
  filter: LeadFilter,
  after: Wanted['after'],
  { collections }: Pick<ActionContext, 'collections'>,
): Promise<Found<ExportedLead> | null> => {
  for (const limit of SMALLER) {
    const found = await findWholeLeads(collections.leads, filter, { after, limit });
    if (found) return found;
  }
  return null;
};

/** @param refuse for a page that cannot be found in time */
async function* batchesOf<T, R>(
  read: (after: Wanted['after']) => Promise<Found<T> | null>,
  cells: (rows: T[]) => Promise<R[]>,
  refuse: () => never,
): AsyncGenerator<R[]> {
  let after: Wanted['after'] = null;
  do {
    const { docs, next }: Found<T> = (await read(after)) ?? refuse();
    yield await cells(docs);
    after = next;
  } while (after);
}

/** Makes rows of leads; the names of records are read once for all batches. */
function createCells(columns: readonly string[], { collections, caller }: ActionContext) {
  const names: NameMaps = { campaign: new Map(), supplier: new Map(), buyer: new Map() };
  const records = {
    campaign: collections.campaigns,
    supplier: collections.suppliers,
    buyer: collections.buyers,
  };
  const learn = async (kind: keyof NameMaps, leads: readonly ExportedLead[]): Promise<void> => {
    if (!columns.includes(kind)) return;
    const ids = leads.flatMap((lead) => lead[`${kind}_id`] ?? []);
    const unknown = ids.filter((id) => !names[kind].has(id));
    const found = await readNames(records[kind], unknown, caller.org_id);
    for (const id of unknown) names[kind].set(id, found.get(id) ?? null);
  };
  return async (leads: ExportedLead[]) => {
    for (const kind of ['campaign', 'supplier', 'buyer'] as const) await learn(kind, leads);
    return leads.map((lead) => exportCells(lead, columns, names));
  };
}
