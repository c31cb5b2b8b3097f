/** The filters of the list, as the address has them and as the service takes them. */
import type { InputOf } from '../../lib/useActions.js';
import type { DaySpan, FilterSpec, FilterValues } from '../../ui/data/index.js';
import { BUYER_FILTER, CAMPAIGN_FILTER, SUPPLIER_FILTER } from '../recordFilters.js';
import { OUTCOME_OPTIONS, STATUS_OPTIONS } from './words.js';

export const FILTER_NAMES = [
  'search',
  'days',
  'status',
  'campaign_id',
  'buyer_id',
  'supplier_id',
  'outcome',
  'is_test',
] as const;
export type LeadFilterName = (typeof FILTER_NAMES)[number];
export type LeadFilters = FilterValues<LeadFilterName>;

/** The search has a field of its own above them. */
export const LEAD_FILTERS: readonly FilterSpec<LeadFilterName>[] = [
  { name: 'days', label: 'Days', kind: 'days', isPinned: true },
  { name: 'status', label: 'Status', kind: 'choice', options: STATUS_OPTIONS, isPinned: true },
  CAMPAIGN_FILTER,
  BUYER_FILTER,
  SUPPLIER_FILTER,
  { name: 'outcome', label: 'Outcome', kind: 'choice', options: OUTCOME_OPTIONS },
  { name: 'is_test', label: 'Test leads', kind: 'switch' },
];

/** The service refuses a wrong value of an edited address. */
export const inputOf = (values: LeadFilters, { from, to }: DaySpan): InputOf<'get_leads'> => ({
  search: values.search,
  status: values.status as InputOf<'get_leads'>['status'],
  outcome: values.outcome as InputOf<'get_leads'>['outcome'],
  campaign_id: values.campaign_id,
  buyer_id: values.buyer_id,
  supplier_id: values.supplier_id,
  date_from: from,
  date_to: to,
  is_test: values.is_test === 'true' || undefined,
});

/** The feed's parameters; null where no new lead can be in this list, or the feed has not its filters. */
export function liveQueryOf(values: LeadFilters, { to }: DaySpan, today: string): string | null {
  const isFollowed = !values.search && !values.outcome && values.status !== 'RETURNED';
  if (!isFollowed || (to !== undefined && to < today)) return null;
  const query = new URLSearchParams();
  for (const name of ['status', 'campaign_id', 'buyer_id', 'supplier_id', 'is_test'] as const) {
    const value = values[name];
    if (value) query.set(name, value);
  }
  return query.toString();
}
