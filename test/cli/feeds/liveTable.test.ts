import { describe, expect, it } from '@jest/globals';
import { liveTable } from '../../../cli/feeds/liveTable.js';
import { createPaint } from '../../../cli/output/paint.js';

const ROW = {
  id: '2d3f9a60-7a3d-4a53-9a51-0f2b6c9e7d10',
  status: 'ACCEPTED',
  state: 'CA',
  created_at: '2026-11-22T07:30:01.234Z',
  buyer_id: 'b',
  supplier_id: 's',
  campaign_id: 'c',
  revenue: 25.5,
  cost: 12,
};
const NAMES = new Map([
  ['b', 'A buyer with a very long name indeed'],
  ['c', 'Auto\u001b[2J'],
]);

describe('a table that grows', () => {
  it.each([60, 80, 100, 140, 200])('has lines that fit a terminal of %i columns', (width) => {
    const { head, lineOf } = liveTable(width, NAMES, createPaint(false));
    const lines = [head, lineOf(ROW), lineOf({ ...ROW, buyer_id: null, status: 'DUPLICATE' })];
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(Math.max(width, 69));
    for (const line of lines.slice(1)) expect(line).toContain(ROW.id);
  });

  it('shows names, money and times as tables do, and no control sequences', () => {
    const { head, lineOf } = liveTable(200, NAMES, createPaint(false));
    expect(head).toMatch(/^CREATED AT +STATUS +ID +BUYER +REVENUE +ST +SUPPLIER +CAMPAIGN +COST$/);
    const line = lineOf(ROW);
    expect(line).toMatch(/^2026-11-22 07:30:01Z +ACCEPTED /);
    expect(line).toMatch(/A buyer with a very long na… +25\.50 +CA +s +Auto \[2J +12\.00$/);
  });
});
