/** The demo's report for people. */
import type { DemoAuction } from '../../src/demo/auction.js';
import { DEMO_BUYER_NAMES } from '../../src/demo/names.js';
import type { DemoOutcome, DemoReport } from '../../src/demo/run.js';
import type { BuyerComparison } from '../../src/demo/totals.js';
import { temporalLink } from '../../src/platform/temporal/workflowLink.js';
import { formatTable, right } from '../output/table.js';
import { fit } from '../output/width.js';
import type { Paint } from '../output/paint.js';
import { formatBars } from '../output/bars.js';
import type { Micros } from '../../src/fields/money.js';

export interface ReportContext {
  currency: string;
  temporalUiUrl: string | null;
  temporalNamespace: string;
  /** Short names of the demo buyers by id. */
  buyerNames: ReadonlyMap<string, string>;
}

/** Fits 100 columns. */
export function formatReport(report: DemoReport, context: ReportContext, paint: Paint): string {
  return [
    section('Leads', formatLeads(report.leads, context, paint), paint),
    ...formatShown(report, context, paint),
    ...formatAuction(report.auction, context, paint),
    section(
      'Totals: recorded by Leadwire, received by the buyers',
      formatTotals(report, context, paint),
      paint,
    ),
    formatVerdict(report, paint),
  ].join('\n\n');
}

const section = (title: string, text: string, paint: Paint): string =>
  `\n${paint.bold(title)}\n\n${text}`;

function formatLeads(
  leads: readonly DemoOutcome[],
  { currency }: ReportContext,
  paint: Paint,
): string {
  const columns = [right('#'), 'Lead', 'Answer', 'Status', 'Buyer', right('Price'), right('Time')];
  const rows = leads.map((lead) => [
    String(lead.n),
    fit(lead.title, 26),
    answerText(lead, paint),
    statusText(lead, paint),
    lead.buyer ?? '',
    lead.price === null ? '' : formatMoney(lead.price, currency),
    formatMs(lead.answer_ms) +
      (lead.decided_ms === null ? '' : ` + ${formatSeconds(lead.decided_ms - lead.answer_ms)}`),
  ]);
  return formatTable(columns, rows, paint);
}

function answerText({ http, answer, delivery }: DemoOutcome, paint: Paint): string {
  const text = `${http} ${fit(delivery === 'pending' ? 'pending' : answer, 18)}`;
  if (http === 201) return delivery === 'pending' ? paint.yellow(text) : paint.green(text);
  return http >= 400 ? paint.red(text) : text;
}

function statusText({ status, problem }: DemoOutcome, paint: Paint): string {
  if (problem !== null) return paint.red(`${status ?? '-'} !`);
  if (status === null) return paint.dim('-');
  return status === 'ACCEPTED' ? paint.green(status) : status;
}

function formatShown(report: DemoReport, context: ReportContext, paint: Paint): string[] {
  const { shown } = report;
  if (!shown) return [];
  const outcome = report.leads.find((lead) => lead.lead_id === shown._id);
  const start = shown.created_at.getTime();
  const columns = [right('After'), 'Step', 'Result', 'Buyer', 'Reason'];
  const rows = shown.trail.map((entry) => [
    formatMs(entry.at.getTime() - start),
    entry.step,
    entry.result,
    context.buyerNames.get(entry.buyer_id ?? '') ?? '',
    fit(reasonOf(entry, context), 48),
  ]);
  const link =
    context.temporalUiUrl === null
      ? `In the Temporal UI: workflows where LeadId="${shown._id}"`
      : `In the Temporal UI: ${temporalLink(context.temporalUiUrl, context.temporalNamespace, shown._id)}`;
  const title = `The steps of lead ${outcome?.n ?? ''} (${outcome?.title ?? shown._id})`;
  return [section(title, formatTable(columns, rows, paint), paint), link];
}

/** Maximum length of a report's lines. */
const WIDTH = 100;

/** The bids for a pinged lead, and what each side pays and receives. */
function formatAuction(auction: DemoAuction, { currency }: ReportContext, paint: Paint): string[] {
  const { state, ping_ms, bids, sale, http, answer, lead_id } = auction;
  const money = (amount: number): string => formatMoney(amount, currency);
  const bars = bids.map(({ buyer, price, bid, latency_ms }) => ({
    label: DEMO_BUYER_NAMES[buyer],
    amount: bid,
    text: money(bid),
    note: `pays ${money(price)}${latency_ms === null ? '' : `, asked live: ${formatMs(latency_ms)}`}`,
  }));
  const title = `Auction: a ping for a lead in ${state}, answered in ${formatMs(ping_ms)}`;
  const chart = bars.length === 0 ? '  no buyer bids' : formatBars(bars, WIDTH, paint).join('\n');
  const sold = sale
    ? [
        `Sold to ${DEMO_BUYER_NAMES[sale.buyer]}: the buyer pays ${money(sale.price)}, the supplier gets ` +
          `${money(sale.cost)}, ${money(sale.kept)} is kept.`,
      ]
    : [];
  const posted =
    lead_id === null ? [] : [`Lead ${lead_id}, posted with its ping_id: ${http ?? ''} ${answer}`];
  return [section(title, [chart, '', ...sold, ...posted].join('\n').trimEnd(), paint)];
}

type Step = NonNullable<DemoReport['shown']>['trail'][number];

/** The reason; without one, the buyers in their order or the compared values. */
function reasonOf({ reason, detail }: Step, { buyerNames }: ReportContext): string {
  if (reason !== undefined) return reason;
  const order: unknown = detail?.order;
  if (!Array.isArray(order)) return '';
  return order.map((id) => buyerNames.get(String(id)) ?? String(id)).join(', ');
}

function formatTotals({ buyers }: DemoReport, { currency }: ReportContext, paint: Paint): string {
  const columns = [
    'Buyer',
    right('Booked'),
    right('Amount'),
    right('Taken'),
    right('Amount'),
    right('Refused'),
    right('503'),
    '',
  ];
  const row = (buyer: BuyerComparison): string[] => [
    buyer.buyer,
    String(buyer.sold),
    formatMoney(buyer.sold_amount, currency),
    String(buyer.received),
    formatMoney(buyer.received_amount, currency),
    String(buyer.refused),
    String(buyer.unavailable),
    buyer.agrees ? paint.green('agrees') : paint.red('DIFFERS'),
  ];
  return formatTable(columns, buyers.map(row), paint);
}

function formatVerdict({ ok, leads, problems }: DemoReport, paint: Paint): string {
  if (ok) {
    return paint.green(
      `All ${leads.length} leads have the expected result, and every sale agrees with its buyer.`,
    );
  }
  return [paint.red('Not everything agrees:'), ...problems.map((text) => `  ${text}`)].join('\n');
}

// Money and times as people read them.

/** Micro-units as money of the account's currency, such as $42.50. */
export const formatMoney = (amount: Micros, currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount / 1_000_000);

export const formatMs = (ms: number): string => `${Math.round(ms).toLocaleString('en-US')} ms`;

const formatSeconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
