/** Why a lead was distributed as it was, for people: its status, each step, each buyer. */
import { section, type Paint } from './paint.js';
import { cellText, orDash, paintCell } from './cells.js';
import { isRow, rowsOf, type Row } from './rows.js';
import type { TableView } from './table.js';
import { pad, widestOf, wrap } from './width.js';
import { getOwn } from '../../src/lib/getOwn.js';

/** Lines longer than this are hard to read, however wide the terminal is. */
const WIDTH_MAX = 110;
const GOOD = new Set(['sold']);
const OPEN = new Set(['waiting', 'unanswered', 'undecided']);

/** @param data the answer of `explain_lead` */
export function formatExplanation(data: Row, { width, paint }: TableView): string {
  const room = Math.min(width, WIDTH_MAX);
  const campaign = isRow(data.campaign) ? data.campaign : {};
  const supplier = isRow(data.supplier) ? data.supplier : {};
  const heading =
    `${paint.bold(`Lead ${orDash(data.lead_id)}`)} is ` +
    paintCell('status', orDash(data.status), paint);
  const origin = `${orDash(campaign.name)} (version ${orDash(campaign.version)}), from ${orDash(supplier.name ?? supplier.id)}`;
  const parts = [
    [heading, paint.dim(origin), ...moneyOf(data.money)].join('\n'),
    wrap(orDash(data.summary), room).join('\n'),
    section('Steps', stepsOf(data, room, paint), paint),
    section('Buyers', buyersOf(data, room, paint), paint),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function moneyOf(money: unknown): string[] {
  if (!isRow(money)) return [];
  const parts = ['revenue', 'cost', 'profit'].map(
    (key) => `${key} ${cellText(key, getOwn(money, key))}`,
  );
  return [`${parts.join(', ')} ${orDash(money.currency)}`];
}

function stepsOf({ steps, steps_dropped }: Row, room: number, paint: Paint): string[] {
  const rows = rowsOf(steps);
  const width = widestOf(rows.map(({ step }) => orDash(step)));
  const lines = rows.map(({ step, text }) => {
    const begin = `  ${pad(orDash(step), width)}  `;
    return paint.dim(begin) + hanging(orDash(text), room, width + 4);
  });
  const dropped = Number(steps_dropped);
  return dropped > 0
    ? [...lines, paint.dim(`  ${dropped} steps in the middle are omitted`)]
    : lines;
}

function buyersOf({ buyers }: Row, room: number, paint: Paint): string[] {
  const rows = rowsOf(buyers);
  const width = widestOf(rows.map(({ verdict }) => wordsOf(verdict)));
  return rows.map(({ verdict, text }) => {
    const word = pad(wordsOf(verdict), width);
    return `  ${painted(orDash(verdict), word, paint)}  ${hanging(orDash(text), room, width + 4)}`;
  });
}

const wordsOf = (verdict: unknown): string => orDash(verdict).replaceAll('_', ' ');

function painted(verdict: string, word: string, paint: Paint): string {
  if (GOOD.has(verdict)) return paint.green(word);
  return OPEN.has(verdict) ? paint.yellow(word) : paint.dim(word);
}

const hanging = (text: string, room: number, indent: number): string =>
  wrap(text, Math.max(20, room - indent)).join(`\n${' '.repeat(indent)}`);
