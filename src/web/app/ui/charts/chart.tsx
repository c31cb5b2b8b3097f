/** A chart with its legend and its data as a table; the drawing part is loaded when the first chart is shown. */
import { lazy, Suspense, type ReactNode } from 'react';
import { Skeleton } from '../states.js';
import { Table } from '../table.js';
import {
  colorsOf,
  valuesOf,
  type ChartMarks,
  type ChartPoint,
  type Series,
  type Shape,
  type Unit,
} from './model.js';
import { useChartTexts, type ChartTexts } from './texts.js';
import './charts.css';

export interface ChartProps<P extends ChartPoint> {
  title: string;
  /** In the order in which they are drawn. */
  points: readonly P[];
  series: readonly Series<P>[];
  unit?: Unit;
  /** Lines across the chart; the tooltip and the table say what each is. */
  marks?: ChartMarks;
  /** A click on a point, or Enter. */
  onPick?: (point: P) => void;
  /** A span drawn over with the pointer, or chosen by Shift and the arrow keys: the first and the last `at`. */
  onRange?: (from: string, to: string) => void;
}

const Plot = lazy(() => import('./plot.js'));

export interface FigureProps<P extends ChartPoint> extends ChartProps<P> {
  shape: Shape;
}

function Figure<P extends ChartPoint>(props: FigureProps<P>): ReactNode {
  const { title, points, series, unit = 'number', shape, marks, onPick, onRange } = props;
  const texts = useChartTexts(points, unit);
  const marked = points.map(({ at }) => textsAt(at, marks));
  return (
    <figure className="chart">
      <div className="chart-head">
        <figcaption>{title}</figcaption>
        {(series.length > 1 || marks !== undefined) && <Legend series={series} marks={marks} />}
      </div>
      <Suspense fallback={<Skeleton lines={6} />}>
        <Plot
          title={title}
          ats={points.map(({ at }) => at)}
          labels={series.map(({ label }) => label)}
          values={valuesOf(points, series)}
          colors={colorsOf(series)}
          shape={shape}
          texts={texts}
          marked={marked}
          onPick={onPick && ((at) => points[at] && onPick(points[at]))}
          onRange={onRange}
        />
      </Suspense>
      <DataTable title={title} points={points} series={series} texts={texts} marks={marks} />
    </figure>
  );
}

const textsAt = (at: string, marks: ChartMarks | undefined): string[] =>
  (marks?.of ?? []).filter((mark) => mark.at === at).map(({ text }) => text);

/** Bars for counts and sums; beside each other, or upon each other where they are parts of one sum. */
export const BarChart = <P extends ChartPoint>({
  isStacked = false,
  ...props
}: ChartProps<P> & { isStacked?: boolean }): ReactNode => (
  <Figure {...props} shape={isStacked ? 'stack' : 'bars'} />
);

/** Lines for rates, and for what is compared over many points. */
export const LineChart = <P extends ChartPoint>(props: ChartProps<P>): ReactNode => (
  <Figure {...props} shape="lines" />
);

/** The share that each series has of their sum. */
export const AreaChart = <P extends ChartPoint>(props: ChartProps<P>): ReactNode => (
  <Figure {...props} shape="shares" />
);

interface DayPoint {
  /** `YYYY-MM-DD` */
  day: string;
}

/** Bars of more days would be too thin to compare. */
const BARS_MAX = 31;

/** Values by day: few days are drawn as bars, many as lines. */
export function Chart<P extends DayPoint>(
  props: Omit<ChartProps<P & ChartPoint>, 'points' | 'series'> & {
    points: readonly P[];
    series: readonly Series<P>[];
  },
): ReactNode {
  const points = props.points.map((point) => ({ ...point, at: point.day }));
  return <Figure {...props} points={points} shape={points.length > BARS_MAX ? 'lines' : 'bars'} />;
}

interface LegendProps<P> {
  series: readonly Series<P>[];
  marks: ChartMarks | undefined;
}

/** Each series beside its color; the tooltip and the table repeat the values in words. */
function Legend<P>({ series, marks }: LegendProps<P>): ReactNode {
  const colors = colorsOf(series);
  return (
    <ul className="chart-legend">
      {series.map(({ label }, nth) => (
        <li key={label}>
          <span className={`swatch series-${colors[nth]}`} aria-hidden="true" />
          <bdi>{label}</bdi>
        </li>
      ))}
      {marks && (
        <li>
          <span className="swatch-mark" aria-hidden="true" />
          {marks.label}
        </li>
      )}
    </ul>
  );
}

interface DataTableProps<P extends ChartPoint> {
  title: string;
  points: readonly P[];
  series: readonly Series<P>[];
  texts: ChartTexts;
  marks: ChartMarks | undefined;
}

function DataTable<P extends ChartPoint>(props: DataTableProps<P>): ReactNode {
  const { title, points, series, texts, marks } = props;
  return (
    <details>
      <summary>View as table</summary>
      <Table
        caption={title}
        empty={<p className="muted">No data.</p>}
        rows={points}
        rowKey={({ at }) => at}
        columns={[
          { header: texts.kind, cell: ({ at }) => <bdi>{texts.point(at)}</bdi> },
          ...series.map(({ label, value }) => ({
            header: label,
            isNumber: true,
            cell(point: P) {
              const at = value(point);
              return at === null ? '–' : texts.value(at);
            },
          })),
          ...(marks
            ? [
                {
                  header: marks.label,
                  cell: ({ at }: P) => <bdi>{textsAt(at, marks).join('; ')}</bdi>,
                },
              ]
            : []),
        ]}
      />
    </details>
  );
}
