/** Tables of the documentation that are generated from the code. */

/** As prettier formats it: every column as wide as its widest cell. */
export function tableOf(head: readonly string[], body: readonly (readonly string[])[]): string {
  const rows = [head, ...body.map((cells) => cells.map((text) => text.replaceAll('|', '\\|')))];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  const rule = line(widths.map((width) => '-'.repeat(width)));
  return [line(head), rule, ...rows.slice(1).map(line)].join('\n');
}

/**
 * The page with the table between two marks replaced.
 * @throws {Error} when the page lacks one of the two marks
 */
export function withTable(page: string, start: string, end: string, table: string): string {
  const [before, rest] = cut(page, start);
  const [, after] = cut(rest, end);
  return `${before}${start}\n\n${table}\n\n${end}${after}`;
}

function cut(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`The page has no line "${mark}"; put it back around the table.`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}

export const code = (text: string): string => (text === '' ? '' : `\`${text}\``);
