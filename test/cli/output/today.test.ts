/** Today as the terminal shows it. Pure. */
import { describe, expect, it } from '@jest/globals';
import { formatToday } from '../../../cli/output/today.js';
import { textWidth } from '../../../cli/output/width.js';
import { viewOf } from '../tableView.js';

const look = {
  zone: 'America/New_York',
  currency: 'USD',
  now: Date.parse('2026-11-28T19:00:00.000Z'),
};
const day = { total_leads: 0, accepted: 0, pending: 0, sales: 0, revenue: 0, cost: 0, profit: 0 };
const quiet = {
  date: '2026-11-28',
  time_zone: 'America/New_York',
  currency: 'USD',
  today: { ...day, total_leads: 12, accepted: 9, revenue: 255.5, margin_pct: 90.59 },
  yesterday_by_now: null,
  yesterday: { ...day, total_leads: 20, rejected: 3 },
  uncounted: 0,
  waiting: { deliveries: 0, unknown: 0, oldest_at: null, is_cut: false, breakers: 0, returns: 0 },
  queues: [],
  breakers: [],
  caps: { nearly_full: 0, is_cut: false, fullest: [] },
  silent_suppliers: [],
};
const busy = {
  ...quiet,
  uncounted: 2,
  waiting: {
    ...quiet.waiting,
    deliveries: 7,
    unknown: 1,
    oldest_at: '2026-11-28T15:30:00.000Z',
    is_cut: true,
    breakers: 1,
    dead_letters: 4,
  },
  queues: [
    { buyer_id: 'b1', buyer_name: 'Acme', waiting: 7, oldest_at: '2026-11-28T15:30:00.000Z' },
  ],
  caps: {
    nearly_full: 1,
    is_cut: false,
    fullest: [
      {
        scope: 'buyer',
        campaign_name: 'Solar CA',
        buyer_name: 'Acme',
        supplier_name: null,
        window: 'day',
        of: 'count',
        limit: 20,
        used: 19,
        used_pct: 95,
        resets_at: '2026-11-29T05:00:00.000Z',
      },
    ],
  },
  silent_suppliers: [
    { supplier_id: 's1', supplier_name: 'Search', last_lead_at: '2026-11-27T12:00:00.000Z' },
  ],
};
const linesOf = (data: object, width = 80): string[] =>
  formatToday(data as never, viewOf(width, { look })).split('\n');

describe('today', () => {
  it('has each figure beside those of yesterday, and leaves out counts that are zero on all days', () => {
    const lines = linesOf(quiet);
    expect(lines.find((line) => line.startsWith('leads'))).toMatch(/^leads +12 +– +20$/);
    expect(lines.find((line) => line.startsWith('revenue'))).toMatch(
      /^revenue +\$255\.50 +– +\$0\.00$/,
    );
    expect(lines.find((line) => line.startsWith('rejected'))).toMatch(/^rejected +– +– +3$/);
    expect(lines.filter((line) => /^(?:pending|expired)/.test(line))).toEqual([]);
  });

  it('says so when nothing needs a person', () => {
    const lines = linesOf(quiet);
    expect(lines[lines.indexOf('Needs you') + 1]).toBe('  nothing');
    expect(lines).not.toContain('Queues');
  });

  it('names what waits, since when, and the command that shows it', () => {
    const lines = linesOf(busy, 100);
    const from = lines.indexOf('Needs you') + 1;
    expect(lines.slice(from, lines.indexOf('', from))).toEqual([
      '  7 deliveries or more wait, since 2026-11-28 10:30:00 EST: leadwire deliveries list',
      '  1 deliveries were never answered: leadwire deliveries list --state unknown',
      '  1 buyers get no leads, their breaker is open: leadwire buyers list-health',
      '  4 events were given up: leadwire events deliveries --state parked',
      '  1 limits are nearly full: leadwire caps list --nearly-full',
      '  1 suppliers have sent nothing for a day',
      '  2 leads are not in these figures yet',
    ]);
    const partOf = (title: string) => lines[lines.indexOf(title) + 2];
    expect(partOf('Queues')).toMatch(/^ {2}Acme +7/);
    expect(partOf('Fullest caps')).toMatch(/^ {2} *95 +buyer +Solar CA +Acme/);
    expect(partOf('Silent suppliers')).toMatch(/^ {2}Search/);
  });

  it.each([60, 80, 140])('fits in %d columns', (width) => {
    expect(Math.max(...linesOf(busy, width).map(textWidth))).toBeLessThanOrEqual(width);
  });
});
