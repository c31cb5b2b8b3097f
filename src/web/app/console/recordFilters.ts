/** Filters of lists by a campaign, a buyer or a supplier, found by its name, archived ones too. */
import type { ApiError } from '../lib/api.js';
import { useCall } from '../lib/useActions.js';
import type { RecordSource } from '../ui/data/index.js';

const FOUND_MAX = 20;

interface Read {
  data: readonly { id: string; name: string }[] | undefined;
  isFetching: boolean;
}

const optionsOf = ({ data, isFetching }: Read) => ({
  options: (data ?? []).map(({ id, name }) => ({ value: id, label: name })),
  isLoading: isFetching,
});

interface Named {
  data: { name: string } | undefined;
  error: ApiError | null;
}

const nameOf = ({ data, error }: Named) => (error?.isGone ? null : data?.name);

const found = (search: string) => ({ search: search || undefined, limit: FOUND_MAX });
const foundOrArchived = (search: string) => ({ ...found(search), include_archived: true });

const CAMPAIGNS: RecordSource = {
  useOptions: (search) => optionsOf(useCall('list_campaigns', foundOrArchived(search))),
  useLabel: (campaign_id) => nameOf(useCall('get_campaign', { campaign_id })),
};
const BUYERS: RecordSource = {
  useOptions: (search) => optionsOf(useCall('list_buyers', foundOrArchived(search))),
  useLabel: (buyer_id) => nameOf(useCall('get_buyer', { buyer_id })),
};
const SUPPLIERS: RecordSource = {
  useOptions: (search) => optionsOf(useCall('list_suppliers', found(search))),
  useLabel: (supplier_id) => nameOf(useCall('get_supplier', { supplier_id })),
};

export const CAMPAIGN_FILTER = {
  name: 'campaign_id',
  label: 'Campaign',
  kind: 'record',
  ...CAMPAIGNS,
} as const;
export const BUYER_FILTER = {
  name: 'buyer_id',
  label: 'Buyer',
  kind: 'record',
  ...BUYERS,
} as const;
export const SUPPLIER_FILTER = {
  name: 'supplier_id',
  label: 'Supplier',
  kind: 'record',
  ...SUPPLIERS,
} as const;
