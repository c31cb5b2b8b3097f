/** The figures of a report. */
import type { Formats } from '../../lib/format.js';
import { changeOf, pointsOf, type Change } from '../../ui/index.js';
import type { Line } from './query.js';

export type Figures = Pick<
  Line,
  | 'count'
  | 'accepted'
  | 'rejected'
  | 'revenue'
  | 'cost'
  | 'profit'
  | 'margin_pct'
  | 'acceptance_pct'
>;

export interface Measure {
  value: keyof Figures;
  label: string;
  unit: 'number' | 'money' | 'percent';
  /** The direction that is welcome. */
  good?: 'up' | 'down';
  /** In the unit: shares between 0 and 1. */
  of(figures: Figures): number;
}

const measure = (
  value: keyof Figures,
  label: string,
  unit: Measure['unit'],
  good?: Measure['good'],
): Measure => ({
  value,
  label,
  unit,
  good,
  of: (figures) => (unit === 'percent' ? figures[value] / 100 : figures[value]),
});

export const MEASURES: readonly Measure[] = [
  measure('count', 'Leads', 'number', 'up'),
  measure('accepted', 'Accepted', 'number', 'up'),
  measure('rejected', 'Rejected', 'number', 'down'),
  measure('revenue', 'Revenue', 'money', 'up'),
  measure('cost', 'Cost', 'money'),
  measure('profit', 'Profit', 'money', 'up'),
  measure('margin_pct', 'Margin', 'percent', 'up'),
  measure('acceptance_pct', 'Acceptance rate', 'percent', 'up'),
];

export const measureOf = (name: string | undefined): Measure =>
  MEASURES.find(({ value }) => value === name) ?? (MEASURES[0] as Measure);

/** From one to the other; of shares, in points. */
export const changeIn = (
  measure: Measure,
  now: Figures,
  before: Figures,
  than?: string,
): Change => {
  const { value, unit, good } = measure;
  return (unit === 'percent' ? pointsOf : changeOf)(now[value], before[value], { good, than });
};

export const textOf = ({ unit, of }: Measure, figures: Figures, formats: Formats): string =>
  formats[unit](of(figures));
