import type { ReactNode } from 'react';
import { useFilters } from '../../lib/route.js';
import { BarChart, Section, type ChartPoint, type Series } from '../../ui/index.js';
import { Segments } from '../reports/segments.js';
import type { Today } from './types.js';

const MEASURES = [
  { value: 'leads', label: 'Leads' },
  { value: 'accepted', label: 'Accepted' },
  { value: 'revenue', label: 'Revenue' },
  { value: 'cost', label: 'Cost' },
] as const;

type Point = ChartPoint & Pick<Today['hours'][number], 'today' | 'last_week'>;

/** Every hour of the day beside the same hour of last week. */
export function Hours({ today: { hours } }: { today: Today }): ReactNode {
  const [{ show }, change] = useFilters(['show']);
  const { value: measure, label } = MEASURES.find(({ value }) => value === show) ?? MEASURES[0];
  const today: Series<Point> = { label: 'Today', value: (point) => point.today?.[measure] ?? null };
  const lastWeek: Series<Point> = {
    label: 'Same day last week',
    isQuiet: true,
    value: (point) => point.last_week?.[measure] ?? null,
  };
  const isKnown = hours.some(({ last_week }) => last_week !== null);
  return (
    <Section
      title="By hour"
      actions={
        <Segments
          label="Measure"
          options={MEASURES}
          value={measure}
          onChange={(value) => change({ show: value === 'leads' ? '' : value })}
        />
      }
    >
      <div className="card">
        <BarChart
          title={`${label} by hour`}
          points={hours.map(({ hour, ...both }) => ({ at: hour, ...both }))}
          unit={measure === 'leads' || measure === 'accepted' ? 'number' : 'money'}
          series={isKnown ? [today, lastWeek] : [today]}
        />
      </div>
    </Section>
  );
}
