/** The columns of an export of leads. */
import { fromMicros } from '../../fields/money.js';
import type { CsvCell } from '../../lib/csv/writeRow.js';
import { getOwn } from '../../lib/getOwn.js';
import { distributionStatus, shownStatus } from '../../leads/rules/shownStatus.js';
import type { ExportedLead } from '../../leads/store/leadPages.js';
import { invalidField } from './readInput.js';

/** Names of records by their ids; null: it is gone. */
export type NameMaps = Record<'campaign' | 'supplier' | 'buyer', Map<string, string | null>>;

type Column = (lead: ExportedLead, names: NameMaps) => CsvCell;

/** What a lead has beside its fields. */
const OWN: Record<string, Column> = {
  id: ({ _id }) => _id,
  created_at: ({ created_at }) => created_at,
  status: (lead) => shownStatus(lead),
  distribution_status: (lead) => distributionStatus(lead),
  outcome: ({ outcome }) => outcome,
  campaign_id: ({ campaign_id }) => campaign_id,
  campaign: ({ campaign_id }, { campaign }) => campaign.get(campaign_id),
  supplier_id: ({ supplier_id }) => supplier_id,
  supplier: ({ supplier_id }, { supplier }) => supplier.get(supplier_id),
  buyer_id: ({ buyer_id }) => buyer_id,
  buyer: ({ buyer_id }, { buyer }) => (buyer_id === null ? null : buyer.get(buyer_id)),
  price: ({ sales }) => fromMicros(sales[0]?.price ?? 0),
  revenue: ({ price }) => fromMicros(price),
  cost: ({ cost }) => fromMicros(cost),
  profit: ({ profit }) => fromMicros(profit),
  accepted_at: ({ sales }) => sales[0]?.at,
  converted_at: ({ converted_at }) => converted_at,
  decided_at: ({ decided_at }) => decided_at,
  duplicate_of: ({ duplicate_of }) => duplicate_of,
  is_test: ({ is_test }) => is_test,
  plan_version: ({ plan_version }) => plan_version,
};

export const EXPORT_COLUMNS: readonly string[] = Object.keys(OWN);

/** Marks a field of the lead whose name is that of a column. */
const FIELD_MARK = 'fields.';

const DEFAULT: readonly string[] = [
  ...(['id', 'created_at', 'status', 'outcome', 'campaign_id', 'campaign'] as const),
  ...(['supplier_id', 'supplier', 'buyer_id', 'buyer', 'state', 'zip_code'] as const),
  ...(['price', 'revenue', 'cost', 'accepted_at', 'converted_at'] as const),
];

/**
 * The id first, which distinguishes the rows; then the chosen ones.
 * @throws {AppError} `invalid_input` for a column that is named twice
 */
export function columnsOf(chosen: readonly string[] | undefined): readonly string[] {
  if (chosen === undefined) return DEFAULT;
  const twice = chosen.find((name, at) => chosen.indexOf(name) !== at);
  if (twice !== undefined)
    throw invalidField(
      'fields',
      'not_allowed',
      `fields must name each column once, not ${twice} twice.`,
    );
  return ['id', ...chosen.filter((name) => name !== 'id')];
}

export const exportCells = (
  lead: ExportedLead,
  columns: readonly string[],
  names: NameMaps,
): CsvCell[] => columns.map((name) => getOwn(OWN, name)?.(lead, names) ?? fieldCell(lead, name));

function fieldCell({ fields, extra }: ExportedLead, name: string): CsvCell {
  if (Object.hasOwn(OWN, name)) return null;
  const field = name.startsWith(FIELD_MARK) ? name.slice(FIELD_MARK.length) : name;
  return getOwn(fields, field) ?? getOwn(extra, field);
}

/** Whether a column of an export is what Leadwire says of a lead, and no field of it. */
export const isOwnColumn = (name: string): boolean => Object.hasOwn(OWN, name);

/** The field that a column holds. */
export const fieldOfColumn = (name: string): string =>
  name.startsWith(FIELD_MARK) ? name.slice(FIELD_MARK.length) : name;
