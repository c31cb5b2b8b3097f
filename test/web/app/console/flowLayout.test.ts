import { describe, expect, it } from '@jest/globals';
import { layOut, outlineOf } from '../../../../src/web/app/console/campaigns/flowLayout.js';
import { flowModel, type Flow } from '../../../../src/web/app/console/campaigns/flowModel.js';

const figures = (more: Partial<Flow['total']>): Flow['total'] => ({
  total_leads: 0,
  accepted: 0,
  pending: 0,
  unmatched: 0,
  duplicate: 0,
  rejected: 0,
  expired: 0,
  sales: 0,
  acceptance_pct: 0,
  revenue: 0,
  cost: 0,
  profit: 0,
  margin_pct: 0,
  ...more,
});

const supplier = (
  supplier_id: string,
  more: Partial<Flow['total']>,
): Flow['suppliers'][number] => ({
  ...figures(more),
  supplier_id,
  supplier_name: supplier_id.toUpperCase(),
  share_pct: 0,
});

const buyer = (buyer_id: string, sales: number): Flow['buyers'][number] => ({
  buyer_id,
  buyer_name: null,
  sales,
  share_pct: 0,
  revenue: sales * 10,
  cost: 0,
  profit: 0,
});

/** 100 leads of ten suppliers, 60 of them sold, ten twice. */
const FLOW: Flow = {
  date_from: '2026-03-10',
  date_to: '2026-03-10',
  time_zone: 'America/New_York',
  currency: 'USD',
  campaign: null,
  total: figures({
    total_leads: 100,
    accepted: 60,
    pending: 5,
    unmatched: 15,
    duplicate: 8,
    rejected: 12,
    sales: 70,
  }),
  suppliers: Array.from({ length: 10 }, (_, n) =>
    supplier(`s${n}`, {
      total_leads: 10,
      rejected: n === 0 ? 4 : n === 9 ? 8 : 0,
      duplicate: n === 1 ? 8 : 0,
    }),
  ),
  checks: [
    { check: 'filters', leads: 12, share_pct: 12 },
    { check: 'duplicates', leads: 8, share_pct: 8 },
  ],
  routed: 80,
  buyers: [buyer('b1', 50), buyer('b2', 20)],
  reasons: [],
  before: null,
  waiting: { deliveries: 5, unknown: 0, is_cut: false },
  more: { suppliers: 0, buyers: 0, reasons: 0 },
  uncounted: 0,
};

describe('the flow picture', () => {
  const model = flowModel(FLOW, (filters) => JSON.stringify(filters), {
    number: String,
    money: (amount) => `$${amount}`,
  });
  const sum = (list: readonly { leads: number }[]) =>
    list.reduce((all, { leads }) => all + leads, 0);

  it('shows every lead once in each column, the smaller suppliers as one', () => {
    const [suppliers, checks] = model.columns;
    expect(suppliers).toHaveLength(8);
    expect(suppliers.at(-1)).toMatchObject({ label: '3 more suppliers', leads: 30 });
    expect([sum(suppliers), sum(checks)]).toEqual([100, 100]);
    expect(checks.map(({ label, leads }) => [label, leads])).toEqual([
      ['Passed every check', 80],
      ['Duplicates', 8],
      ['Refused by checks', 12],
    ]);
  });

  it('loses no lead between the columns, though some were sold twice', () => {
    const into = (key: string) => sum(model.bands.filter(({ to }) => to === key));
    expect([into('routed'), into('duplicates'), into('refused')]).toEqual([80, 8, 12]);
    const results = model.bands.filter(({ from }) => from === 'routed');
    expect(sum(results)).toBeCloseTo(80, 6);
    expect(results.find(({ to }) => to === 'b1')?.leads).toBeCloseTo((50 / 70) * 60, 6);
  });

  it('leads from every part to what it stands for', () => {
    const hrefs = new Map(model.columns.flat().map(({ key, href }) => [key, href]));
    expect(hrefs.get('s0')).toBe('{"supplier_id":"s0"}');
    expect(hrefs.get('unmatched')).toBe('{"status":"UNMATCHED"}');
    expect(hrefs.get('b1')).toBe('/buyers/b1');
  });

  it('draws bands within their nodes, side by side, and nodes that do not overlap', () => {
    const { nodes, bands, height } = layOut(model);
    for (const column of model.columns) {
      let end = 0;
      for (const { key } of column) {
        const { top, height: own } = nodes.get(key)!;
        expect(top).toBeGreaterThanOrEqual(end);
        end = top + own;
      }
      expect(end).toBeLessThanOrEqual(height);
    }
    for (const band of bands) {
      const [from, to] = [nodes.get(band.from)!, nodes.get(band.to)!];
      expect(band.start + band.thickness).toBeLessThanOrEqual(from.top + from.height + 0.01);
      expect(band.end + band.thickness).toBeLessThanOrEqual(to.top + to.height + 0.01);
      expect(outlineOf(band)).toMatch(/^M 0 [\d.]+ C .* Z$/);
    }
  });

  it('is empty without leads', () => {
    const empty = { ...FLOW, total: figures({}), suppliers: [], checks: [], routed: 0, buyers: [] };
    const none = flowModel(empty, () => '', { number: String, money: String });
    expect(layOut(none).bands).toEqual([]);
  });
});
