/** Narrows a list to one campaign of the supplier. */
import type { ReactNode } from 'react';
import { useCall } from './calls.js';
import { Filter } from '../ui/index.js';

interface CampaignFilterProps {
  filters: { campaign?: string };
  onChange(filters: { campaign?: string }): void;
}

export function CampaignFilter({ filters, onChange }: CampaignFilterProps): ReactNode {
  const { data } = useCall('list_campaigns', {});
  const campaigns = data?.campaigns ?? [];
  return (
    <Filter
      label="Campaign"
      name="campaign"
      filters={filters}
      onChange={onChange}
      options={[
        { value: '', label: 'All' },
        ...campaigns.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}
