/** Latency against leads per second, drawn as SVG: readable on a light and on a dark page. */
import type { Figure, FigureName } from './figures.js';
import { ticksOf } from './ticks.js';

const RATES = [50, 100, 200, 400] as const;
const LINES = ['p50', 'p95', 'p99'] as const;
const SIZE = { width: 720, height: 420 };
const PLOT = { left: 72, right: 700, top: 64, bottom: 360 };

const STYLE = `
    svg { background: #fff; font: 13px system-ui, sans-serif; }
    text { fill: #333; } .title { font-size: 16px; font-weight: 600; }
    .grid { stroke: #e3e3e3; } .axis { stroke: #888; }
    .value { font-size: 11px; paint-order: stroke; stroke: #fff; stroke-width: 4px; }
    path { fill: none; stroke-width: 2; }
    .p50 { stroke: #2166ac; fill: #2166ac; } .p95 { stroke: #b35806; fill: #b35806; }
    .p99 { stroke: #b2182b; fill: #b2182b; } path.p50, path.p95, path.p99 { fill: none; }
    .empty { stroke: #666; stroke-dasharray: 6 4; stroke-width: 1.5; }
    @media (prefers-color-scheme: dark) {
      svg { background: #161616; } text { fill: #ddd; } .grid { stroke: #333; } .axis { stroke: #888; }
      .p50 { stroke: #74add1; fill: #74add1; } .p95 { stroke: #fdb863; fill: #fdb863; }
      .p99 { stroke: #f4867c; fill: #f4867c; } path.p50, path.p95, path.p99 { fill: none; }
      .empty { stroke: #aaa; } .value { stroke: #161616; }
    }`;

/** The axis begins at most at this share of the lowest point, so that its value can be written below it. */
const ROOM_BELOW = 0.7;

interface Point {
  rate: number;
  ms: number;
}

/** @returns null when no rate was measured */
export function chartOf(figures: readonly Figure[]): string | null {
  const values = new Map(figures.map(({ name, value }) => [name, value]));
  const lines = LINES.map((name) => ({ name, points: pointsOf(values, name) }));
  const empty = values.get('empty_50_p99_ms');
  const all = [...lines.flatMap(({ points }) => points.map(({ ms }) => ms)), empty ?? NaN];
  const drawn = all.filter((ms) => Number.isFinite(ms));
  if (lines.every(({ points }) => points.length === 0)) return null;
  const ticks = ticksOf(Math.min(...drawn) * ROOM_BELOW, Math.max(...drawn));
  const y = heightOf(ticks);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" role="img">`,
    '  <title>Latency against leads a second</title>',
    `  <style>${STYLE}\n  </style>`,
    text(PLOT.left, 24, 'Leadwire: time to the answer, leads arriving evenly', 'title'),
    ...legend(empty !== undefined),
    ...ticks.flatMap((ms) => [
      `  <line class="grid" x1="${PLOT.left}" x2="${PLOT.right}" y1="${y(ms)}" y2="${y(ms)}"/>`,
      text(PLOT.left - 8, y(ms) + 4, String(ms), undefined, 'end'),
    ]),
    `  <line class="axis" x1="${PLOT.left}" x2="${PLOT.right}" y1="${PLOT.bottom}" y2="${PLOT.bottom}"/>`,
    ...RATES.map((rate) => text(x(rate), PLOT.bottom + 20, String(rate), undefined, 'middle')),
    text((PLOT.left + PLOT.right) / 2, SIZE.height - 14, 'leads a second', undefined, 'middle'),
    `  <g transform="translate(20 ${(PLOT.top + PLOT.bottom) / 2}) rotate(-90)">`,
    text(0, 0, 'milliseconds (logarithmic)', undefined, 'middle'),
    '  </g>',
    ...(empty === undefined
      ? []
      : [
          `  <line class="empty" x1="${PLOT.left}" x2="${PLOT.right}" y1="${y(empty)}" y2="${y(empty)}"/>`,
        ]),
    ...lines.flatMap(({ name, points }) => drawLine(name, points, y)),
    '</svg>',
    '',
  ].join('\n');
}

const pointsOf = (values: ReadonlyMap<FigureName, number>, name: (typeof LINES)[number]): Point[] =>
  RATES.flatMap((rate) => {
    const ms = values.get(`open_${rate}_${name}_ms`);
    return ms === undefined ? [] : [{ rate, ms }];
  });

function drawLine(name: string, points: readonly Point[], y: (ms: number) => number): string[] {
  if (points.length === 0) return [];
  const path = points.map(({ rate, ms }, n) => `${n === 0 ? 'M' : 'L'}${x(rate)} ${y(ms)}`);
  return [
    `  <path class="${name}" d="${path.join(' ')}"/>`,
    ...points.flatMap(({ rate, ms }) => [
      `  <circle class="${name}" cx="${x(rate)}" cy="${y(ms)}" r="3.5"><title>${name} at ${rate} a second: ${ms} ms</title></circle>`,
      // The middle line has no values, where they would overlap.
      ...(name === 'p95'
        ? []
        : [text(x(rate), y(ms) + (name === 'p50' ? 17 : -9), `${ms} ms`, 'value', 'middle')]),
    ]),
  ];
}

function legend(hasEmpty: boolean): string[] {
  const at = PLOT.top - 20;
  return [
    ...LINES.flatMap((name, n) => [
      `  <circle class="${name}" cx="${PLOT.left + 5 + n * 60}" cy="${at - 4}" r="4"/>`,
      text(PLOT.left + 14 + n * 60, at, name),
    ]),
    ...(hasEmpty
      ? [
          `  <line class="empty" x1="${PLOT.left + 190}" x2="${PLOT.left + 226}" y1="${at - 4}" y2="${at - 4}"/>`,
          text(PLOT.left + 234, at, 'p99 of empty Temporal workflows at 50 a second'),
        ]
      : []),
  ];
}

/** Rates double from one to the next, and are evenly spaced, a little off the edges. */
function x(rate: number): number {
  const index = Math.log2(rate / RATES[0]);
  const inner = PLOT.right - PLOT.left - 80;
  return rounded(PLOT.left + 40 + (index / (RATES.length - 1)) * inner);
}

/** The y position of a latency, between the lowest and the highest tick. */
function heightOf(ticks: readonly number[]): (ms: number) => number {
  const [low, high] = [Math.log10(ticks[0] ?? 1), Math.log10(ticks.at(-1) ?? 10)];
  return (ms) => {
    const share = (Math.log10(Math.max(ms, ticks[0] ?? 1)) - low) / (high - low);
    return rounded(PLOT.bottom - share * (PLOT.bottom - PLOT.top));
  };
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

function text(x: number, y: number, content: string, className?: string, anchor?: string): string {
  const attributes = [
    className === undefined ? '' : ` class="${className}"`,
    anchor === undefined ? '' : ` text-anchor="${anchor}"`,
  ].join('');
  return `  <text x="${x}" y="${y}"${attributes}>${content}</text>`;
}
