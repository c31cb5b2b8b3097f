/** The links of a campaign as rows of a grid. */
import type { OutputOf } from '../../lib/useActions.js';
import type { StoredCell } from '../../ui/grid/edits.js';
import type { GridColumn, GridOrder } from '../../ui/grid/grid.js';
import type { Draft, Side } from './draft.js';

export type Campaign = OutputOf<'get_campaign'>;

/** A buyer or a supplier of the campaign, with its terms as actions have them. */
export interface LinkRow {
  id: string;
  name: string;
  status: 'active' | 'paused';
  /** Of the buyer or the supplier itself. */
  partyStatus: 'active' | 'paused';
  terms: ReadonlyMap<string, unknown>;
}

export const rowsOf = ({ buyers, suppliers }: Campaign, side: Side): LinkRow[] =>
  side === 'buyer'
    ? buyers.map((link) => rowOf(link, link.buyer_id, link.buyer_status))
    : suppliers.map((link) => rowOf(link, link.supplier_id, link.supplier_status));

const rowOf = (
  link: { name: string; status: 'active' | 'paused' },
  id: string,
  partyStatus: 'active' | 'paused',
): LinkRow => ({
  id,
  name: link.name,
  status: link.status,
  partyStatus,
  terms: new Map(Object.entries(link)),
});

/** A value of a link; null where it has none. */
export const termOf = ({ terms }: LinkRow, name: string): unknown => terms.get(name) ?? null;

/** The values as they are stored now. */
export function storedCells(rows: readonly LinkRow[]): StoredCell {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ({ row, column }) => {
    const found = byId.get(row);
    return found && termOf(found, column);
  };
}

export const SHOWS = ['active', 'paused', 'full', 'changed'] as const;
export type Shows = (typeof SHOWS)[number];

interface Wanted {
  text: string | undefined;
  show: string | undefined;
  /** Links of which a cap is nearly full. */
  full: ReadonlySet<string>;
  draft: Draft[Side];
}

export function chosenRows(rows: readonly LinkRow[], wanted: Wanted): LinkRow[] {
  const words = wanted.text?.trim().toLowerCase() ?? '';
  return rows.filter((row) => row.name.toLowerCase().includes(words) && isShown(row, wanted));
}

function isShown(row: LinkRow, { show, full, draft }: Wanted): boolean {
  if (show === 'changed') return draft.has(row.id);
  if (show === 'full') return full.has(row.id);
  const isActive = row.status === 'active' && row.partyStatus === 'active';
  if (show === 'active') return isActive;
  return show === 'paused' ? !isActive : true;
}

/** By what is stored: rows do not move while they are edited. */
export function sortedRows(
  rows: readonly LinkRow[],
  columns: readonly GridColumn<LinkRow>[],
  order: GridOrder,
): LinkRow[] {
  const valueOf = columns.find(({ id }) => id === order.column)?.sortValue;
  if (!valueOf) return [...rows];
  const sign = order.isDescending ? -1 : 1;
  return rows.toSorted(
    (a, b) => sign * compared(valueOf(a), valueOf(b)) || a.name.localeCompare(b.name, 'en'),
  );
}

const compared = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en');

/** As an address has it: `price`, or `-price` for the highest first. */
export const readOrder = (text: string | undefined): GridOrder => ({
  column: text?.replace(/^-/, '') ?? 'name',
  isDescending: text?.startsWith('-') ?? false,
});

export const writeOrder = ({ column, isDescending }: GridOrder): string =>
  `${isDescending ? '-' : ''}${column}`;
