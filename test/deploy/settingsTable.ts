/** The table of settings on the operations page, made from `src/app/config.ts`. */
import type { Setting } from '../../src/app/config.js';

const START = '<!-- settings: made by `npm run docs:settings`, not by hand -->';
const END = '<!-- end of settings -->';

/** As prettier would write it: every column as wide as its widest cell. */
export function settingsTable(settings: readonly Setting[]): string {
  const rows = [
    ['Setting', 'Default', 'Meaning'],
    ...settings.map((one) => [code(one.name), code(one.default), cell(one.meaning)]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((text, column) => text.padEnd(widths[column]!)).join(' | ')} |`;
  const [head, ...body] = rows.map(line);
  return [head, line(widths.map((width) => '-'.repeat(width))), ...body].join('\n');
}

/**
 * The page with its table replaced.
 * @throws {Error} when the page has lost one of the two marks
 */
export function withSettings(page: string, settings: readonly Setting[]): string {
  const [before, rest] = cut(page, START);
  const [, after] = cut(rest, END);
  return `${before}${START}\n\n${settingsTable(settings)}\n\n${END}${after}`;
}

function cut(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  if (at < 0) throw new Error(`The page has no line "${mark}"; put it back around the table.`);
  return [text.slice(0, at), text.slice(at + mark.length)];
}

const code = (text: string): string => (text === '' ? '' : `\`${text}\``);
const cell = (text: string): string => text.replaceAll('|', '\\|');
