import { describe, expect, it } from '@jest/globals';
import { chartOf } from './chart.js';
import { figuresOf } from './figures.js';

const FIGURES = [
  ...[50, 100, 200, 400].flatMap((rate) => [
    ...figuresOf(`open_${rate}_p50_ms` as 'open_50_p50_ms', [rate / 10]),
    ...figuresOf(`open_${rate}_p95_ms` as 'open_50_p95_ms', [rate / 5]),
    ...figuresOf(`open_${rate}_p99_ms` as 'open_50_p99_ms', [rate]),
  ]),
  ...figuresOf('empty_50_p99_ms', [90]),
];

/** The x positions of a line's points. */
const pointsOf = (svg: string, name: string): { x: number; y: number }[] =>
  [
    ...svg.matchAll(
      new RegExp(`<circle class="${name}" cx="([\\d.]+)" cy="([\\d.]+)" r="3.5">`, 'g'),
    ),
  ].map(([, x, y]) => ({ x: Number(x), y: Number(y) }));

describe('the chart of latency against rate', () => {
  const svg = chartOf(FIGURES) ?? '';

  it('has a line for each percentile with a point at each rate, later ones higher', () => {
    for (const name of ['p50', 'p95', 'p99']) {
      const points = pointsOf(svg, name);
      expect(points).toHaveLength(4);
      expect(points.map(({ x }) => x)).toEqual(points.map(({ x }) => x).toSorted((a, b) => a - b));
      // In SVG, y grows downwards.
      expect(points.map(({ y }) => y)).toEqual(points.map(({ y }) => y).toSorted((a, b) => b - a));
    }
    expect(pointsOf(svg, 'p99')[0]?.y).toBeLessThan(pointsOf(svg, 'p50')[0]?.y ?? 0);
  });

  it('keeps every point inside the axes', () => {
    for (const name of ['p50', 'p95', 'p99'])
      for (const { x, y } of pointsOf(svg, name)) {
        expect(x).toBeGreaterThan(72);
        expect(x).toBeLessThan(700);
        expect(y).toBeGreaterThanOrEqual(64);
        expect(y).toBeLessThanOrEqual(360);
      }
  });

  it('has room above the axis for the value of its lowest point', () => {
    for (const lowest of [101, 105, 199]) {
      const flat = chartOf([
        ...figuresOf('open_50_p50_ms', [lowest]),
        ...figuresOf('open_50_p99_ms', [10 * lowest]),
      ]);
      expect(pointsOf(flat ?? '', 'p50')[0]?.y).toBeLessThanOrEqual(342);
    }
  });

  it('names its axes, shows each value, and suits light and dark pages', () => {
    expect(svg).toContain('leads a second');
    expect(svg).toContain('milliseconds');
    expect(svg).toContain('<title>p99 at 400 a second: 400 ms</title>');
    expect(svg).toContain('prefers-color-scheme: dark');
  });

  it('draws empty workflows as a reference line where they were measured', () => {
    expect(svg).toContain('empty Temporal workflows');
    const without = chartOf(FIGURES.filter(({ name }) => name !== 'empty_50_p99_ms')) ?? '';
    expect(without).not.toContain('empty Temporal workflows');
    expect(pointsOf(without, 'p99')).toHaveLength(4);
  });

  it('leaves out rates that were not measured, and returns null without any', () => {
    const some = chartOf(FIGURES.filter(({ name }) => name.includes('_50_'))) ?? '';
    expect(pointsOf(some, 'p99')).toHaveLength(1);
    expect(chartOf(figuresOf('empty_50_p99_ms', [90]))).toBeNull();
  });
});
