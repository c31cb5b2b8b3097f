import { describe, expect, it } from '@jest/globals';
import { liveTable } from '../../../cli/feeds/liveTable.js';
import { viewOf } from '../tableView.js';

const ROW = {
  id: '2d3f9a60-7a3d-4a53-9a51-0f2b6c9e7d10',
  status: 'ACCEPTED',
  state: 'CA',
  created_at: '2025-11-22T07:30:01.234Z',
  buyer_id: 'b',
  supplier_id: 's',
  campaign_id: 'c',
  price: 25.5,
  cost: 12,
  name: 'Ada Lovelace',
  buyer_name: 'A buyer with a very long name indeed',
  campaign_name: 'Auto\u001b[2J',
};
const look = { zone: 'America/New_York', currency: 'USD', now: 0 };

describe('a table that grows', () => {
  it.each([60, 80, 100, 140, 200])('has lines that fit a terminal of %i columns', (width) => {
    const { head, lineOf } = liveTable(viewOf(width, { look }));
    const lines = [head, lineOf(ROW), lineOf({ ...ROW, buyer_id: null, status: 'DUPLICATE' })];
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
    if (width >= 80) for (const line of lines.slice(1)) expect(line).toContain('2d3f9a60');
  });

  it('shows names, money and times as tables do, and no control sequences', () => {
    const { head, lineOf } = liveTable(viewOf(200, { look }));
    expect(head).toMatch(/^TIME ET +STATUS +NAME +BUYER +PRICE +ID +CAMPAIGN +SUPPLIER +ST +COST$/);
    const line = lineOf(ROW);
    expect(line).toMatch(
      /^2025-11-22 +ACCEPTED +Ada Lovelace +A buyer with a very long na… +\$25\.50 +2d3f9a60 /,
    );
    expect(line).toMatch(/ Auto \[2J +s +CA +\$12\.00$/);
  });
});
