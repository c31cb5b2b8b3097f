/** The morning page of an operator, for people: today beside yesterday, and below it only what needs someone. */
import { getOwn } from '../../src/lib/getOwn.js';
import { cellText, orDash } from './cells.js';
import type { Look } from './look.js';
import { section } from './paint.js';
import { isRow, rowsOf, type Row } from './rows.js';
import { formatRows, formatTable, right, type TableView } from './table.js';
import { wrap } from './width.js';

/** Keys of the figures, with how a person calls them; a count of zero on all days is left out. */
const FIGURES: readonly (readonly [key: string, title: string, isAlways?: true])[] = [
  ['total_leads', 'leads', true],
  ['accepted', 'accepted', true],
  ['pending', 'pending'],
  ['unmatched', 'unmatched'],
  ['duplicate', 'duplicate'],
  ['rejected', 'rejected'],
  ['expired', 'expired'],
  ['sales', 'sales', true],
  ['revenue', 'revenue', true],
  ['cost', 'cost', true],
  ['profit', 'profit', true],
  ['margin_pct', 'margin %', true],
  ['acceptance_pct', 'accepted %', true],
];

/** @param data the answer of `get_today` */
export function formatToday(data: Row, view: TableView): string {
  const { paint, width, look } = view;
  const heading = `${paint.bold(orDash(data.date))}  ${paint.dim(orDash(data.time_zone))}`;
  const attention = attentionOf(data, look).flatMap((line) => wrap(line, width - 2));
  const parts = [
    heading,
    figuresOf(data, view),
    section(
      'Needs you',
      attention.length === 0 ? [paint.green('  nothing')] : attention.map((line) => `  ${line}`),
      paint,
    ),
    list('Campaigns', data.campaigns, 'campaign_name total_leads accepted revenue profit', view),
    list('Queues', data.queues, 'buyer_name waiting unknown oldest_at', view),
    list('Breakers', data.breakers, 'buyer_name breaker since until failures', view),
    list('Fullest caps', capsOf(data), CAP_COLUMNS, view),
    list('Silent suppliers', data.silent_suppliers, 'supplier_name last_lead_at', view),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

const CAP_COLUMNS = 'used_pct scope campaign_name partner window of used limit resets_at';

/** Each figure of today, of yesterday up to the same time, and of the whole of yesterday. */
function figuresOf(data: Row, { look, paint }: TableView): string {
  const days = [data.today, data.yesterday_by_now, data.yesterday].map((day) =>
    isRow(day) ? day : {},
  );
  const rows = FIGURES.filter(
    ([key, , isAlways]) =>
      isAlways === true || days.some((day) => Number(getOwn(day, key) ?? 0) !== 0),
  ).map(([key, title]) => [title, ...days.map((day) => cellText(key, getOwn(day, key), look))]);
  return formatTable(
    ['', right('TODAY'), right('YESTERDAY BY NOW'), right('YESTERDAY')],
    rows,
    paint,
  );
}

/** What waits for a person, each with the command that shows it. */
function attentionOf({ waiting, caps, silent_suppliers, uncounted }: Row, look: Look): string[] {
  const counts = isRow(waiting) ? waiting : {};
  const { nearly_full } = isRow(caps) ? caps : {};
  const more = counts.is_cut === true ? ' or more' : '';
  const since = counts.oldest_at == null ? '' : `, since ${cellText('at', counts.oldest_at, look)}`;
  const lines: [count: unknown, text: string][] = [
    [counts.deliveries, `deliveries${more} wait${since}: leadwire deliveries list`],
    [counts.unknown, 'deliveries were never answered: leadwire deliveries list --state unknown'],
    [counts.breakers, 'buyers get no leads, their breaker is open: leadwire buyers list-health'],
    [counts.returns, 'returns wait for a decision: leadwire returns list --state requested'],
    [
      counts.change_requests,
      'changes are requested by partners: leadwire portal list-changes --state pending',
    ],
    [counts.dead_letters, 'events were given up: leadwire events deliveries --state parked'],
    [nearly_full, 'limits are nearly full: leadwire caps list --nearly-full'],
    [rowsOf(silent_suppliers).length, 'suppliers have sent nothing for a day'],
    [uncounted, 'leads are not in these figures yet'],
  ];
  return lines
    .filter(([count]) => typeof count === 'number' && count > 0)
    .map(([count, text]) => `${orDash(count)} ${text}`);
}

/** Whose limit it is, in one column. */
const capsOf = ({ caps }: Row): Row[] =>
  rowsOf(isRow(caps) ? caps.fullest : []).map((row) => ({
    ...row,
    partner: row.buyer_name ?? row.supplier_name,
  }));

function list(title: string, value: unknown, keys: string, view: TableView): string {
  const rows = rowsOf(value);
  if (rows.length === 0) return '';
  const columns = keys.split(' ').map((key) => ({ key }));
  const { text } = formatRows(rows, columns, { ...view, width: view.width - 2 });
  return section(title, [text.replace(/^/gm, '  ')], view.paint);
}
