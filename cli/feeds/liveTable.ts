/** A table that grows: its widths are chosen before there is a row. */
import type { Paint } from '../output/paint.js';
import { cellText, paintCell, visible } from '../output/cells.js';
import type { Row } from '../output/rows.js';
import { COLUMN_GAP, tableHead, tableLine, type SizedColumn } from '../output/table.js';
import { fit } from '../output/width.js';
import { getOwn } from '../../src/lib/getOwn.js';

interface Column extends SizedColumn {
  key: string;
  /** Its values are ids, which have names. */
  isNamed?: true;
}

const NAME_MAX = 28;

const ALL: readonly Column[] = [
  { key: 'created_at', title: 'CREATED AT', width: 20 },
  { key: 'status', title: 'STATUS', width: 9 },
  { key: 'id', title: 'ID', width: 36 },
  { key: 'buyer_id', title: 'BUYER', width: 12, isNamed: true },
  { key: 'revenue', title: 'REVENUE', width: 9, align: 'right' },
  { key: 'state', title: 'ST', width: 2 },
  { key: 'supplier_id', title: 'SUPPLIER', width: 12, isNamed: true },
  { key: 'campaign_id', title: 'CAMPAIGN', width: 12, isNamed: true },
  { key: 'cost', title: 'COST', width: 9, align: 'right' },
];

export interface LiveTable {
  head: string;
  lineOf: (row: Row) => string;
}

/** @param width of the terminal: the last columns are left out where it is narrow, names grow where it is wide */
export function liveTable(
  width: number,
  names: ReadonlyMap<string, string>,
  paint: Paint,
): LiveTable {
  const columns = fitting(width);
  const cellOf = (row: Row, { key, isNamed, width: room }: Column): string => {
    const text = cellText(key, getOwn(row, key));
    const shown = isNamed ? visible(names.get(text) ?? text) : text;
    return paintCell(key, fit(shown, room), paint);
  };
  return {
    head: tableHead(columns, paint),
    lineOf: (row) =>
      tableLine(
        columns,
        columns.map((column) => cellOf(row, column)),
      ),
  };
}

function fitting(width: number): Column[] {
  const columns = ALL.map((column) => ({ ...column }));
  while (columns.length > 3 && roomOf(columns) > width) columns.pop();
  const named = columns.filter(({ isNamed }) => isNamed);
  const spare = Math.floor((width - roomOf(columns)) / Math.max(1, named.length));
  for (const column of named) column.width = Math.min(NAME_MAX, column.width + spare);
  return columns;
}

const roomOf = (columns: readonly Column[]): number =>
  columns.reduce((sum, { width }) => sum + width, COLUMN_GAP * (columns.length - 1));
