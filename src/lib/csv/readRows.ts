/**
 * CSV as people, spreadsheets and `csvLine` write it, read as a stream (RFC 4180, and more lenient). A broken row never
 * swallows the rows after it, as available parsers allow: a row lost here means that a person is called against their
 * will.
 */
import { withoutInvisible } from '../invisible.js';
import { withoutMarks } from './marks.js';

/** A row, or the fault that prevented reading it. */
export type CsvRow =
  /** `line`: where it begins, from 1. */
  { line: number; cells: string[] } | { line: number; fault: 'open_quote' | 'too_long' };

/** Maximum characters of a row; a quoted cell may hold line breaks. */
const ROW_MAX = 16_384;
/** Maximum lines of a row; a quote that is still open then was not meant as one. */
const LINES_MAX = 20;
const DELIMITERS = [',', ';', '\t'] as const;
/** A first line that names the separator, as spreadsheets know it. */
const NAMES_DELIMITER = /^sep=([,;\t])$/i;

/** The rows of the source in batches, blank lines left out. Lines end with LF, CRLF or CR; a BOM is dropped. */
export async function* readRows(source: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow[]> {
  const decoder = new TextDecoder();
  const assemble = rowAssembler();
  let rest = '';
  for await (const chunk of source) {
    // A CR at the end may be half of a CRLF.
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    rest = (lines.pop() ?? '').slice(0, ROW_MAX + 1);
    yield assemble(lines);
  }
  const last = (rest + decoder.decode()).replace(/\r$/, '');
  yield [...assemble([last]), ...assemble(null)];
}

interface OpenRow {
  line: number;
  lines: string[];
  cells: string[];
  length: number;
}

/** Receives lines in order, null at the end, and returns the rows they complete. */
function rowAssembler(): (lines: readonly string[] | null) => CsvRow[] {
  let delimiter: string | null = null;
  let open: OpenRow | null = null;
  let read = 0;

  const take = (text: string, line: number, rows: CsvRow[]): void => {
    if (open) continueRow(open, text, rows);
    else beginRow(text, line, rows);
  };

  const beginRow = (text: string, line: number, rows: CsvRow[]): void => {
    if (text.trim() === '') return;
    if (text.length > ROW_MAX) {
      rows.push({ line, fault: 'too_long' });
      return;
    }
    const named = delimiter === null ? NAMES_DELIMITER.exec(text) : null;
    if (named?.[1] !== undefined) {
      delimiter = named[1];
      return;
    }
    delimiter ??= delimiterOf(text);
    const { cells, isOpen } = readCells(text, delimiter);
    if (isOpen) open = { line, lines: [text], cells, length: text.length };
    else rows.push({ line, cells });
  };

  const continueRow = (row: OpenRow, text: string, rows: CsvRow[]): void => {
    const more = readCells(text, delimiter ?? ',', row.cells.at(-1));
    row.lines.push(text);
    row.length += text.length;
    const isTooMuch = row.lines.length > LINES_MAX || row.length > ROW_MAX;
    if (more.isMisplaced || (more.isOpen && isTooMuch)) {
      reportBroken(row, rows);
      return;
    }
    row.cells = [...row.cells.slice(0, -1), ...more.cells];
    if (more.isOpen) return;
    open = null;
    rows.push({ line: row.line, cells: row.cells });
  };

  /** Only the first line was broken: those after it are separate rows. */
  const reportBroken = (row: OpenRow, rows: CsvRow[]): void => {
    open = null;
    rows.push({ line: row.line, fault: 'open_quote' });
    row.lines.slice(1).forEach((text, index) => take(text, row.line + 1 + index, rows));
  };

  return (lines) => {
    const rows: CsvRow[] = [];
    if (lines) for (const text of lines) take(text, ++read, rows);
    else while (open) reportBroken(open, rows);
    return rows;
  };
}

/** The delimiter that occurs most often in the first line. */
function delimiterOf(text: string): string {
  const counted = DELIMITERS.map((one) => ({ one, count: text.split(one).length }));
  return counted.reduce((best, next) => (next.count > best.count ? next : best)).one;
}

interface Cells {
  cells: string[];
  /** A quoted cell continues on the next line: it is the last one. */
  isOpen: boolean;
  /** A cell that began on an earlier line ends with a quote where no quote may end one. */
  isMisplaced: boolean;
}

/**
 * The cells of one line. Quotes have a meaning only around a whole cell; text after a closing quote is kept.
 * @param begun what a quoted cell of earlier lines contains already
 */
function readCells(text: string, delimiter: string, begun?: string): Cells {
  if (begun === undefined && !text.includes('"')) {
    return { cells: text.split(delimiter).map(trimmed), isOpen: false, isMisplaced: false };
  }
  const cells: string[] = [];
  let isMisplaced = false;
  let at = 0;
  let quoted = begun === undefined ? null : `${begun}\n`;
  for (;;) {
    let start = at;
    while (text[start] === ' ') start += 1;
    if (quoted === null && text[start] === '"') {
      at = start + 1;
      quoted = '';
    }
    if (quoted !== null) {
      const end = closingQuote(text, at);
      quoted += text.slice(at, end ?? text.length).replaceAll('""', '"');
      if (end === null) return { cells: [...cells, quoted], isOpen: true, isMisplaced };
      at = end + 1;
    }
    const next = text.indexOf(delimiter, at);
    const after = text.slice(at, next < 0 ? text.length : next);
    if (begun !== undefined && cells.length === 0 && after.trim() !== '') isMisplaced = true;
    cells.push(trimmed((quoted ?? '') + after));
    if (next < 0) return { cells, isOpen: false, isMisplaced };
    at = next + 1;
    quoted = null;
  }
}

/** The first quote from `from` that is not one of a pair, which stands for a quote. */
function closingQuote(text: string, from: number): number | null {
  let at = text.indexOf('"', from);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at < 0 ? null : at;
}

/** The text of a cell without marks, invisible characters and outer blanks. */
const trimmed = (cell: string): string => withoutMarks(withoutInvisible(cell).trimStart()).trim();
