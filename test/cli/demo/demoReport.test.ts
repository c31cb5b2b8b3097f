import { describe, expect, it } from '@jest/globals';
import { reportJson } from '../../../cli/demo/demoJson.js';
import { formatReport } from '../../../cli/demo/demoReport.js';
import { createPaint } from '../../../cli/output/paint.js';
import { demoLeads } from '../../../src/demo/leads.js';
import type { DemoReport } from '../../../src/demo/run.js';

const at = new Date('2026-01-01T00:00:00Z');
const context = {
  currency: 'USD',
  temporalUiUrl: 'http://127.0.0.1:8233',
  temporalNamespace: 'default',
  buyerNames: new Map([
    ['p', 'premier'],
    ['s', 'steady'],
  ]),
};

const report: DemoReport = {
  ok: true,
  leads: demoLeads(1).map(({ n, title, expected }) => ({
    n,
    title,
    lead_id: `lead-${n}`,
    http: expected.http,
    answer: expected.answer,
    delivery: expected.delivery ?? null,
    status: expected.final,
    buyer: expected.buyer,
    price: expected.buyer ? 42_500_000 : null,
    answer_ms: 1_118.2,
    decided_ms: expected.delivery ? 13_118.2 : null,
    problem: null,
  })),
  shown: {
    _id: 'lead-25',
    created_at: at,
    trail: [
      { at, step: 'received', result: 'valid' },
      { at, step: 'routing', result: 'ranked', detail: { order: ['p', 's'] } },
      {
        at: new Date(at.getTime() + 2_100),
        step: 'delivery',
        result: 'accepted',
        buyer_id: 's',
        reason: 'The buyer answered 200',
      },
    ],
  },
  auction: {
    state: 'CA',
    ping_id: 'ping-1',
    ping_ms: 12.4,
    lead_id: 'lead-99',
    http: 201,
    answer: 'ACCEPTED',
    bids: [
      {
        buyer: 'steady',
        source: 'live',
        latency_ms: 4,
        price: 61_500_000,
        bid: 52_270_000,
      },
      {
        buyer: 'open',
        source: 'static',
        latency_ms: null,
        price: 12_000_000,
        bid: 10_200_000,
      },
    ],
    sale: { buyer: 'steady', price: 61_500_000, cost: 52_270_000, kept: 9_230_000 },
    problems: [],
  },
  buyers: [
    {
      buyer: 'premier',
      sold: 5,
      sold_amount: 212_500_000,
      received: 5,
      received_amount: 212_500_000,
      refused: 2,
      unavailable: 0,
      agrees: true,
    },
  ],
  problems: [],
};

describe('the report of a demo', () => {
  const text = formatReport(report, context, createPaint(false));

  it('fits 100 columns, but for the link', () => {
    const lines = text.split('\n').filter((line) => !line.includes('http://'));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it('shows answer, status, cost and latency of each lead', () => {
    expect(text).toMatch(/1 +California +201 ACCEPTED +ACCEPTED +premier +\$42\.50 +1,118 ms/);
    expect(text).toMatch(/25 +Only buyer down.* 201 pending +ACCEPTED +steady .* \+ 12\.0 s/);
  });

  it('shows the steps of a lead, with buyers by name, and its link in Temporal', () => {
    expect(text).toMatch(/0 ms +routing +ranked +premier, steady/);
    expect(text).toMatch(/2,100 ms +delivery +accepted +steady +The buyer answered 200/);
    expect(text).toContain('http://127.0.0.1:8233/namespaces/default/workflows?query=');
  });

  it('shows totals and a verdict', () => {
    expect(text).toMatch(/premier +5 +\$212\.50 +5 +\$212\.50 +2 +0 +agrees/);
    expect(text).toContain('All 25 leads have the expected result');
  });

  it('shows an auction: bids side by side, the winner, and what each side pays', () => {
    expect(text).toContain('Auction: a ping for a lead in CA, answered in 12 ms');
    expect(text).toMatch(
      / 1 {2}Steady & Sons {2}█{24} {2}\$52\.27 {2}pays \$61\.50, asked live: 4 ms\n/,
    );
    expect(text).toMatch(/ 2 {2}Open Market {4}████▋ +\$10\.20 {2}pays \$12\.00\n/);
    expect(text).toContain(
      'Sold to Steady & Sons: the buyer pays $61.50, the supplier gets $52.27, $9.23 is kept.',
    );
    expect(text).toContain('Lead lead-99, posted with its ping_id: 201 ACCEPTED');
    const { auction } = report;
    const nobody = { ...auction, bids: [], sale: null, lead_id: null, http: null, answer: '' };
    const shown = formatReport({ ...report, auction: nobody }, context, createPaint(false));
    expect(shown).toContain('answered in 12 ms\n\n  no buyer bids\n');
  });

  it('lists differences', () => {
    const bad = { ...report, ok: false, problems: ['lead 3: buyer open instead of premier'] };
    const shown = formatReport(bad, context, createPaint(false));
    expect(shown).toContain('Not everything agrees:\n  lead 3: buyer open instead of premier');
    expect(shown).not.toContain('All 25');
  });

  it('is one JSON document for programs, with money in currency', () => {
    expect(JSON.parse(reportJson(report, context))).toMatchObject({
      ok: true,
      currency: 'USD',
      totals: [{ sold_amount: 212.5, received_amount: 212.5 }],
      trail: { lead_id: 'lead-25' },
      auction: { ping_ms: 12, bids: [{ price: 61.5, bid: 52.27 }, {}], sale: { kept: 9.23 } },
    });
  });
});
