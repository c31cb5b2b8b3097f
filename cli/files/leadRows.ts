/** The rows of a file of leads, CSV or JSON lines, in groups that fit into a call. */
import { readRows } from '../../src/lib/csv/readRows.js';
import { parseExactJson } from '../../src/lib/exactJson.js';
import { isRow, type Row } from '../output/rows.js';
import { UsageError } from '../terminal/errors.js';

export interface LeadRow {
  line: number;
  fields: Row;
}

/** A row that is not sent, and why. */
export interface UnreadRow {
  line: number;
  message: string;
}

export interface RowGroup {
  rows: LeadRow[];
  unread: UnreadRow[];
}

/** As many as are decided while a person waits. */
const ROWS_MAX = 200;
/** Bytes of the rows of a call; it accepts 256 KiB. */
const BYTES_MAX = 200_000;

/** @throws {UsageError} for a CSV file without a header */
export async function* groupsOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<RowGroup> {
  let group: RowGroup = { rows: [], unread: [] };
  let bytes = 0;
  for await (const row of rowsOf(source)) {
    const size = 'fields' in row ? Buffer.byteLength(JSON.stringify(row)) : 0;
    const count = group.rows.length + group.unread.length;
    if (count > 0 && (count >= ROWS_MAX || bytes + size > BYTES_MAX)) {
      yield group;
      group = { rows: [], unread: [] };
      bytes = 0;
    }
    bytes += size;
    if (!('fields' in row)) group.unread.push(row);
    else if (size > BYTES_MAX)
      group.unread.push({ line: row.line, message: 'The row is too long.' });
    else group.rows.push(row);
  }
  if (group.rows.length + group.unread.length > 0) yield group;
}

/** A file whose first character is a brace has JSON lines. */
async function* rowsOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<LeadRow | UnreadRow> {
  const pieces = source[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
  const first = await pieces.next();
  if (first.done) throw new UsageError('The file is empty.');
  const head = Buffer.from(first.value)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  const all = (async function* () {
    yield first.value;
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
  })();
  yield* head.trimStart().startsWith('{') ? jsonRows(all) : csvRows(all);
}

const FAULTS = {
  open_quote: 'A quote that opens a cell must be closed.',
  too_long: 'A row must have at most 16,384 characters.',
} as const;

async function* csvRows(source: AsyncIterable<Uint8Array>): AsyncGenerator<LeadRow | UnreadRow> {
  let header: string[] | null = null;
  for await (const batch of readRows(source))
    for (const row of batch) {
      const { line } = row;
      if ('fault' in row) yield { line, message: FAULTS[row.fault] };
      else if (header === null) header = row.cells;
      else if (row.cells.length > header.length)
        yield {
          line,
          message: `It has ${row.cells.length} cells, and the header ${header.length}.`,
        };
      else yield { line, fields: fieldsOf(header, row.cells) };
    }
  if (header === null) throw new UsageError('The file has no header.');
}

const fieldsOf = (header: readonly string[], cells: readonly string[]): Row =>
  Object.fromEntries(
    header.map((name, at) => [name, cells[at] ?? ''] as const).filter(([name]) => name !== ''),
  );

async function* jsonRows(source: AsyncIterable<Uint8Array>): AsyncGenerator<LeadRow | UnreadRow> {
  const decoder = new TextDecoder();
  let rest = '';
  let line = 0;
  const read = function* (texts: readonly string[]): Generator<LeadRow | UnreadRow> {
    for (const text of texts) {
      line += 1;
      if (text.trim() !== '') yield jsonRow(text, line);
    }
  };
  for await (const piece of source) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = (lines.pop() ?? '').slice(0, BYTES_MAX + 1);
    yield* read(lines);
  }
  yield* read([rest + decoder.decode()]);
}

function jsonRow(text: string, line: number): LeadRow | UnreadRow {
  try {
    const value: unknown = parseExactJson(text);
    if (isRow(value)) return { line, fields: value };
  } catch {
    // Told below, without its text.
  }
  return { line, message: 'It is no JSON object.' };
}
