import type { ReactNode } from 'react';
import { CsvButton } from '../../lib/csvButton.js';
import { useFormats } from '../../lib/format.js';
import { useCall } from '../../lib/useActions.js';
import { Filter, Loaded, Page } from '../../ui/index.js';
import { FilterBar } from '../../ui/data/index.js';
import { SavedViews } from '../leads/savedViews.js';
import { FILTERS } from './filters.js';
import { MEASURES, measureOf } from './measures.js';
import { COMPARISONS, useQuery, type Query, type Report } from './query.js';
import { ReportChart } from './reportChart.js';
import { ReportTable } from './reportTable.js';
import { Segments } from './segments.js';
import { Totals } from './totals.js';

/** A chart and a table of one query, which the address keeps. */
export default function Reports(): ReactNode {
  const query = useQuery();
  const report = useCall('get_lead_breakdown', query.input);
  const measure = measureOf(query.values.measure);
  return (
    <Page
      title="Reports"
      how={{ action: 'get_lead_breakdown', input: { ...query.input } }}
      intro={<Intro report={report.data} />}
      actions={<CsvButton action="get_lead_breakdown" input={query.input} />}
    >
      <Controls query={query} />
      <Loaded of={report} shape="chart">
        {(data) => (
          <>
            <Totals report={data} />
            <div className="card stack">
              <Segments
                label="Figure"
                options={MEASURES}
                value={measure.value}
                onChange={(value) => query.change({ measure: value === 'count' ? '' : value })}
              />
              <ReportChart report={data} query={query} measure={measure} />
            </div>
            <ReportTable report={data} query={query} measure={measure} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Intro({ report }: { report: Report | undefined }): ReactNode {
  const formats = useFormats();
  if (!report) return null;
  const span = ({ date_from, date_to }: { date_from: string; date_to: string }): string =>
    date_from === date_to
      ? formats.date(date_from)
      : `${formats.date(date_from)} – ${formats.date(date_to)}`;
  return (
    <p>
      {span(report)}
      {report.compared && `, beside ${span(report.compared)}`}
      {report.uncounted > 0 && `. ${formats.number(report.uncounted)} changes are being counted`}.
    </p>
  );
}

const NONE = { value: '', label: 'Nothing' };

function Controls({ query }: { query: Query }): ReactNode {
  const { dimensions, by, then, values, change } = query;
  const filters = { by, then: then ?? '', compare: values.compare ?? '' };
  return (
    <div className="stack">
      <FilterBar filters={FILTERS} values={values} onChange={change}>
        <SavedViews screen="reports" leftOut={[]} />
      </FilterBar>
      <div className="filters report-by">
        <Filter label="By" name="by" options={dimensions} filters={filters} onChange={change} />
        <Filter
          label="Then by"
          name="then"
          options={[NONE, ...dimensions.filter((one) => allows(one.value, query))]}
          filters={filters}
          onChange={change}
        />
        <Filter
          label="Compare with"
          name="compare"
          options={[NONE, ...COMPARISONS]}
          filters={filters}
          onChange={change}
        />
      </div>
    </div>
  );
}

/** Hours are not kept by buyer and state. */
const WITHOUT_HOURS = new Set(['buyer', 'state']);

function allows(dimension: Query['by'], { by, values }: Query): boolean {
  if (dimension === by) return false;
  if (dimension === 'hour') return !WITHOUT_HOURS.has(by) && values.buyer_id === undefined;
  return by !== 'hour' || !WITHOUT_HOURS.has(dimension);
}
