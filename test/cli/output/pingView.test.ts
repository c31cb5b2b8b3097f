/** Bids as the terminal shows them. Pure. */
import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { createPaint } from '../../../cli/output/paint.js';
import { formatBars } from '../../../cli/output/bars.js';
import { formatPing } from '../../../cli/output/ping.js';
import { textWidth } from '../../../cli/output/width.js';
import { viewOf } from '../tableView.js';

const plain = createPaint(false);

describe('bars', () => {
  it('are as long as their amounts, the best first, and end in line', () => {
    const bars = [
      { label: 'Premier', amount: 40, text: '40.00', note: 'pays 50.00' },
      { label: 'Steady & Sons', amount: 20, text: '20.00' },
      { label: 'Open', amount: 0.01, text: '0.01' },
    ];
    expect(formatBars(bars, 80, plain)).toEqual([
      '  1  Premier        ████████████████████████  40.00  pays 50.00',
      '  2  Steady & Sons  ████████████              20.00',
      '  3  Open           ▏                          0.01',
    ]);
  });

  it('fit the available width, whatever their text', () => {
    const bar = fc.record({
      label: fc.string({ maxLength: 60 }),
      amount: fc.double({ min: 0, max: 1e6, noNaN: true }),
      note: fc.string({ maxLength: 40 }),
    });
    fc.assert(
      fc.property(
        fc.array(bar, { maxLength: 12 }),
        fc.integer({ min: 70, max: 200 }),
        (list, width) => {
          const bars = list.map((one) => ({ ...one, text: one.amount.toFixed(2) }));
          const lines = formatBars(bars, width, plain);
          expect(lines).toHaveLength(bars.length);
          for (const line of lines) {
            expect(textWidth(line)).toBeLessThanOrEqual(width);
            // eslint-disable-next-line no-control-regex
            expect(line).not.toMatch(/[\u0000-\u001f]/);
          }
        },
      ),
    );
  });
});

describe('a ping', () => {
  const ping = {
    ping_id: 'p1',
    campaign_id: 'c1',
    supplier_id: 's1',
    plan_version: 4,
    is_test: false,
    state: 'redeemed',
    reason: null,
    filter_errors: [],
    fields: ['state', 'zip_code'],
    bids: [
      {
        buyer_id: 'b1',
        buyer_name: 'Premier',
        price: 55,
        net: 46.75,
        bid: 46.75,
        source: 'live',
        reference: 'r-1',
        latency_ms: 31,
      },
      {
        buyer_id: 'b2',
        buyer_name: null,
        price: 12,
        net: 10.2,
        bid: 10.2,
        source: 'static',
        reference: null,
        latency_ms: null,
      },
    ],
    unbid: [{ buyer_id: 'b3', buyer_name: 'Slow', reason: 'late', detail: { timeout_ms: 500 } }],
    lead_id: 'l1',
    created_at: '2026-11-22T10:00:00.000Z',
    expires_at: '2026-11-22T10:30:00.000Z',
    redeemed_at: '2026-11-22T10:01:00.000Z',
  };

  it('shows bids and prices, buyers without a bid, and its lead', () => {
    expect(formatPing(ping, viewOf(100)).split('\n')).toEqual([
      'Ping p1 is redeemed',
      'campaign c1, version 4',
      'supplier s1',
      'received at 2026-11-22 10:00:00Z with state, zip_code',
      'lead l1 was posted to it at 2026-11-22 10:01:00Z',
      '',
      'Bids',
      '  1  Premier  ████████████████████████  46.75  pays 55.00, live, 31 ms, its reference r-1',
      '  2  b2       █████▎                    10.20  pays 12.00',
      '',
      'Without a bid',
      '  Slow  late  {"timeout_ms":500}',
    ]);
  });

  it('says why no buyer bids', () => {
    const refused = {
      ...ping,
      state: 'refused',
      reason: 'filtered',
      bids: [],
      unbid: [],
      lead_id: null,
      is_test: true,
      filter_errors: [{ message: 'state must be\u001b[31m CA' }],
    };
    const text = formatPing(refused, viewOf(80));
    expect(text).toContain('Test ping p1 is refused: filtered\n');
    expect(text).toContain('Filters it failed\n  state must be [31m CA');
    expect(text).not.toContain('Bids');
  });
});
