/** The results of a funnel as the terminal shows them. Pure. */
import { describe, expect, it } from '@jest/globals';
import { formatFunnelStats } from '../../../cli/output/funnelStats.js';
import { viewOf } from '../tableView.js';

const day = (date: string, views: number) => ({ date, views, leads: 0, accepted: 1, revenue: 9 });

describe('the statistics of a funnel', () => {
  const text = formatFunnelStats(
    {
      name: 'Roofs',
      date_from: '2026-11-01',
      date_to: '2026-11-30',
      views: 200,
      starts: 100,
      submits: 50,
      leads: 50,
      accepted: 25,
      revenue: 612.5,
      conversion_pct: 12.5,
      suspects: { honeypot: 3, too_fast: 0 },
      steps: [
        { step: 'owner', shown: 200, done: 100, left: 100, drop_off_pct: 50 },
        { step: 'contact', shown: 100, done: 50, left: 50, drop_off_pct: 50 },
        { step: 'new', shown: 0, done: 0, left: 0, drop_off_pct: 0 },
      ],
      days: [day('2026-11-01', 150), day('2026-11-02', 0), day('2026-11-03', 50)],
      sources: [{ source: 'google\u001b[2J', views: 200, leads: 50, accepted: 25, revenue: 1 }],
    },
    viewOf(100),
  );
  const lineOf = (word: string) => text.split('\n').find((line) => line.includes(word)) ?? '';

  it('show each step as a bar, with the visitors who left at it', () => {
    expect(lineOf('owner')).toMatch(/owner {4}█{24} +200 {2}100 left \(50 %\)$/);
    expect(lineOf('contact')).toMatch(/contact {2}█{12} +100 {2}50 left \(50 %\)$/);
    expect(lineOf('new').trimEnd()).toMatch(/new +0$/);
  });

  it('lead with the sums, and name what was rejected as a bot', () => {
    expect(text.split('\n').slice(0, 2)).toEqual([
      'Roofs, 2026-11-01 to 2026-11-30',
      'revenue 612.50, 12.5 % of views sold',
    ]);
    expect(lineOf('honeypot')).toBe('  honeypot 3');
    expect(text).not.toContain('too_fast');
  });

  it('leave out days without a view, and control sequences', () => {
    expect(text).not.toContain('2026-11-02');
    // eslint-disable-next-line no-control-regex
    expect(text).not.toMatch(/\u001b/);
  });
});
