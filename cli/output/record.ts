/** One record for people: its values line by line, its lists as tables. */
import type { Paint } from './paint.js';
import { cellText, paintCell } from './cells.js';
import { plainKeys } from './columns.js';
import { isRow, type Row } from './rows.js';
import { formatRows } from './table.js';
import { fit, pad, widestOf } from './width.js';

/** Objects are written out to this depth; below it they are JSON. */
const DEPTH = 3;

export function formatRecord(record: Row, width: number, paint: Paint): string {
  const lines = flat(record, '', DEPTH);
  const titled = lines.filter(({ value }) => !isTable(value));
  const title = widestOf(titled.map(({ path }) => path));
  const texts = titled.map(({ path, key, value }) => {
    const text = cellText(key, value);
    // A secret that is shown this once, and an id, must be whole.
    const cut = text.includes(' ') ? fit(text, Math.max(20, width - title - 2)) : text;
    return `${paint.bold(pad(path, title))}  ${paintCell(key, cut, paint)}`;
  });
  const tables = lines.flatMap(({ path, value }) => {
    if (!isTable(value)) return [];
    const keys = [...new Set(value.flatMap((row) => Object.keys(row)))];
    const { text, left } = formatRows(value, plainKeys(keys, value), width - 2, paint);
    const more = left.length > 0 ? paint.dim(` (and ${left.join(', ')}: --json)`) : '';
    return [`\n${paint.bold(path)}${more}\n${text.replace(/^/gm, '  ')}`];
  });
  return [...texts, ...tables].join('\n');
}

interface Line {
  path: string;
  key: string;
  value: unknown;
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
