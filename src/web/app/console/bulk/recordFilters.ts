/** Filters of lists by a buyer, a campaign or a supplier, found by its name. */
import { useCall } from '../../lib/useActions.js';
import type { Option } from '../../ui/index.js';

interface Named {
  id: string;
  name: string;
}

/** Names of a list that are searched here; with more than these, the beginning of the list. */
const NAMES_MAX = 500;

interface Read {
  data: readonly Named[] | undefined;
  isPending: boolean;
}

const sourceOf = (useNames: () => Read) => ({
  useOptions: (search: string): { options: Option[]; isLoading: boolean } => {
    const { data = [], isPending } = useNames();
    const wanted = search.trim().toLowerCase();
    const options = data
      .filter(({ name }) => name.toLowerCase().includes(wanted))
      .map(({ id, name }) => ({ value: id, label: name }));
    return { options, isLoading: isPending };
  },
  useLabel: (id: string): string | undefined => {
    const { data } = useNames();
    return data?.find((one) => one.id === id)?.name;
  },
});

const PAGE = { limit: NAMES_MAX };
const ARCHIVED = { ...PAGE, include_archived: true };

export const BUYER_FILTER = {
  name: 'buyer_id' as const,
  label: 'Buyer',
  kind: 'record' as const,
  ...sourceOf(() => useCall('list_buyers', ARCHIVED)),
};

export const CAMPAIGN_FILTER = {
  name: 'campaign_id' as const,
  label: 'Campaign',
  kind: 'record' as const,
  ...sourceOf(() => useCall('list_campaigns', ARCHIVED)),
};

export const SUPPLIER_FILTER = {
  name: 'supplier_id' as const,
  label: 'Supplier',
  kind: 'record' as const,
  ...sourceOf(() => useCall('list_suppliers', PAGE)),
};
