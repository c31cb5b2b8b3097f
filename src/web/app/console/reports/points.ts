/** The lines of a report as points and series of a chart. */
import type { ChartPoint, Series } from '../../ui/index.js';
import type { Measure } from './measures.js';
import type { Dimension, Line, Query, Report } from './query.js';

export interface Point extends ChartPoint {
  /** Absent: no lead there. */
  line?: Line;
  parts: ReadonlyMap<string, Line>;
}

export interface Drawn {
  points: Point[];
  series: Series<Point>[];
}

/** Series beyond these are one, `Other`; categories beyond these are in the table alone. */
const SERIES_MAX = 7;
const CATEGORIES_MAX = 15;

export function drawnOf(report: Report, { by, then }: Query, measure: Measure): Drawn {
  const places = new Map<string, Line[]>();
  for (const line of report.breakdown) {
    const key = line.id ?? line.label;
    places.set(key, [...(places.get(key) ?? []), line]);
  }
  const points = keysOf(report, by, [...places.keys()]).map((key): Point => {
    const lines = places.get(key) ?? [];
    return {
      at: wordsOf(by, lines[0]?.label ?? key),
      line: then ? undefined : lines[0],
      parts: new Map(lines.map((line) => [partOf(line), line])),
    };
  });
  return {
    points: distinct(points),
    series: then ? partsOf(report, then, measure) : wholes(report, measure),
  };
}

/** Every time of the span, with and without leads; of other things those with the most leads. */
function keysOf(report: Report, by: Dimension, found: readonly string[]): string[] {
  if (by === 'day') return daysOf(report.date_from, report.date_to);
  if (by === 'weekday') return [...WEEKDAYS.keys()];
  if (by === 'hour') return Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));
  return found.slice(0, CATEGORIES_MAX);
}

const WEEKDAYS: ReadonlyMap<string, string> = new Map([
  ['mon', 'Monday'],
  ['tue', 'Tuesday'],
  ['wed', 'Wednesday'],
  ['thu', 'Thursday'],
  ['fri', 'Friday'],
  ['sat', 'Saturday'],
  ['sun', 'Sunday'],
]);

export const weekdayText = (key: string): string => WEEKDAYS.get(key) ?? key;

/** A label as the pages write it. */
export function wordsOf(by: Dimension, label: string): string {
  if (label === 'unknown') return 'Unknown';
  if (by === 'weekday') return weekdayText(label);
  if (by !== 'status') return label;
  if (label === 'UNMATCHED') return 'No buyer';
  const words = label.toLowerCase().replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

const DAYS_MAX = 400;

function daysOf(from: string, to: string): string[] {
  const days: string[] = [];
  const day = new Date(`${from}T00:00:00Z`);
  while (days.length < DAYS_MAX) {
    const text = day.toISOString().slice(0, 10);
    if (text > to) break;
    days.push(text);
    day.setUTCDate(day.getUTCDate() + 1);
  }
  return days;
}

/** Records of one name stand apart. */
function distinct(points: Point[]): Point[] {
  const seen = new Map<string, number>();
  return points.map((point) => {
    const nth = (seen.get(point.at) ?? 0) + 1;
    seen.set(point.at, nth);
    return nth === 1 ? point : { ...point, at: `${point.at} (${nth})` };
  });
}

const NONE = 0;

function wholes(report: Report, measure: Measure): Series<Point>[] {
  const series: Series<Point>[] = [
    { label: measure.label, value: ({ line }) => (line ? measure.of(line) : emptyOf(measure)) },
  ];
  if (!report.compared) return series;
  return [
    ...series,
    {
      label: 'Before',
      isQuiet: true,
      value: ({ line }) => (line?.before ? measure.of(line.before) : emptyOf(measure)),
    },
  ];
}

/** No leads are none; a share of none is unknown. */
const emptyOf = ({ unit }: Measure): number | null => (unit === 'percent' ? null : NONE);

const partOf = ({ then }: Line): string => then?.id ?? then?.label ?? '';

function partsOf(report: Report, then: Dimension, measure: Measure): Series<Point>[] {
  const leads = new Map<string, { label: string; leads: number }>();
  for (const line of report.breakdown) {
    const key = partOf(line);
    const before = leads.get(key)?.leads ?? 0;
    leads.set(key, { label: line.then?.label ?? '', leads: before + line.count });
  }
  const ordered = [...leads].sort(([, a], [, b]) => b.leads - a.leads);
  const isWhole = ordered.length <= SERIES_MAX + 1;
  const shown = isWhole ? ordered : ordered.slice(0, SERIES_MAX);
  const series = shown.map(([key, { label }]) => ({
    label: wordsOf(then, label),
    value: ({ parts }: Point) => {
      const line = parts.get(key);
      return line ? measure.of(line) : emptyOf(measure);
    },
  }));
  if (isWhole || measure.unit === 'percent') return series;
  const named = new Set(shown.map(([key]) => key));
  return [
    ...series,
    {
      label: 'Other',
      value: ({ parts }) =>
        [...parts].reduce((sum, [key, line]) => (named.has(key) ? sum : sum + measure.of(line)), 0),
    },
  ];
}
