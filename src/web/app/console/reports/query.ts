/** What a report asks, as its address says it. */
import { useSearchParams } from 'wouter';
import { useDaySpan, useToday } from '../../ui/data/index.js';
import { useCan } from '../../lib/session.js';
import type { InputOf, OutputOf } from '../../lib/useActions.js';

export type Report = OutputOf<'get_lead_breakdown'>;
export type Line = Report['breakdown'][number];
type Asked = InputOf<'get_lead_breakdown'>;
export type Dimension = Asked['group_by'];

export const DIMENSIONS: readonly { value: Dimension; label: string }[] = [
  { value: 'day', label: 'Day' },
  { value: 'weekday', label: 'Weekday' },
  { value: 'hour', label: 'Hour of the day' },
  { value: 'campaign', label: 'Campaign' },
  { value: 'supplier', label: 'Supplier' },
  { value: 'buyer', label: 'Buyer' },
  { value: 'status', label: 'Status' },
  { value: 'state', label: 'State' },
];

/** State by state a report can show where a single lead is from: only those who see people count by it. */
function useDimensions(): typeof DIMENSIONS {
  const seesPeople = useCan('get_consent_record');
  return seesPeople ? DIMENSIONS : DIMENSIONS.filter(({ value }) => value !== 'state');
}

export const COMPARISONS = [
  { value: 'previous_period', label: 'The days before' },
  { value: 'last_week', label: 'A week earlier' },
] as const;

export const FILTER_NAMES = ['days', 'campaign_id', 'supplier_id', 'buyer_id'] as const;
const NAMES = [...FILTER_NAMES, 'by', 'then', 'compare', 'measure', 'shape'] as const;
type Name = (typeof NAMES)[number];

export interface Query {
  values: Partial<Record<Name, string>>;
  /** By which the person may count. */
  dimensions: typeof DIMENSIONS;
  by: Dimension;
  then?: Dimension;
  input: Asked;
  /** Changes the address; the way back leads to the report of before. */
  change(changes: Partial<Record<Name, string>>): void;
}

export function useQuery(): Query {
  const [params, setParams] = useSearchParams();
  const values: Partial<Record<Name, string>> = {};
  for (const name of NAMES) values[name] = params.get(name) ?? undefined;
  const today = useToday();
  const { from, to } = useDaySpan(values.days ?? DAYS);
  const dimensions = useDimensions();
  const of = (text?: string) => dimensions.find(({ value }) => value === text)?.value;
  const by = of(values.by) ?? 'day';
  const second = of(values.then);
  const then = second === by ? undefined : second;
  const { campaign_id, supplier_id, buyer_id } = values;
  const compare = COMPARISONS.find(({ value }) => value === values.compare)?.value;
  return {
    values: { ...values, days: values.days ?? DAYS },
    dimensions,
    by,
    then,
    input: {
      date_from: from ?? to ?? today,
      date_to: to ?? today,
      group_by: by,
      then_by: then,
      compare,
      campaign_id,
      supplier_id,
      buyer_id,
    },
    change: (changes) =>
      setParams((before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes)) {
          if (value) after.set(name, value);
          else after.delete(name);
        }
        return after;
      }),
  };
}

const DAYS = '30d';

/** The leads of a line, where the list of leads can show just those; a span of days otherwise. */
export function leadsOf(line: Line, { by, then, values, input }: Query): string {
  const filters: Partial<Record<string, string>> = {
    days: values.days,
    campaign_id: input.campaign_id,
    supplier_id: input.supplier_id,
    buyer_id: input.buyer_id,
    ...filterOf(by, line),
    ...(then && line.then ? filterOf(then, line.then) : {}),
  };
  const given = Object.entries(filters).filter((one): one is [string, string] => !!one[1]);
  return `/leads?${new URLSearchParams(given)}`;
}

function filterOf(
  by: Dimension,
  { id, label }: { id: string | null; label: string },
): Partial<Record<string, string>> {
  if (id !== null) return { [`${by}_id`]: id };
  if (by === 'day') return { days: `${label}..${label}` };
  if (by === 'status') return { status: label };
  return {};
}
