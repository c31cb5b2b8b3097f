/** Narrows a list to one campaign of the supplier. */
import type { ReactNode } from 'react';
import { useCall } from './calls.js';
import { Select } from '../ui/index.js';

interface CampaignFilterProps {
  value: string | undefined;
  onChange(campaignId: string): void;
}

export function CampaignFilter({ value, onChange }: CampaignFilterProps): ReactNode {
  const { data } = useCall('list_campaigns', {});
  const campaigns = data?.campaigns ?? [];
  return (
    <Select
      label="Campaign"
      name="campaign"
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value)}
      options={[
        { value: '', label: 'All' },
        ...campaigns.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  );
}
