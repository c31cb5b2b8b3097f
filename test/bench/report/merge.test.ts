import { describe, expect, it } from '@jest/globals';
import { A_RUN } from './aRun.js';
import { figuresOf } from './figures.js';
import { mergeRuns, readRun } from './merge.js';
import type { RunResult } from './result.js';

const run = (day: number, figures: RunResult['figures'], more: Partial<RunResult> = {}) => ({
  ...A_RUN,
  taken_at: `2026-11-${day}T12:00:00.000Z`,
  figures,
  ...more,
});
const runs = [
  run(22, figuresOf('single_p50_ms', [40], 'the third')),
  run(20, figuresOf('single_p50_ms', [20, 20], 'the first')),
  run(21, figuresOf('single_p50_ms', [30], 'the second')),
];

describe('merged whole runs', () => {
  it('has medians, the value of each run in the order of their times, and the note of the median', () => {
    expect(mergeRuns(runs)).toMatchObject({
      taken_at: '2026-11-20T12:00:00.000Z',
      machine: A_RUN.machine,
      figures: [
        {
          name: 'single_p50_ms',
          value: 30,
          spread: [20, 40],
          runs: [20, 30, 40],
          note: 'the second',
        },
      ],
    });
  });

  it('has null where a run lacks the figure', () => {
    const some = [...runs, run(23, figuresOf('rss_mib', [400]))];
    const { figures } = mergeRuns(some);
    expect(figures.find(({ name }) => name === 'single_p50_ms')?.runs).toEqual([20, 30, 40, null]);
    expect(figures.find(({ name }) => name === 'rss_mib')).toMatchObject({
      value: 400,
      runs: [null, null, null, 400],
    });
  });

  it('adds up the audits, and fails where one has failed', () => {
    const { audit } = A_RUN;
    const failed = { ...audit, passed: false, lost: 2, refused_sold: 1, failures: ['No.'] };
    const merged = mergeRuns([...runs, run(23, [], { audit: failed })]);
    expect(merged.audit).toMatchObject({
      passed: false,
      leads: 4 * audit.leads,
      lost: 2,
      refused: 4 * audit.refused,
      refused_sold: 1,
      failures: ['No.'],
    });
    expect(mergeRuns(runs).audit).toMatchObject({ passed: true, leads: 3 * audit.leads });
  });

  it('split an already merged result into its single runs', () => {
    const [first, ...others] = runs;
    const again = mergeRuns([mergeRuns(others), ...(first ? [first] : [])]);
    expect(again.figures).toEqual(mergeRuns(runs).figures);
  });

  it('must have one machine, the same versions and one shape', () => {
    const other = { ...A_RUN, machine: { ...A_RUN.machine, cores: 4 } };
    expect(() => mergeRuns([A_RUN, other])).toThrow(/differ in "machine"/);
    const quick = { ...A_RUN, shape: { seconds: 3, rounds: 1 } };
    expect(() => mergeRuns([A_RUN, quick])).toThrow(/differ in "shape"/);
    expect(() => mergeRuns([])).toThrow(/no runs/);
  });
});

describe('a file of a run', () => {
  it('is read back as written', () => {
    expect(readRun(JSON.stringify(A_RUN), 'a.json')).toEqual(A_RUN);
  });

  it.each(['', '{', '[]', JSON.stringify({ ...A_RUN, figures: undefined })])(
    'is refused by name when it contains something else: %j',
    (text) => {
      expect(() => readRun(text, 'a.json')).toThrow('a.json is not a run that --json wrote.');
    },
  );
});
