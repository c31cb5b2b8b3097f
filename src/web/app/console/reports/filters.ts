/** The filters of reports. */
import { useCall } from '../../lib/useActions.js';
import type { FilterSpec, RecordSource } from '../../ui/data/index.js';
import type { FILTER_NAMES } from './query.js';

type Named = { id: string; name: string };

const optionsOf = (found: readonly Named[] | undefined) =>
  (found ?? []).map(({ id, name }) => ({ value: id, label: name }));

const CAMPAIGNS: RecordSource = {
  useOptions(search) {
    const { data, isLoading } = useCall('list_campaigns', {});
    const options = optionsOf(data).filter(({ label }) =>
      label.toLowerCase().includes(search.toLowerCase()),
    );
    return { options, isLoading };
  },
  useLabel: (id) => useCall('get_campaign', { campaign_id: id }).data?.name,
};

const SUPPLIERS: RecordSource = {
  useOptions(search) {
    const { data, isLoading } = useCall('list_suppliers', { search: search || undefined });
    return { options: optionsOf(data), isLoading };
  },
  useLabel: (id) => useCall('get_supplier', { supplier_id: id }).data?.name,
};

const BUYERS: RecordSource = {
  useOptions(search) {
    const { data, isLoading } = useCall('list_buyers', { search: search || undefined });
    return { options: optionsOf(data), isLoading };
  },
  useLabel: (id) => useCall('get_buyer', { buyer_id: id }).data?.name,
};

export const FILTERS: readonly FilterSpec<(typeof FILTER_NAMES)[number]>[] = [
  { name: 'days', label: 'Days', kind: 'days', isPinned: true },
  { name: 'campaign_id', label: 'Campaign', kind: 'record', ...CAMPAIGNS },
  { name: 'supplier_id', label: 'Supplier', kind: 'record', ...SUPPLIERS },
  { name: 'buyer_id', label: 'Buyer', kind: 'record', ...BUYERS },
];
