/** A ping for people: the bids, side by side, and the buyers that did not bid, with their reasons. */
import { section } from './paint.js';
import { formatBars } from './bars.js';
import { cellText, orDash, paintCell, plainText } from './cells.js';
import type { Look } from './look.js';
import { isRow, rowsOf, type Row } from './rows.js';
import type { TableView } from './table.js';
import { pad, textWidth, widestOf, wrap } from './width.js';

/** Narrower values are harder to read than lines that the terminal breaks. */
const DETAIL_LEAST = 20;

/** @param data the answer of `get_ping` */
export function formatPing(data: Row, view: TableView): string {
  const { paint, names } = view;
  const { ping_id, state, reason, is_test, campaign_id, supplier_id, plan_version } = data;
  const heading =
    `${paint.bold(`${is_test === true ? 'Test ping' : 'Ping'} ${orDash(ping_id)}`)} is ` +
    paintCell('status', orDash(state), paint) +
    (reason == null ? '' : `: ${orDash(reason)}`);
  const parts = [
    [
      heading,
      paint.dim(`campaign ${named(campaign_id, names)}, version ${orDash(plan_version)}`),
      paint.dim(`supplier ${named(supplier_id, names)}`),
      timesOf(data, view),
    ].join('\n'),
    section('Filters it failed', failuresOf(data), paint),
    section('Bids', bidsOf(data, view), paint),
    section('Without a bid', unbidOf(data, view), paint),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function timesOf(
  { created_at, expires_at, redeemed_at, lead_id, fields }: Row,
  { look }: TableView,
): string {
  const sent = cellText('fields', fields);
  const end =
    lead_id == null
      ? `can be posted to before ${cellText('at', expires_at, look)}`
      : `lead ${orDash(lead_id)} was posted to it at ${cellText('at', redeemed_at, look)}`;
  return [`received at ${cellText('at', created_at, look)} with ${sent}`, end].join('\n');
}

const failuresOf = ({ filter_errors }: Row): string[] =>
  rowsOf(filter_errors).map(({ message }) => `  ${orDash(message)}`);

function bidsOf({ bids }: Row, { width, paint, look }: TableView): string[] {
  const bars = rowsOf(bids).map((bid) => ({
    label: nameOf(bid),
    amount: Number(bid.bid),
    text: cellText('bid', bid.bid, look),
    note: noteOf(bid, look),
  }));
  return formatBars(bars, width, paint);
}

function noteOf({ price, source, latency_ms, reference }: Row, look: Look): string {
  const live = source === 'live' ? [`live, ${orDash(latency_ms)} ms`] : [];
  const known = reference == null ? [] : [`its reference ${orDash(reference)}`];
  return [`pays ${cellText('price', price, look)}`, ...live, ...known].join(', ');
}

function unbidOf({ unbid }: Row, { width, paint }: TableView): string[] {
  const rows = rowsOf(unbid);
  const name = widestOf(rows.map(nameOf));
  const reason = widestOf(rows.map((row) => orDash(row.reason)));
  return rows.map((row) => {
    const begin = `  ${pad(nameOf(row), name)}  ${pad(orDash(row.reason), reason)}  `;
    const { detail } = row;
    const values = isRow(detail) && Object.keys(detail).length > 0 ? plainText(detail) : '';
    const indent = textWidth(begin);
    const lines = wrap(values, Math.max(DETAIL_LEAST, width - indent), true);
    return `${begin}${paint.dim(lines.join(`\n${' '.repeat(indent)}`))}`.trimEnd();
  });
}

/** A record by its name, and the id that tells it from others. */
function named(id: unknown, names: TableView['names']): string {
  const name = names.get(String(id));
  return name === undefined ? orDash(id) : `${orDash(name)} (${orDash(id)})`;
}

const nameOf = ({ buyer_name, buyer_id }: Row): string => orDash(buyer_name ?? buyer_id);
