/** A table that grows: its widths are chosen before there is a row. */
import { cellText, paintCell, visible } from '../output/cells.js';
import { isInstant, shortInstant, zoneText, type Look } from '../output/look.js';
import type { Row } from '../output/rows.js';
import { shortIds } from '../output/shortIds.js';
import {
  COLUMN_GAP,
  tableHead,
  tableLine,
  type SizedColumn,
  type TableView,
} from '../output/table.js';
import { fit } from '../output/width.js';
import { getOwn } from '../../src/lib/getOwn.js';

interface Column extends SizedColumn {
  key: string;
  /** Its values have no width of their own: it grows where there is room. */
  grows?: true;
}

const NAME_MAX = 28;

const ALL: readonly Column[] = [
  { key: 'created_at', title: 'TIME', width: 12 },
  { key: 'status', title: 'STATUS', width: 9 },
  { key: 'name', title: 'NAME', width: 12, grows: true },
  { key: 'buyer_id', title: 'BUYER', width: 12, grows: true },
  { key: 'price', title: 'PRICE', width: 9, align: 'right' },
  { key: 'id', title: 'ID', width: 13 },
  { key: 'campaign_id', title: 'CAMPAIGN', width: 12, grows: true },
  { key: 'supplier_id', title: 'SUPPLIER', width: 12, grows: true },
  { key: 'state', title: 'ST', width: 2 },
  { key: 'cost', title: 'COST', width: 9, align: 'right' },
];

export interface LiveTable {
  head: string;
  lineOf: (row: Row) => string;
}

/** How its lines are written. */
type LiveView = Pick<TableView, 'width' | 'paint' | 'look'>;

/** The last columns are left out where the terminal is narrow, names grow where it is wide. */
export function liveTable({ width, paint, look }: LiveView): LiveTable {
  const columns = fitting(width);
  const zone = zoneText(look.zone);
  const [time, ...others] = columns;
  const titled = time ? [{ ...time, title: fit(`TIME ${zone}`, time.width) }, ...others] : columns;
  return {
    head: tableHead(titled, paint),
    lineOf: (row) =>
      tableLine(
        columns,
        columns.map(({ key, width: room }) =>
          paintCell(key, fit(cellOf(row, key, look), room), paint),
        ),
      ),
  };
}

function cellOf(row: Row, key: string, look: Look): string {
  const value = getOwn(row, key);
  if (typeof value !== 'string') return cellText(key, value, look);
  if (isInstant(value)) return shortInstant(value, { ...look, now: Date.now() });
  if (key === 'id') return shortIds([value])(value);
  const name = getOwn(row, key.replace(/_id$/, '_name'));
  return visible(typeof name === 'string' ? name : value);
}

function fitting(width: number): Column[] {
  const columns = ALL.map((column) => ({ ...column }));
  while (columns.length > 3 && roomOf(columns) > width) columns.pop();
  const named = columns.filter(({ grows }) => grows);
  const spare = Math.floor((width - roomOf(columns)) / Math.max(1, named.length));
  for (const column of named) column.width = Math.min(NAME_MAX, column.width + spare);
  return columns;
}

const roomOf = (columns: readonly Column[]): number =>
  columns.reduce((sum, { width }) => sum + width, COLUMN_GAP * (columns.length - 1));
