/** The drawing of a chart, with uPlot: points stand in equal distances, whatever they are. */
import UPlot from 'uplot';
import { isolatedPlaces } from '../../lib/isolated.js';
import { drawnOf, type Drawn, type Shape, type Values } from './model.js';
import type { ChartTexts } from './texts.js';

interface Drawing {
  ats: readonly string[];
  labels: readonly string[];
  values: Values;
  colors: readonly number[];
  shape: Shape;
  texts: ChartTexts;
  /** What happened at each point. */
  marked: readonly (readonly string[])[];
  onRange?: unknown;
}

export interface Palette {
  muted: string;
  line: string;
  font: string;
  series: readonly string[];
}

interface Options {
  palette: Palette;
  height: number;
  /** The pointer is at a point, or has left (null). */
  moved(at: number | null): void;
  /** A span of points was drawn over. */
  ranged(range: [from: number, to: number]): void;
}

export function draw(element: HTMLElement, drawing: Drawing, options: Options): UPlot {
  const { ats, labels, values, colors, shape, texts, marked, onRange } = drawing;
  const { palette, height, moved, ranged } = options;
  const drawn = drawnOf(values, shape);
  const short = shape === 'shares' ? sharesText : texts.short;
  const axis = {
    stroke: palette.muted,
    font: palette.font,
    ticks: { show: false },
    grid: { stroke: palette.line, width: 1 },
  };
  return new UPlot(
    {
      width: element.clientWidth,
      height,
      padding: [12, 8, 0, 0],
      legend: { show: false },
      cursor: {
        y: false,
        points: { show: shape === 'lines' },
        drag: { x: onRange !== undefined, y: false, setScale: false },
      },
      scales: {
        x: { time: false, range: [-0.5, Math.max(0.5, ats.length - 0.5)] },
        y: { range: shape === 'shares' ? [0, 1] : (_, low, high) => rangeOf(low, high) },
      },
      series: [
        {},
        ...labels.map((label, nth) => ({
          label,
          ...styleOf(shape, {
            nth,
            count: labels.length,
            drawn,
            color: palette.series[(colors[nth] ?? 1) - 1] ?? palette.muted,
          }),
        })),
      ],
      axes: [
        {
          ...axis,
          size: 30,
          grid: { show: false },
          splits: (chart) => splitsOf(ats.length, chart.bbox.width / devicePixelRatio),
          values: (_, at) => at.map((nth) => texts.tick(ats[nth] ?? '')),
        },
        { ...axis, size: 56, space: 40, values: (_, ticks) => ticks.map(short) },
      ],
      hooks: {
        draw: [(chart) => drawMarks(chart, marked, palette.muted)],
        setCursor: [(chart) => moved(pointedAt(chart))],
        setSelect: [(chart) => chart.select.width > 0 && ranged(selectedIn(chart, ats.length))],
      },
    },
    [ats.map((_, at) => at), ...drawn.highs],
    element,
  );
}

const MARK_DASH_PX = 3;

/** A dashed line across the chart where something happened, with a head at its top. */
function drawMarks(chart: UPlot, marked: Drawing['marked'], color: string): void {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.strokeStyle = color;
  ctx.fillStyle = color;
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([MARK_DASH_PX * devicePixelRatio, MARK_DASH_PX * devicePixelRatio]);
  for (const [at, texts] of marked.entries()) {
    if (texts.length === 0) continue;
    const x = Math.round(chart.valToPos(at, 'x', true));
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const head = MARK_DASH_PX * devicePixelRatio;
    ctx.fillRect(x - head, bbox.top - head, 2 * head, 2 * head);
  }
  ctx.restore();
}

const sharesText = (share: number): string => `${Math.round(share * 100)}%`;

/** From 0, unless there are losses; a chart of zeros has a height, too. */
function rangeOf(low: number | null, high: number | null): [number, number] {
  const top = Math.max(0, high ?? 0);
  const bottom = Math.min(0, low ?? 0);
  if (top === 0 && bottom === 0) return [0, 1];
  return [bottom * 1.05, top * 1.05];
}

/** Pixels that a text of the horizontal axis needs. */
const TICK_PX = 68;

/** Points that are named: as many as there is room for. */
function splitsOf(count: number, width: number): number[] {
  const step = Math.max(1, Math.ceil(count / Math.max(1, Math.floor(width / TICK_PX))));
  return Array.from({ length: Math.ceil(count / step) }, (_, nth) => nth * step);
}

const pointedAt = (chart: UPlot): number | null =>
  (chart.cursor.left ?? -1) < 0 ? null : (chart.cursor.idx ?? null);

function selectedIn(chart: UPlot, count: number): [number, number] {
  const { left, width } = chart.select;
  const at = (pixels: number): number =>
    Math.min(count - 1, Math.max(0, Math.round(chart.posToVal(pixels, 'x'))));
  return [at(left), at(left + width)];
}

interface Styled {
  /** Of the series, from 0. */
  nth: number;
  count: number;
  drawn: Drawn;
  color: string;
}

function styleOf(shape: Shape, { nth, count, drawn, color }: Styled): UPlot.Series {
  const { lows, highs } = drawn;
  const edges = { lows: lows[nth] ?? [], highs: highs[nth] ?? [] };
  if (shape === 'lines')
    return {
      stroke: color,
      width: 2,
      points: { show: true, filter: () => isolatedPlaces(edges.highs) },
    };
  const filled = { fill: color, width: 0, points: { show: false } };
  if (shape === 'shares') return { ...filled, paths: areaPaths(edges) };
  const side = shape === 'bars' ? { nth, count } : { nth: 0, count: 1 };
  return { ...filled, paths: barPaths(edges, side) };
}

interface Edges {
  lows: readonly number[];
  highs: readonly (number | null)[];
}

/** The part of the distance between two points that their bars take, and the widest bar in pixels. */
const BARS_SHARE = 0.72;
const BAR_MAX_PX = 48;

const barPaths =
  ({ lows, highs }: Edges, side: { nth: number; count: number }): UPlot.Series.PathBuilder =>
  (chart) => {
    const fill = new Path2D();
    const step = Math.abs(chart.valToPos(1, 'x', true) - chart.valToPos(0, 'x', true));
    const width = Math.min((step * BARS_SHARE) / side.count, BAR_MAX_PX * devicePixelRatio);
    const radius = Math.min(3 * devicePixelRatio, width / 4);
    for (const [at, high] of highs.entries()) {
      const low = lows[at] ?? 0;
      if (high === null || high === low) continue;
      const middle = chart.valToPos(at, 'x', true);
      const left = middle + width * (side.nth - side.count / 2);
      const [from, to] = [chart.valToPos(low, 'y', true), chart.valToPos(high, 'y', true)];
      const gap = side.count > 1 ? Math.min(devicePixelRatio, width / 6) : 0;
      const rounded = low === 0 && high > 0 ? [radius, radius, 0, 0] : 0;
      fill.roundRect(left + gap, Math.min(from, to), width - 2 * gap, Math.abs(from - to), rounded);
    }
    return { fill, stroke: null };
  };

const areaPaths =
  ({ lows, highs }: Edges): UPlot.Series.PathBuilder =>
  (chart) => {
    const fill = new Path2D();
    const at = (place: number, value: number): [number, number] => [
      chart.valToPos(place, 'x', true),
      chart.valToPos(value, 'y', true),
    ];
    for (const [place, high] of highs.entries()) fill.lineTo(...at(place, high ?? 0));
    for (const place of [...highs.keys()].reverse()) fill.lineTo(...at(place, lows[place] ?? 0));
    fill.closePath();
    return { fill, stroke: null };
  };
