/** Tables for people, without borders: one row per line, aligned by visible width. */
import type { Paint } from './paint.js';
import { cellText, isNumeric, paintCell } from './cells.js';
import { isRow } from './rows.js';
import { fit, pad, widestOf } from './width.js';
import { getOwn } from '../../src/lib/getOwn.js';

/** Blanks between two columns. */
export const COLUMN_GAP = 2;
/** Minimum width to which a column is cut. */
const WIDTH_MIN = 10;

/** Ids and times. */
const WHOLE = /^(?:id|at)$|_(?:id|at)$/;

export interface TableColumn {
  title: string;
  align?: 'left' | 'right';
}

/** A column of numbers. */
export const right = (title: string): TableColumn => ({ title, align: 'right' });

/** A column whose width is known, in columns of the terminal. */
export interface SizedColumn extends TableColumn {
  width: number;
}

/** One line: each cell, which may be painted, as wide as its column; no blanks at the end. */
export function tableLine(columns: readonly SizedColumn[], cells: readonly string[]): string {
  return columns
    .map(({ width, align }, n) => pad(cells[n] ?? '', width, align))
    .join(' '.repeat(COLUMN_GAP))
    .trimEnd();
}

/** The line of the titles. */
export const tableHead = (columns: readonly SizedColumn[], paint: Paint): string =>
  tableLine(
    columns,
    columns.map(({ title, width }) => paint.bold(fit(title, width))),
  );

/**
 * A table of cells that may be painted, as wide as they are; line breaks in a cell become blanks.
 * @param columns a title alone is a column of text
 */
export function formatTable(
  columns: readonly (string | TableColumn)[],
  rows: readonly (readonly string[])[],
  paint: Paint,
): string {
  const lines = rows.map((row) => row.map((cell) => cell.replace(/[\r\n]+/g, ' ')));
  const sized = columns.map((given, n) => {
    const column = typeof given === 'string' ? { title: given } : given;
    return { ...column, width: widestOf([column.title, ...lines.map((cells) => cells[n] ?? '')]) };
  });
  return [tableHead(sized, paint), ...lines.map((cells) => tableLine(sized, cells))].join('\n');
}

interface KeyColumn extends SizedColumn {
  key: string;
  cells: string[];
  /** It must not be cut, because a part of it has no meaning. */
  isWhole: boolean;
}

export interface TableText {
  text: string;
  /** Columns that did not fit. */
  left: string[];
}

/**
 * A table of records as wide as the terminal at most, ids whole.
 * @param keys the columns, the most important first: the last are left out where the terminal is too narrow
 * @param width in columns of the terminal
 */
export function formatRows(
  rows: readonly unknown[],
  keys: readonly string[],
  width: number,
  paint: Paint,
): TableText {
  const columns = fitting(
    keys.map((key) => columnOf(key, rows)),
    width,
  );
  const lines = rows.map((_row, n) => {
    const cells = columns.map((column) => {
      const text = fit(column.cells[n] ?? '', column.width);
      return paintCell(column.key, text, paint);
    });
    return tableLine(columns, cells);
  });
  return {
    text: [tableHead(columns, paint), ...lines].join('\n'),
    left: keys.slice(columns.length),
  };
}

function columnOf(key: string, rows: readonly unknown[]): KeyColumn {
  const values = rows.map((row) => (isRow(row) ? getOwn(row, key) : undefined));
  const cells = values.map((value) => cellText(key, value));
  const title = key.toUpperCase().replaceAll('_', ' ');
  const isRight =
    values.some(isNumeric) && values.every((value) => value == null || isNumeric(value));
  return {
    key,
    title,
    cells,
    isWhole: WHOLE.test(key),
    width: widestOf([title, ...cells]),
    align: isRight ? 'right' : 'left',
  };
}

/** Cuts the widest column, one step after the other, and leaves columns out when that is not enough. */
function fitting(all: readonly KeyColumn[], width: number): KeyColumn[] {
  for (let count = all.length; count > 1; count -= 1) {
    const columns = all.slice(0, count).map((column) => ({ ...column }));
    if (shrink(columns, width)) return columns;
  }
  return all.slice(0, 1);
}

function shrink(columns: KeyColumn[], width: number): boolean {
  let over = COLUMN_GAP * (columns.length - 1) - width;
  for (const column of columns) over += column.width;
  while (over > 0) {
    const [widest, next] = columns
      .filter(({ isWhole, width: own }) => !isWhole && own > WIDTH_MIN)
      .toSorted((a, b) => b.width - a.width);
    if (!widest) return false;
    const target = Math.max(WIDTH_MIN, next && next.width < widest.width ? next.width : 0);
    const step = Math.min(over, target > WIDTH_MIN ? widest.width - target : 1);
    widest.width -= step;
    over -= step;
  }
  return true;
}
