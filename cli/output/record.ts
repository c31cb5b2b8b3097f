/** One record for people: its values line by line, its lists as tables. */
import { cellText, paintCell, visible } from './cells.js';
import { plainColumns } from './columns.js';
import { isRow, type Row } from './rows.js';
import { formatRows, type TableView } from './table.js';
import { pad, textWidth, widestOf, wrap } from './width.js';
import { getOwn } from '../../src/lib/getOwn.js';

/** Objects are written out to this depth; below it they are JSON. */
const DEPTH = 3;
/** A column of values narrower than this is harder to read than lines that the terminal breaks. */
const VALUE_LEAST = 20;

export function formatRecord(record: Row, view: TableView): string {
  const lines = flat(record, '', DEPTH);
  const titled = lines.filter(({ value }) => !isTable(value));
  const title = widestOf(titled.map(({ path }) => path));
  const texts = titled.map((line) => recordLine(line, title, record, view));
  const tables = lines.flatMap(({ path, value }) =>
    isTable(value) ? [`\n${innerTable(path, value, view)}`] : [],
  );
  return [...texts, ...tables].join('\n');
}

/** A list within a record, under its title. */
export function innerTable(title: string, rows: readonly Row[], view: TableView): string {
  const { paint, width } = view;
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const { text, left } = formatRows(rows, plainColumns(keys, rows), { ...view, width: width - 2 });
  const more = left.length > 0 ? paint.dim(` (and ${left.join(', ')}: --json)`) : '';
  return `${paint.bold(title)}${more}\n${text.replace(/^/gm, '  ')}`;
}

interface Line {
  path: string;
  key: string;
  value: unknown;
}

/** A value that is longer than the line goes on under itself: no word of it is left out. */
function recordLine({ path, key, value }: Line, title: number, record: Row, view: TableView) {
  const { paint, width, look, names } = view;
  const text = cellText(key, value, look);
  const name = getOwn(record, key.replace(/_id$/, '_name')) === undefined && names.get(text);
  const room = Math.max(VALUE_LEAST, width - title - 2);
  // A secret that is shown this once, and an id, stay whole: they are copied.
  const whole = name ? `${text} (${visible(name)})` : text;
  const shown = textWidth(whole) <= room ? [whole] : wrap(whole, room);
  const begin = paint.bold(pad(path, title));
  const painted = shown.map((one) => paintCell(key, one, paint));
  return `${begin}  ${painted.join(`\n${' '.repeat(title + 2)}`)}`;
}

function flat(record: Row, prefix: string, depth: number): Line[] {
  return Object.entries(record).flatMap(([key, value]): Line[] => {
    const path = prefix + key;
    const isInner = isRow(value) && Object.keys(value).length > 0 && depth > 1;
    return isInner ? flat(value, `${path}.`, depth - 1) : [{ path, key, value }];
  });
}

const isTable = (value: unknown): value is Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRow);
