/** Tables for people, without borders: one row per line, aligned by visible width. */
import type { Column } from '../actions/manifest.js';
import { cellText, isNumeric, isStatus, paintCell, visible } from './cells.js';
import { isInstant, shortInstant, zoneText, type Look } from './look.js';
import type { Paint } from './paint.js';
import { isRow } from './rows.js';
import { shortIds } from './shortIds.js';
import { fit, pad, textWidth, widestOf, wrap } from './width.js';
import { getOwn } from '../../src/lib/getOwn.js';

/** Blanks between two columns. */
export const COLUMN_GAP = 2;
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

/** How the records of a table are written. */
export interface TableView {
  /** Of the terminal, in columns. */
  width: number;
  paint: Paint;
  look: Look;
  /** The names of campaigns, buyers and suppliers, by their ids, where the rows do not have them. */
  names: ReadonlyMap<string, string>;
}

interface KeyColumn extends SizedColumn {
  key: string;
  cells: string[];
  /** What becomes of a cell that is wider than its column. whole: it never is, because a part of it has no meaning. */
  tooWide: 'whole' | 'cut' | 'wrap';
  /** The least width at which it is read with ease. */
  least: number;
  isDim: boolean;
}

export interface TableText {
  text: string;
  /** Keys of columns that did not fit. */
  left: string[];
}

/**
 * A table of records as wide as the terminal at most: ids shortened, names for ids, sentences in several lines.
 * @param columns the most important first: where the terminal is too narrow, later ones are left out
 */
export function formatRows(
  rows: readonly unknown[],
  columns: readonly Column[],
  view: TableView,
): TableText {
  const { paint, width } = view;
  const zone = zoneText(view.look.zone);
  const all = columns.map((column) => columnOf(column, rows, view));
  // The zone once: it is that of every column.
  const dated = all.find(({ isTime }) => isTime);
  const titled = all.map((column) => {
    if (column !== dated) return column;
    const title = `${column.title} ${zone}`;
    const titledWidth = Math.max(column.width, textWidth(title));
    return { ...column, title, width: titledWidth, least: titledWidth };
  });
  const shown = fitting(titled, width);
  const lines = rows.flatMap((_row, n) => rowLines(shown, n, paint));
  const isShown = (key: string) => shown.some((column) => column.key === key);
  return {
    text: [tableHead(shown, paint), ...lines].join('\n'),
    left: columns.map(({ key }) => key).filter((key) => !isShown(key)),
  };
}

/** The lines of a row: one, or as many as its longest sentence takes. */
function rowLines(columns: readonly KeyColumn[], n: number, paint: Paint): string[] {
  const cells = columns.map(({ cells: texts, tooWide, width }) => {
    const text = texts[n] ?? '';
    return tooWide === 'wrap' ? wrap(text, width, true) : [fit(text, width)];
  });
  const height = Math.max(1, ...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_line, at) =>
    tableLine(
      columns,
      columns.map(({ key, isDim }, column) => {
        const text = cells[column]?.[at] ?? '';
        return isDim ? paint.dim(text) : paintCell(key, text, paint);
      }),
    ),
  );
}

/** Ids of these are shown by their names. */
const PARTY = /^(?:buyer|supplier|campaign|automation|funnel)_id$/;
const ID = /^id$|_id$/;
/** Sentences: no word of advice is left out. */
const SENTENCE =
  /^(text|title|message|advice|hint|remedy|note|reason|detail|why|error|summary|description|about|next|changes|resolution_note|disabled_reason|resale_refused|caps)$/;
/** The least width at which sentences are read with ease; names of a narrow and of a wide terminal. */
const SENTENCE_LEAST = 20;
const NAME_LEAST = { narrow: 13, wide: 20 };
/** What tells the rows apart needs more. */
const OWN_NAME = /^(name|label)$/;
const OWN_NAME_LEAST = 16;
/** A name has this part of the terminal, within those bounds. */
const NAME_SHARE = 1 / 6;

type TimedColumn = KeyColumn & { isTime: boolean };

function columnOf({ key, title }: Column, rows: readonly unknown[], view: TableView): TimedColumn {
  const values = rows.map((row) => (isRow(row) ? getOwn(row, key) : undefined));
  const given = values.filter((value) => value != null);
  const isRight = given.length > 0 && given.every(isNumeric);
  const isTime =
    given.length > 0 && given.every((one) => typeof one === 'string' && isInstant(one));
  const isName = PARTY.test(key);
  const isId = ID.test(key) && !isName;
  const cells = cellsOf(key, rows, view);
  const named = (title ?? titleOf(key, isName, isTime)).toUpperCase().replaceAll('_', ' ');
  const width = widestOf([named, ...cells]);
  const isWhole = isTime || isRight || isId || isStatus(key);
  const tooWide = isWhole ? 'whole' : SENTENCE.test(key) ? 'wrap' : 'cut';
  const ease = OWN_NAME.test(key) ? OWN_NAME_LEAST : 0;
  const least = tooWide === 'wrap' ? SENTENCE_LEAST : Math.max(ease, nameLeast(view.width));
  return {
    key,
    title: named,
    cells,
    tooWide,
    least: isWhole ? width : Math.min(width, least),
    width,
    align: isRight ? 'right' : 'left',
    isDim: isId,
    isTime,
  };
}

const nameLeast = (width: number): number =>
  Math.min(NAME_LEAST.wide, Math.max(NAME_LEAST.narrow, Math.floor(width * NAME_SHARE)));

function titleOf(key: string, isName: boolean, isTime: boolean): string {
  if (isTime) return key === 'at' ? 'time' : key.replace(/_at$/, '');
  return isName ? key.replace(/_id$/, '') : key;
}

function cellsOf(key: string, rows: readonly unknown[], { look, names }: TableView): string[] {
  const valuesOf = (name: string) => rows.map((row) => (isRow(row) ? getOwn(row, name) : row));
  const values = valuesOf(key);
  if (!ID.test(key))
    return values.map((value) =>
      typeof value === 'string' && isInstant(value)
        ? shortInstant(value, look)
        : cellText(key, value, look),
    );
  const ids = values.filter((value) => typeof value === 'string');
  const short = shortIds(ids);
  const given = PARTY.test(key) ? valuesOf(key.replace(/_id$/, '_name')) : [];
  return values.map((value, n) => {
    if (typeof value !== 'string') return cellText(key, value, look);
    const known = PARTY.test(key) ? (given[n] ?? names.get(value)) : undefined;
    return visible(typeof known === 'string' ? known : short(value));
  });
}

/** What is to be done, and why something waits: it is left out last. */
const ADVICE = /^(text|message|advice|hint|remedy|why|detail)$/;

/** The first column and advice in any case, of the others those that fit with ease; then all are cut until they fit. */
function fitting(all: readonly KeyColumn[], width: number): KeyColumn[] {
  const chosen = new Set<KeyColumn>();
  let used = -COLUMN_GAP;
  const take = (column: KeyColumn) => {
    const room = column.least + COLUMN_GAP;
    if (chosen.has(column) || (used + room > width && chosen.size > 0)) return;
    chosen.add(column);
    used += room;
  };
  all.slice(0, 1).forEach(take);
  all.filter(({ key }) => ADVICE.test(key)).forEach(take);
  all.forEach(take);
  const columns = all.filter((column) => chosen.has(column)).map((column) => ({ ...column }));
  shrink(columns, width);
  return columns;
}

/** Cuts the widest column that may be cut, one step after the other. */
function shrink(columns: readonly KeyColumn[], width: number): void {
  let over = COLUMN_GAP * (columns.length - 1) - width;
  for (const column of columns) over += column.width;
  while (over > 0) {
    const [widest, next] = columns
      .filter(({ tooWide, width: own, least }) => tooWide !== 'whole' && own > least)
      .toSorted((a, b) => b.width - a.width);
    if (!widest) return;
    const target = Math.max(widest.least, next && next.width < widest.width ? next.width : 0);
    const step = Math.min(over, target > widest.least ? widest.width - target : 1);
    widest.width -= step;
    over -= step;
  }
}
