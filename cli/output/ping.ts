/** A ping for people: the bids, side by side, and the buyers that did not bid, with their reasons. */
import { section, type Paint } from './paint.js';
import { formatBars } from './bars.js';
import { cellText, orDash, paintCell, plainText } from './cells.js';
import { isRow, rowsOf, type Row } from './rows.js';
import { fit, pad, textWidth, widestOf } from './width.js';

/** @param data the answer of `get_ping` */
export function formatPing(data: Row, width: number, paint: Paint): string {
  const { ping_id, state, reason, is_test, campaign_id, supplier_id, plan_version } = data;
  const heading =
    `${paint.bold(`${is_test === true ? 'Test ping' : 'Ping'} ${orDash(ping_id)}`)} is ` +
    paintCell('status', orDash(state), paint) +
    (reason == null ? '' : `: ${orDash(reason)}`);
  const parts = [
    [
      heading,
      paint.dim(`campaign ${orDash(campaign_id)}, version ${orDash(plan_version)}`),
      paint.dim(`supplier ${orDash(supplier_id)}`),
      timesOf(data),
    ].join('\n'),
    section('Filters it failed', failuresOf(data), paint),
    section('Bids', bidsOf(data, width, paint), paint),
    section('Without a bid', unbidOf(data, width, paint), paint),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function timesOf({ created_at, expires_at, redeemed_at, lead_id, fields }: Row): string {
  const sent = cellText('fields', fields);
  const end =
    lead_id == null
      ? `can be posted to before ${cellText('at', expires_at)}`
      : `lead ${orDash(lead_id)} was posted to it at ${cellText('at', redeemed_at)}`;
  return [`received at ${cellText('at', created_at)} with ${sent}`, end].join('\n');
}

const failuresOf = ({ filter_errors }: Row): string[] =>
  rowsOf(filter_errors).map(({ message }) => `  ${orDash(message)}`);

function bidsOf({ bids }: Row, width: number, paint: Paint): string[] {
  const bars = rowsOf(bids).map((bid) => ({
    label: nameOf(bid),
    amount: Number(bid.bid),
    text: cellText('bid', bid.bid),
    note: noteOf(bid),
  }));
  return formatBars(bars, width, paint);
}

function noteOf({ price, source, latency_ms, reference }: Row): string {
  const live = source === 'live' ? [`live, ${orDash(latency_ms)} ms`] : [];
  const known = reference == null ? [] : [`its reference ${orDash(reference)}`];
  return [`pays ${cellText('price', price)}`, ...live, ...known].join(', ');
}

function unbidOf({ unbid }: Row, width: number, paint: Paint): string[] {
  const rows = rowsOf(unbid);
  const name = widestOf(rows.map(nameOf));
  const reason = widestOf(rows.map((row) => orDash(row.reason)));
  return rows.map((row) => {
    const begin = `  ${pad(nameOf(row), name)}  ${pad(orDash(row.reason), reason)}  `;
    const { detail } = row;
    const values = isRow(detail) && Object.keys(detail).length > 0 ? plainText(detail) : '';
    const room = width - textWidth(begin);
    return `${begin}${room > 10 ? paint.dim(fit(values, room)) : ''}`.trimEnd();
  });
}

const nameOf = ({ buyer_name, buyer_id }: Row): string => orDash(buyer_name ?? buyer_id);
