import { describe, expect, it } from '@jest/globals';
import { A_RUN } from './aRun.js';
import { figuresOf } from './figures.js';
import { mergeRuns } from './merge.js';
import { pageOf } from './report.js';
import { tableOf } from './table.js';

const FAILED = {
  ...A_RUN,
  audit: { ...A_RUN.audit, passed: false, failures: ['2 pings are lost.'] },
};
const MERGED = mergeRuns(
  [2_000, 2_600, 2_200].map((perSecond, n) => ({
    ...A_RUN,
    taken_at: `2026-11-2${n}T12:00:00.000Z`,
    figures: [
      ...figuresOf('leads_per_s_256', [perSecond]),
      ...figuresOf('empty_workflow_per_s', [200]),
    ],
  })),
);

describe('the table of a run', () => {
  const lines = tableOf(A_RUN);
  const row = (start: string) => lines.find((line) => line.startsWith(start));

  it('shows each figure with its unit and spread, and each target with its verdict', () => {
    expect(row('leads_per_s_256')).toMatch(/2,050\/s +2,000 to 2,100/);
    expect(row('leads a second at 256 open / empty')).toMatch(/10\.3 +≥ 10 +≥ 13 +met$/);
    expect(row('pings a second')).toMatch(/- +≥ 2,000 +≥ 2,500 +not measured$/);
  });

  it('shows that the audit passed, or FAILED and why', () => {
    expect(lines.at(-2)).toContain('passed: 12345 acknowledged, 0 lost');
    expect(lines.at(-1)).toBe('  678 refused, 0 of them sold');
    const failed = tableOf(FAILED);
    expect(failed.at(-3)).toContain('FAILED');
    expect(failed.at(-1)).toBe('  2 pings are lost.');
  });
});

describe('the table of the processors', () => {
  it('has a row for each measured contender, in place of single figures', () => {
    const lines = tableOf(A_RUN);
    expect(lines.find((line) => line.startsWith('leads '))).toMatch(/^leads +1\.23( +-)+$/);
    expect(lines.join()).not.toContain('cores_leads_own');
    expect(tableOf(MERGED).join()).not.toContain('busy cores');
    const page = pageOf(A_RUN);
    expect(page).toContain('| the service, 256 open | 1.23 | - |');
    expect(page).not.toContain('cores_leads_own');
  });
});

describe('several runs', () => {
  it('show the median and each run, of figures and of targets', () => {
    const row = (start: string) => tableOf(MERGED).find((line) => line.startsWith(start));
    expect(tableOf(MERGED)).toContain('Medians of 3 runs:');
    expect(row('leads_per_s_256')).toMatch(/2,200\/s +2,000 · 2,600 · 2,200/);
    expect(row('leads a second at 256 open / empty')).toMatch(
      / 11 +10 · 13 · 11 +≥ 10 +≥ 13 +met$/,
    );
    const page = pageOf(MERGED);
    expect(page).toContain('Measured 2026-11-20 to 2026-11-22:');
    expect(page).toContain('the median of 3 whole runs');
    expect(page).toContain('| `leads_per_s_256` | 2,200/s | 2,000 · 2,600 · 2,200 |  |');
    expect(page).toContain('| 11 | 10 · 13 · 11 | ≥ 10 | ≥ 13 | met |');
  });
});

describe('the page of a run', () => {
  it('names the day, machine, versions and the command to repeat it', () => {
    const page = pageOf(A_RUN, 'performance.svg');
    expect(page).toContain('Measured 2026-11-22: 2 cores (Some CPU), 8 GiB');
    expect(page).toContain('MongoDB 8.0.1, Temporal 1.29.1');
    expect(page).toContain('npm run bench');
    expect(page).toContain('One process of the service takes requests and decides leads');
    const apart = pageOf({ ...A_RUN, shape: { ...A_RUN.shape, roles: 'apart' } });
    expect(apart).toContain('a process for requests, one that decides leads');
    expect(page).toContain('](performance.svg)');
  });

  it('has a table of targets and one of figures, in which no note breaks a cell', () => {
    const page = pageOf(A_RUN);
    expect(page).toContain('| `leads_per_s_256` | 2,050/s | 2,000 to 2,100 |  |');
    expect(page).toContain('a \\| b');
    expect(page).not.toContain('![');
  });

  it('shows that a run FAILED, and why', () => {
    expect(pageOf(FAILED)).toContain('**FAILED**');
    expect(pageOf(FAILED)).toContain('- 2 pings are lost.');
  });
});
