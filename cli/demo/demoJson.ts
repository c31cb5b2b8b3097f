/** The demo's report for programs: one JSON document, money in currency, times in ms. */
import { fromMicros } from '../../src/fields/money.js';
import type { DemoAuction } from '../../src/demo/auction.js';
import type { DemoReport } from '../../src/demo/run.js';
import { temporalLink } from '../../src/platform/temporal/workflowLink.js';
import type { ReportContext } from './demoReport.js';

export function reportJson(report: DemoReport, context: ReportContext): string {
  const { temporalUiUrl: ui, temporalNamespace: namespace } = context;
  const round = (ms: number | null): number | null => (ms === null ? null : Math.round(ms));
  return JSON.stringify(
    {
      ok: report.ok,
      currency: context.currency,
      leads: report.leads.map((lead) => ({
        ...lead,
        price: lead.price === null ? null : fromMicros(lead.price),
        answer_ms: round(lead.answer_ms),
        decided_ms: round(lead.decided_ms),
        temporal_url:
          ui === null || lead.lead_id === null ? null : temporalLink(ui, namespace, lead.lead_id),
      })),
      auction: auctionJson(report.auction),
      trail: report.shown && { lead_id: report.shown._id, entries: report.shown.trail },
      totals: report.buyers.map((row) => ({
        ...row,
        sold_amount: fromMicros(row.sold_amount),
        received_amount: fromMicros(row.received_amount),
      })),
      problems: report.problems,
    },
    null,
    2,
  );
}

const auctionJson = ({ bids, sale, ping_ms, problems: _problems, ...auction }: DemoAuction) => ({
  ...auction,
  ping_ms: Math.round(ping_ms),
  bids: bids.map((one) => ({ ...one, price: fromMicros(one.price), bid: fromMicros(one.bid) })),
  sale: sale && {
    buyer: sale.buyer,
    price: fromMicros(sale.price),
    cost: fromMicros(sale.cost),
    kept: fromMicros(sale.kept),
  },
});
