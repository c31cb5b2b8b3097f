/** How the CLI writes: tables, money, times. Every function gets what it must know of the terminal. */
import Table from 'cli-table3';
import type { Micros } from '../../src/fields/money.js';
import type { Paint } from './paint.js';

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
