/** What is drawn: the same for every kind of chart. */

/** One place of the horizontal axis. */
export interface ChartPoint {
  /**
   * A day (`YYYY-MM-DD`), an hour by its first instant (ISO 8601), an hour of the day (`00` to `23`), or any other text,
   * shown as it is.
   */
  at: string;
}

export interface Series<P> {
  /** Unique in its chart. */
  label: string;
  /** Null: a gap. */
  value(point: P): number | null;
  /** What the others are compared with: in gray. */
  isQuiet?: boolean;
}

/** What happened at a point, and may explain what follows it. */
export interface ChartMark {
  at: string;
  text: string;
}

/** Marks of one kind, which the legend names. */
export interface ChartMarks {
  label: string;
  of: readonly ChartMark[];
}

/** Series beyond these repeat colors; the last is gray. */
const COLORS = 8;

/** The number of each series' color, from 1. */
export const colorsOf = (series: readonly Pick<Series<never>, 'isQuiet'>[]): number[] =>
  series.map(({ isQuiet }, nth) => (isQuiet ? COLORS : (nth % COLORS) + 1));

export type Unit = 'number' | 'money' | 'percent';

/** `stack`: bars upon each other; `shares`: areas that fill the whole height. */
export type Shape = 'bars' | 'stack' | 'lines' | 'shares';

/** For each series its values, one for each point. */
export type Values = readonly (readonly (number | null)[])[];

/** The value of each point, for each series. */
export const valuesOf = <P>(points: readonly P[], series: readonly Series<P>[]): Values =>
  series.map(({ value }) => points.map(value));

/** From where to where each value is drawn: with `stack` and `shares` each begins where the one before ends. */
export interface Drawn {
  lows: number[][];
  highs: (number | null)[][];
}

export function drawnOf(values: Values, shape: Shape): Drawn {
  if (shape === 'bars' || shape === 'lines')
    return {
      lows: values.map((list) => list.map(() => 0)),
      highs: values.map((list) => [...list]),
    };
  const wholes = shape === 'shares' ? wholesOf(values) : null;
  const reached = (values[0] ?? []).map(() => 0);
  const lows: number[][] = [];
  const highs: number[][] = [];
  for (const list of values) {
    lows.push([...reached]);
    for (const [at, value] of list.entries()) {
      const whole = wholes ? (wholes[at] ?? 0) : 1;
      reached[at] = (reached[at] ?? 0) + (whole === 0 ? 0 : (value ?? 0) / whole);
    }
    highs.push([...reached]);
  }
  return { lows, highs };
}

/** The values of all series together, for each point. */
export const wholesOf = (values: Values): number[] =>
  (values[0] ?? []).map((_, at) => values.reduce((sum, list) => sum + (list[at] ?? 0), 0));
