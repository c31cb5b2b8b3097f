/** A campaign for people: its limits, its buyers with their prices and what their caps have left, its suppliers, its settings. */
import { CAP_WINDOWS } from '../../src/account/rules/capLimits.js';
import { getOwn } from '../../src/lib/getOwn.js';
import { cellText, orDash, paintCell } from './cells.js';
import type { Look } from './look.js';
import { section } from './paint.js';
import { formatRecord } from './record.js';
import { isRow, rowsOf, type Row } from './rows.js';
import { formatRows, type TableView } from './table.js';
import { wrap } from './width.js';

/** What the heading and the tables show. */
const SHOWN = ['id', 'name', 'status', 'buyers', 'suppliers', 'cap_usage'];

const BUYER_COLUMNS = ['status', 'name', 'price', 'caps', 'priority', 'weight', 'id', 'states'];
const SUPPLIER_COLUMNS = ['status', 'name', 'cost', 'caps', 'id'];

/** @param data the answer of `get_campaign`; with `cap_usage` the rows of `get_cap_usage` of the campaign */
export function formatCampaign(data: Row, view: TableView): string {
  const { paint, width } = view;
  const usage = rowsOf(data.cap_usage);
  const heading =
    `${paint.bold(orDash(data.name))} is ${paintCell('status', orDash(data.status), paint)}` +
    `  ${paint.dim(orDash(data.id))}`;
  const caps = capsOf(data, usageOf(usage, 'campaign'), view.look);
  const buyers = rowsOf(data.buyers).map((one) => buyerRow(one, usage, view.look));
  const suppliers = rowsOf(data.suppliers).map((one) => supplierRow(one, usage, view.look));
  const rest = Object.fromEntries(Object.entries(data).filter(([key]) => isRest(key)));
  const parts = [
    [heading, ...(caps === '' ? [] : wrap(`caps: ${caps}`, width))].join('\n'),
    table('Buyers', buyers, BUYER_COLUMNS, view),
    table('Suppliers', suppliers, SUPPLIER_COLUMNS, view),
    section('Settings', [formatRecord(rest, view)], paint),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Limits are shown with what is used of them. */
const LIMITS: ReadonlySet<string> = new Set([
  ...CAP_WINDOWS.flatMap(({ cap, budget }) => [cap, budget]),
  'daily_caps',
]);
const isRest = (key: string): boolean => !SHOWN.includes(key) && !LIMITS.has(key);

const buyerRow = (link: Row, usage: readonly Row[], look: Look): Row => ({
  ...link,
  id: link.buyer_id,
  caps: capsOf(link, usageOf(usage, 'buyer', link.buyer_id), look),
});

const supplierRow = (link: Row, usage: readonly Row[], look: Look): Row => ({
  ...link,
  id: link.supplier_id,
  cost: link.cost_mode === 'REVENUE_SHARE' ? `${orDash(link.revenue_share)} %` : link.cost_per_lead,
  caps: capsOf(link, usageOf(usage, 'supplier', link.supplier_id), look),
});

function table(title: string, rows: Row[], keys: readonly string[], view: TableView): string {
  if (rows.length === 0) return '';
  const filled = keys.filter((key) => rows.some((row) => cellText(key, getOwn(row, key)) !== '–'));
  const columns = filled.map((key) => ({ key }));
  const { text } = formatRows(rows, columns, { ...view, width: view.width - 2 });
  return section(title, [text.replace(/^/gm, '  ')], view.paint);
}

/** What is used of the limits of a campaign, or of one of its partners; empty where it is not known. */
const usageOf = (usage: readonly Row[], scope: string, id?: unknown): Row[] =>
  usage.filter(
    (row) =>
      row.scope === scope && (id === undefined || row.buyer_id === id || row.supplier_id === id),
  );

/** Each limit with what is used of it: `98 of 100 a day, $20.00 of $500.00 ever`; empty: no limit. */
function capsOf(limits: Row, uses: readonly Row[], look: Look): string {
  const parts = CAP_WINDOWS.flatMap(({ window, cap, budget, span }) =>
    [cap, budget].flatMap((key) => {
      const use = uses.find((one) => one.window === window && isMoneyOf(one) === (key === budget));
      const limit = use?.limit ?? getOwn(limits, key);
      if (limit === null || limit === undefined) return [];
      const used = use === undefined ? '' : `${cellText(key, use.used, look)} of `;
      return [`${used}${cellText(key, limit, look)} ${span}`];
    }),
  );
  const days = limits.daily_caps;
  const some = isRow(days) ? Object.entries(days).filter(([, value]) => value !== null) : [];
  const special = some.map(([day, value]) => `${orDash(value)} on ${day}`);
  return [...parts, ...special].join(', ');
}

const isMoneyOf = ({ of }: Row): boolean => of === 'budget';
