/** Tables for people: aligned, cut to the width of the terminal, ids whole. */
import type { Paint } from './paint.js';
import { cellText, isNumeric, paintCell } from './cells.js';
import { isRow } from './rows.js';
import { fit, textWidth } from './width.js';
import { own } from '../../src/lib/own.js';

const GAP = 2;
/** No column is cut below this. */
const NARROWEST = 10;

/** Ids and times. */
const WHOLE = /^(?:id|at)$|_(?:id|at)$/;

interface Column {
  key: string;
  title: string;
  cells: string[];
  width: number;
  isRight: boolean;
  /** It is of no use when it is cut. */
  isWhole: boolean;
}

export interface TableText {
  text: string;
  /** Columns that did not fit. */
  left: string[];
}

/**
 * @param keys the columns, the most important first: the last are left out where the terminal is too narrow
 * @param width in columns of the terminal
 */
export function formatRows(
  rows: readonly unknown[],
  keys: readonly string[],
  width: number,
  paint: Paint,
): TableText {
  const all = keys.map((key) => columnOf(key, rows));
  const columns = fitting(all, width);
  const lines = [
    columns.map((column) => paint.bold(pad(column, column.title))),
    ...rows.map((_row, n) =>
      columns.map((column) => paintCell(column.key, pad(column, column.cells[n] ?? ''), paint)),
    ),
  ];
  return {
    text: lines.map((cells) => cells.join(' '.repeat(GAP)).trimEnd()).join('\n'),
    left: keys.slice(columns.length),
  };
}

function columnOf(key: string, rows: readonly unknown[]): Column {
  const values = rows.map((row) => (isRow(row) ? own(row, key) : undefined));
  const cells = values.map((value) => cellText(key, value));
  const title = key.toUpperCase().replaceAll('_', ' ');
  return {
    ...{ key, title, cells, isWhole: WHOLE.test(key) },
    width: Math.max(textWidth(title), ...cells.map(textWidth)),
    isRight: values.some(isNumeric) && values.every((value) => value == null || isNumeric(value)),
  };
}

/** Cuts the widest column, one step after the other, and leaves columns out when that is not enough. */
function fitting(all: readonly Column[], width: number): Column[] {
  for (let count = all.length; count > 1; count -= 1) {
    const columns = all.slice(0, count).map((column) => ({ ...column }));
    if (shrink(columns, width)) return columns;
  }
  return all.slice(0, 1);
}

function shrink(columns: Column[], width: number): boolean {
  let over = GAP * (columns.length - 1) - width;
  for (const column of columns) over += column.width;
  while (over > 0) {
    const [widest, next] = columns
      .filter(({ isWhole, width: own }) => !isWhole && own > NARROWEST)
      .toSorted((a, b) => b.width - a.width);
    if (!widest) return false;
    const target = Math.max(NARROWEST, next && next.width < widest.width ? next.width : 0);
    const step = Math.min(over, target > NARROWEST ? widest.width - target : 1);
    widest.width -= step;
    over -= step;
  }
  return true;
}

function pad({ width, isRight }: Column, text: string): string {
  const cut = fit(text, width);
  const blanks = ' '.repeat(Math.max(0, width - textWidth(cut)));
  return isRight ? blanks + cut : cut + blanks;
}
