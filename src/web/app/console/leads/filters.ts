/** The filters of the list, as the address has them and as the service takes them. */
import { useCall, type InputOf } from '../../lib/useActions.js';
import type { DaySpan, FilterSpec, FilterValues, RecordSource } from '../../ui/data/index.js';
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

const FOUND_MAX = 20;

const optionsOf = (rows: readonly { id: string; name: string }[] | undefined) =>
  (rows ?? []).map(({ id, name }) => ({ value: id, label: name }));

const campaigns: RecordSource = {
  useOptions(search) {
    const found = useCall('list_campaigns', { search: search || undefined, limit: FOUND_MAX });
    return { options: optionsOf(found.data), isLoading: found.isFetching };
  },
  useLabel: (campaign_id) => useCall('get_campaign', { campaign_id }).data?.name,
};

const buyers: RecordSource = {
  useOptions(search) {
    const found = useCall('list_buyers', { search: search || undefined, limit: FOUND_MAX });
    return { options: optionsOf(found.data), isLoading: found.isFetching };
  },
  useLabel: (buyer_id) => useCall('get_buyer', { buyer_id }).data?.name,
};

const suppliers: RecordSource = {
  useOptions(search) {
    const found = useCall('list_suppliers', { search: search || undefined, limit: FOUND_MAX });
    return { options: optionsOf(found.data), isLoading: found.isFetching };
  },
  useLabel: (supplier_id) => useCall('get_supplier', { supplier_id }).data?.name,
};

/** The search has a field of its own above them. */
export const LEAD_FILTERS: readonly FilterSpec<LeadFilterName>[] = [
  { name: 'days', label: 'Days', kind: 'days', isPinned: true },
  { name: 'status', label: 'Status', kind: 'choice', options: STATUS_OPTIONS, isPinned: true },
  { name: 'campaign_id', label: 'Campaign', kind: 'record', ...campaigns },
  { name: 'buyer_id', label: 'Buyer', kind: 'record', ...buyers },
  { name: 'supplier_id', label: 'Supplier', kind: 'record', ...suppliers },
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

/** The feed's parameters; null where new leads cannot be in this list, or the feed cannot tell. */
export function liveQueryOf(values: LeadFilters, { to }: DaySpan, today: string): string | null {
  const isTold = !values.search && !values.outcome && values.status !== 'RETURNED';
  if (!isTold || (to !== undefined && to < today)) return null;
  const query = new URLSearchParams();
  for (const name of ['status', 'campaign_id', 'buyer_id', 'supplier_id', 'is_test'] as const) {
    const value = values[name];
    if (value) query.set(name, value);
  }
  return query.toString();
}
