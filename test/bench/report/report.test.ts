import { describe, expect, it } from '@jest/globals';
import { figuresOf } from './figures.js';
import { pageOf } from './report.js';
import type { RunResult } from './result.js';
import { tableOf } from './table.js';

const PASSED = {
  passed: true,
  leads: 12_345,
  lost: 0,
  doubled: 0,
  over_cap: 0,
  false_answers: 0,
  examples: [],
  failures: [],
};
const RESULT: RunResult = {
  machine: { cpu: 'Some CPU', cores: 2, memory_gib: 8, system: 'Linux 6' },
  versions: { leadwire: '0.1.0', node: '20.20.2', mongodb: '8.0.1', temporal: '1.29.1' },
  taken_at: '2026-11-22T12:00:00.000Z',
  shape: { seconds: 6, rounds: 3 },
  figures: [
    ...figuresOf('leads_per_s_256', [2_000, 2_100, 2_050]),
    ...figuresOf('empty_workflow_per_s', [200], 'a | b'),
  ],
  audit: PASSED,
};
const FAILED = { ...RESULT, audit: { ...PASSED, passed: false, failures: ['2 pings are lost.'] } };

describe('the table of a run', () => {
  const lines = tableOf(RESULT);
  const row = (start: string) => lines.find((line) => line.startsWith(start));

  it('shows each figure with its unit and spread, and each target with its verdict', () => {
    expect(row('leads_per_s_256')).toMatch(/2,050\/s +2,000 to 2,100/);
    expect(row('leads a second at 256 open / empty')).toMatch(/10\.3 +≥ 8 +≥ 10 +aim$/);
    expect(row('pings a second')).toMatch(/- +≥ 2,000 +≥ 2,500 +not measured$/);
  });

  it('says that the audit passed, or FAILED and why', () => {
    expect(lines.at(-1)).toContain('passed: 12345 acknowledged, 0 lost');
    const failed = tableOf(FAILED);
    expect(failed.at(-2)).toContain('FAILED');
    expect(failed.at(-1)).toBe('  2 pings are lost.');
  });
});

describe('the page of a run', () => {
  it('names day, machine, versions and how to repeat it', () => {
    const page = pageOf(RESULT, 'performance.svg');
    expect(page).toContain('Measured 2026-11-22: 2 cores (Some CPU), 8 GiB');
    expect(page).toContain('MongoDB 8.0.1, Temporal 1.29.1');
    expect(page).toContain('npm run bench');
    expect(page).toContain('](performance.svg)');
  });

  it('has a table of targets and one of figures, in which no note breaks a cell', () => {
    const page = pageOf(RESULT);
    expect(page).toContain('| `leads_per_s_256` | 2,050/s | 2,000 to 2,100 |  |');
    expect(page).toContain('a \\| b');
    expect(page).not.toContain('![');
  });

  it('says that a run FAILED, and why', () => {
    expect(pageOf(FAILED)).toContain('**FAILED**');
    expect(pageOf(FAILED)).toContain('- 2 pings are lost.');
  });
});
