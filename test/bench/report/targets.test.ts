import { describe, expect, it } from '@jest/globals';
import { A_RUN } from './aRun.js';
import { figuresOf, type FigureName } from './figures.js';
import { mergeRuns } from './merge.js';
import { TARGETS, verdicts } from './targets.js';

/** The verdict on the target of this figure, when these values were measured. */
function judged(values: Partial<Record<FigureName, number>>, figure: FigureName) {
  const figures = Object.entries(values).flatMap(([name, value]) =>
    figuresOf(name as FigureName, [value]),
  );
  return verdicts({ figures }).find(({ target }) => target.figure === figure);
}

describe('verdicts', () => {
  it('of a ratio: missed below the minimum, met from it on, and aim from the aim on', () => {
    const at = (leads_per_s_256: number) =>
      judged({ leads_per_s_256, empty_workflow_per_s: 100 }, 'leads_per_s_256');
    expect(at(999)).toMatchObject({ value: 9.99, verdict: 'missed' });
    expect(at(1_000)).toMatchObject({ value: 10, verdict: 'met' });
    expect(at(1_300)).toMatchObject({ value: 13, verdict: 'aim' });
  });

  it('of a figure where less is better: the other way round', () => {
    const at = (burst_200_p99_ms: number) => judged({ burst_200_p99_ms }, 'burst_200_p99_ms');
    expect(at(251)?.verdict).toBe('missed');
    expect(at(250)?.verdict).toBe('met');
    expect(at(150)?.verdict).toBe('aim');
  });

  it('a single error in the burst is a miss, and none is the aim', () => {
    expect(judged({ burst_200_errors: 1 }, 'burst_200_errors')?.verdict).toBe('missed');
    expect(judged({ burst_200_errors: 0 }, 'burst_200_errors')?.verdict).toBe('aim');
  });

  it('an aim of two conditions is reached by both alone', () => {
    const at = (open_100_p99_ms: number, empty_50_p99_ms: number) =>
      judged({ open_100_p99_ms, empty_50_p99_ms }, 'open_100_p99_ms')?.verdict;
    expect(at(120, 120)).toBe('aim');
    expect(at(130, 140)).toBe('met');
    expect(at(120, 100)).toBe('met');
  });

  it('no verdict where a figure or its divisor was not measured', () => {
    const missing = judged({ leads_per_s_256: 1_000 }, 'leads_per_s_256');
    expect(missing).toMatchObject({ verdict: 'not measured' });
    expect(missing).not.toHaveProperty('value');
    expect(verdicts({ figures: [] }).every(({ verdict }) => verdict === 'not measured')).toBe(true);
  });

  it('of several runs: the median of the ratios of single runs, each of which is shown', () => {
    const run = ([leads, empty]: readonly [number, number]) => ({
      ...A_RUN,
      figures: [
        ...figuresOf('leads_per_s_256', [leads]),
        ...figuresOf('empty_workflow_per_s', [empty]),
      ],
    });
    // The ratio of the medians would be 10.
    const runs = (
      [
        [900, 100],
        [1_000, 50],
        [1_397, 127],
      ] as const
    ).map(run);
    const merged = { figures: mergeRuns(runs).figures, runs };
    const verdict = verdicts(merged).find(({ target }) => target.over === 'empty_workflow_per_s');
    expect(verdict?.runs.map((one) => one?.toFixed(1))).toEqual(['9.0', '20.0', '11.0']);
    expect(verdict?.value).toBeCloseTo(11);
    expect(verdict?.verdict).toBe('met');
  });

  it('of several runs: from those in which it was measured', () => {
    const runs = [figuresOf('burst_200_p99_ms', [150]), [], figuresOf('burst_200_p99_ms', [100])];
    const merged = { figures: [], runs: runs.map((figures) => ({ ...A_RUN, figures })) };
    const verdict = verdicts(merged).find(({ target }) => target.figure === 'burst_200_p99_ms');
    expect(verdict).toMatchObject({ value: 125, runs: [150, null, 100], verdict: 'aim' });
  });

  it('no aim is easier than the minimum', () => {
    for (const { good, least, aim } of TARGETS)
      expect(good === 'more' ? aim >= least : aim <= least).toBe(true);
  });
});
