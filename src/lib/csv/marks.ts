/**
 * The apostrophe that keeps a spreadsheet from running a cell: set by the writer of CSV, taken back by its reader, so
 * that what leaves in a file comes back as it was (OWASP, "CSV Injection").
 */

/** What a spreadsheet may take for a formula, behind quotes and blanks. */
const RUNS = String.raw`["'\p{Zs}\v\f]*[=+\-@＝＋－＠]`;
/** Also marked as text by others, for its leading zeros. */
const NUMBER = String.raw`\(?[0-9][0-9 ().-]*(?:[^\S ]\s*)?$`;
/**
 * At the start of a cell: a formula, white space that a spreadsheet drops, or a number that is marked as text, also behind
 * blanks and other marks, which the reader drops.
 */
const BEGINS = String.raw`(?:["'\p{Zs}\v\f]*[=+\-@＝＋－＠\t\r\n]|['\s]*'${NUMBER})`;
/** Of a file that is opened with another separator, each of these ends a cell wherever quotes are. */
const SEPARATORS = String.raw`[;\t\r\n]`;

const TO_MARK = new RegExp(`^${BEGINS}`, 'u');
const MARKED = new RegExp(String.raw`^'(?:${BEGINS}|${NUMBER})`, 'u');
const TO_MARK_WITHIN = new RegExp(`(${SEPARATORS})(?=${RUNS})`, 'gu');
const MARKED_WITHIN = new RegExp(`(${SEPARATORS})'(?=${RUNS})`, 'gu');

/** The text with a mark wherever a spreadsheet could begin to run it. */
export function withMarks(text: string): string {
  const within = text.replace(TO_MARK_WITHIN, "$1'");
  return TO_MARK.test(within) ? `'${within}` : within;
}

/** The text that was marked. */
export function withoutMarks(cell: string): string {
  const within = MARKED.test(cell) ? cell.slice(1) : cell;
  return within.replace(MARKED_WITHIN, '$1');
}
