import { describe, expect, it } from '@jest/globals';
import { figuresOf, type FigureName } from './figures.js';
import { TARGETS, verdicts } from './targets.js';

/** The verdict about the target of this figure, where these were measured. */
function judged(values: Partial<Record<FigureName, number>>, figure: FigureName) {
  const figures = Object.entries(values).flatMap(([name, value]) =>
    figuresOf(name as FigureName, [value]),
  );
  return verdicts(figures).find(({ target }) => target.figure === figure);
}

describe('verdicts', () => {
  it('of a ratio: missed below the least, met from it on, and the aim from there', () => {
    const at = (leads_per_s_256: number) =>
      judged({ leads_per_s_256, empty_workflow_per_s: 100 }, 'leads_per_s_256');
    expect(at(799)).toMatchObject({ value: 7.99, verdict: 'missed' });
    expect(at(800)).toMatchObject({ value: 8, verdict: 'met' });
    expect(at(1_000)).toMatchObject({ value: 10, verdict: 'aim' });
  });

  it('of what should be little: the other way round', () => {
    const at = (burst_200_p99_ms: number) => judged({ burst_200_p99_ms }, 'burst_200_p99_ms');
    expect(at(401)?.verdict).toBe('missed');
    expect(at(400)?.verdict).toBe('met');
    expect(at(250)?.verdict).toBe('aim');
  });

  it('a single error in the burst is a miss, and none is the aim', () => {
    expect(judged({ burst_200_errors: 1 }, 'burst_200_errors')?.verdict).toBe('missed');
    expect(judged({ burst_200_errors: 0 }, 'burst_200_errors')?.verdict).toBe('aim');
  });

  it('an aim of two conditions is reached by both alone', () => {
    const at = (open_100_p99_ms: number, empty_50_p99_ms: number) =>
      judged({ open_100_p99_ms, empty_50_p99_ms }, 'open_100_p99_ms')?.verdict;
    expect(at(150, 300)).toBe('aim');
    expect(at(160, 300)).toBe('met');
    expect(at(150, 160)).toBe('met');
  });

  it('nothing is said where a figure or what it is compared with was not measured', () => {
    const missing = judged({ leads_per_s_256: 1_000 }, 'leads_per_s_256');
    expect(missing).toMatchObject({ verdict: 'not measured' });
    expect(missing).not.toHaveProperty('value');
    expect(verdicts([]).every(({ verdict }) => verdict === 'not measured')).toBe(true);
  });

  it('no aim is less than the least', () => {
    for (const { good, least, aim } of TARGETS)
      expect(good === 'more' ? aim >= least : aim <= least).toBe(true);
  });
});
