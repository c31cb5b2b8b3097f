import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useFormats } from '../../lib/format.js';
import { AreaChart, BarChart, EmptyState, HeatMap, LineChart } from '../../ui/index.js';
import type { Measure } from './measures.js';
import { drawnOf, weekdayText, type Point } from './points.js';
import { DIMENSIONS, leadsOf, type Line, type Query, type Report } from './query.js';

interface ReportChartProps {
  report: Report;
  query: Query;
  measure: Measure;
}

/** Bars of more points would be too thin to compare. */
const BARS_MAX = 100;

/** The report as a picture: the same lines as the table below it. */
export function ReportChart(props: ReportChartProps): ReactNode {
  const { report, query, measure } = props;
  const { by, then, values, change } = query;
  const [, navigate] = useLocation();
  if (report.breakdown.length === 0)
    return (
      <EmptyState title="No leads in these days">
        Choose other days above, or fewer filters.
      </EmptyState>
    );
  if (then === 'hour' && (by === 'weekday' || by === 'day')) return <Hours {...props} />;
  const drawn = drawnOf(report, query, measure);
  const title = `${measure.label} by ${labelOf(by)}${then ? ` and ${labelOf(then)}` : ''}`;
  const common = {
    title,
    ...drawn,
    unit: measure.unit,
    onPick: ({ line, parts }: Point) => {
      const [first] = parts.values();
      const picked = line ?? first;
      if (picked) navigate(leadsOf(then ? { ...picked, then: undefined } : picked, query));
    },
    onRange: by === 'day' ? (from: string, to: string) => change(zoomOf(from, to)) : undefined,
  };
  if (measure.unit === 'percent' && by === 'day') return <LineChart {...common} />;
  if (values.shape === 'shares' && then && measure.unit !== 'percent')
    return <AreaChart {...common} />;
  if (drawn.points.length > BARS_MAX) return <LineChart {...common} />;
  return <BarChart {...common} isStacked={then !== undefined && measure.unit !== 'percent'} />;
}

const labelOf = (by: Query['by']): string =>
  DIMENSIONS.find(({ value }) => value === by)?.label.toLowerCase() ?? by;

/** A single day is shown by its hours. */
const zoomOf = (from: string, to: string) => ({
  days: `${from}..${to}`,
  ...(from === to ? { by: 'hour' } : {}),
});

const HOURS = Array.from({ length: 24 }, (_, hour) => {
  const text = String(hour).padStart(2, '0');
  return { key: text, label: text };
});

/** A week, or days, by their hours. */
function Hours({ report, query, measure }: ReportChartProps): ReactNode {
  const formats = useFormats();
  const [, navigate] = useLocation();
  const lines = new Map<string, Line>();
  for (const line of report.breakdown) lines.set(`${line.label} ${line.then?.label}`, line);
  const rows = [...new Set(report.breakdown.map(({ label }) => label))].map((label) => ({
    key: label,
    label: query.by === 'weekday' ? weekdayText(label) : formats.date(label),
  }));
  return (
    <HeatMap
      title={`${measure.label} by ${labelOf(query.by)} and hour`}
      rows={rows}
      columns={HOURS}
      value={(row, column) => {
        const line = lines.get(`${row} ${column}`);
        return line ? measure.of(line) : null;
      }}
      format={(value) =>
        measure.unit === 'number'
          ? `${formats.number(value)} ${measure.label.toLowerCase()}`
          : formats[measure.unit](value)
      }
      onPick={(row, column) => {
        const line = lines.get(`${row} ${column}`);
        if (line) navigate(leadsOf(line, query));
      }}
    />
  );
}
