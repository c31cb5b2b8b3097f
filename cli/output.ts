/** How the CLI writes: tables, colour, money, times. Every function gets what it must know of the terminal. */
import Table from 'cli-table3';
import type { Micros } from '../src/domain/plan.js';

export type Environment = Record<string, string | undefined>;

/**
 * Whether colour may be written to a stream (no-color.org, CLICOLOR): NO_COLOR and TERM=dumb forbid it,
 * CLICOLOR_FORCE and FORCE_COLOR ask for it anywhere, otherwise a terminal decides.
 */
export function wantsColour(environment: Environment, isTerminal: boolean): boolean {
  if (environment.NO_COLOR) return false;
  const forced = environment.CLICOLOR_FORCE ?? environment.FORCE_COLOR;
  if (forced && forced !== '0') return true;
  if (environment.CLICOLOR === '0' || environment.TERM === 'dumb') return false;
  return isTerminal;
}

export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  red(text: string): string;
}

/** Paints with ANSI colours, or not at all. */
export function createPaint(colour: boolean): Paint {
  const style = (on: number, off: number) => (text: string) =>
    colour ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return {
    bold: style(1, 22),
    dim: style(2, 22),
    green: style(32, 39),
    yellow: style(33, 39),
    red: style(31, 39),
  };
}

export interface Column {
  title: string;
  align?: 'left' | 'right';
}

const BORDERLESS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

/** A table without borders, one line a row, no blanks at line ends. */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  paint: Paint,
): string {
  const table = new Table({
    head: columns.map(({ title }) => paint.bold(title)),
    colAligns: columns.map(({ align }) => align ?? 'left'),
    chars: BORDERLESS,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  table.push(...rows.map((row) => [...row]));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** The first `width` characters, the last of them an ellipsis when there were more. */
export const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, width - 1)}…`;

/** Micro-units as money of the account's currency, such as $42.50. */
export const formatMoney = (amount: Micros, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount / 1_000_000);

export const formatMs = (ms: number): string => `${Math.round(ms).toLocaleString('en-US')} ms`;

export const formatSeconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
