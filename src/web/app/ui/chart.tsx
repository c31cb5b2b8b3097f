/** A chart over days, with its data as a table; the drawing part is loaded when the first chart is shown. */
import { lazy, Suspense, type ReactNode } from 'react';
import { useFormats } from '../lib/format.js';
import { Skeleton } from './states.js';
import { Table } from './table.js';

export interface Series<P> {
  /** Unique in its chart. */
  label: string;
  /** Null: a gap. */
  value(point: P): number | null;
}

export interface ChartProps<P extends { day: string }> {
  title: string;
  /** In the order of their days, which are `YYYY-MM-DD`. */
  points: readonly P[];
  series: readonly Series<P>[];
  unit?: 'number' | 'money' | 'percent';
}

const Plot = lazy(() => import('./plot.js'));

export function Chart<P extends { day: string }>(props: ChartProps<P>): ReactNode {
  const { title, points, series, unit = 'number' } = props;
  const formats = useFormats();
  const format = formats[unit];
  const values = series.map(({ value }) => points.map(value));
  return (
    <figure className="chart">
      <figcaption>{title}</figcaption>
      <Suspense fallback={<Skeleton />}>
        <Plot
          days={points.map(({ day }) => day)}
          labels={series.map(({ label }) => label)}
          values={values}
          format={format}
          formatDay={formats.date}
        />
      </Suspense>
      <details>
        <summary>View as table</summary>
        <Table
          caption={title}
          empty={null}
          rows={points}
          rowKey={({ day }) => day}
          columns={[
            { header: 'Day', cell: ({ day }) => formats.date(day) },
            ...series.map(({ label, value }) => ({
              header: label,
              isNumber: true,
              cell(point: P) {
                const at = value(point);
                return at === null ? '–' : format(at);
              },
            })),
          ]}
        />
      </details>
    </figure>
  );
}
