import { useMemo, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useFormats, type Formats } from '../../lib/format.js';
import { useCan } from '../../lib/session.js';
import { DataTable, type DataColumn } from '../../ui/data/index.js';
import { changeIn, MEASURES, textOf, type Measure } from './measures.js';
import { wordsOf } from './points.js';
import {
  DIMENSIONS,
  leadsOf,
  type Dimension,
  type Line,
  type Query,
  type Report,
} from './query.js';

interface ReportTableProps {
  report: Report;
  query: Query;
  /** The figure that the comparison is of. */
  measure: Measure;
}

/** Every line of the report; each leads to its leads. */
export function ReportTable({ report, query, measure }: ReportTableProps): ReactNode {
  const formats = useFormats();
  const [, navigate] = useLocation();
  const seesLeads = useCan('get_leads');
  const isCompared = report.compared !== undefined;
  const { by, then } = query;
  const columns = useMemo(
    () => [
      nameColumn('by', by, formats, (line) => line),
      ...(then ? [nameColumn('then', then, formats, (line) => line.then)] : []),
      ...MEASURES.map((one) => measureColumn(one, formats)),
      ...(isCompared ? beforeColumns(measure, formats) : []),
    ],
    [by, then, formats, measure, isCompared],
  );
  const { breakdown, lines } = report;
  return (
    <DataTable
      caption="Report"
      columns={columns}
      rows={breakdown}
      rowKey={({ id, label, then: second }) =>
        [id ?? label, second?.id ?? second?.label ?? ''].join('\n')
      }
      empty={null}
      storageKey="reports"
      {...(seesLeads && {
        rowHref: (line: Line) => leadsOf(line, query),
        onOpen: (line: Line) => navigate(leadsOf(line, query)),
      })}
      toolbar={
        <span className="muted">
          {formats.number(lines)} {lines === 1 ? 'line' : 'lines'}
          {lines > breakdown.length &&
            `: the first ${formats.number(breakdown.length)} are shown, the file has them all`}
        </span>
      }
    />
  );
}

type Named = { id: string | null; label: string } | undefined;

const nameColumn = (
  id: string,
  by: Dimension,
  formats: Formats,
  of: (line: Line) => Named,
): DataColumn<Line> => ({
  id,
  header: DIMENSIONS.find(({ value }) => value === by)?.label ?? by,
  isPinned: id === 'by',
  cell: (line) => <bdi>{nameOf(by, of(line)?.label ?? '', formats)}</bdi>,
  sortValue: by === 'weekday' ? undefined : (line) => of(line)?.label ?? '',
});

function nameOf(by: Dimension, label: string, formats: Formats): string {
  if (label === 'unknown' || label === '') return 'Unknown';
  if (by === 'day') return formats.date(label);
  return by === 'hour' ? `${label}:00` : wordsOf(by, label);
}

const measureColumn = (measure: Measure, formats: Formats): DataColumn<Line> => ({
  id: measure.value,
  header: measure.label,
  isNumber: true,
  cell: (line) => textOf(measure, line, formats),
  sortValue: (line) => measure.of(line),
});

const beforeColumns = (measure: Measure, formats: Formats): DataColumn<Line>[] => [
  {
    id: 'before',
    header: `${measure.label} before`,
    isNumber: true,
    cell: ({ before }) => (before ? textOf(measure, before, formats) : '–'),
    sortValue: ({ before }) => (before ? measure.of(before) : 0),
  },
  {
    id: 'change',
    header: 'Change',
    isNumber: true,
    cell: (line) => (line.before ? changeIn(measure, line, line.before).text : '–'),
    sortValue: (line) => measure.of(line) - (line.before ? measure.of(line.before) : 0),
  },
];
