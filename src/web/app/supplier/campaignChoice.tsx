/** Choosing one campaign of the supplier: for a whole screen, or to narrow a list. */
import type { ReactNode } from 'react';
import { useFilters } from '../lib/route.js';
import { useCall } from './calls.js';
import { EmptyState, Filter, Loaded } from '../ui/index.js';
import { CampaignState, type Campaign } from './words.js';

export const NO_CAMPAIGNS = (
  <EmptyState title="No campaigns">
    Campaigns appear here once the operator adds you to one.
  </EmptyState>
);

/** The campaign of a screen: the one that the address names, else the first. */
export function CampaignChoice({
  children,
}: {
  children(campaign: Campaign): ReactNode;
}): ReactNode {
  const campaigns = useCall('list_campaigns', {});
  const [filters, setFilters] = useFilters(['campaign']);
  return (
    <Loaded of={campaigns}>
      {({ campaigns: all }) => {
        const chosen = all.find(({ id }) => id === filters.campaign) ?? all[0];
        if (!chosen) return NO_CAMPAIGNS;
        return (
          <>
            <div className="filters">
              <Filter
                label="Campaign"
                name="campaign"
                filters={{ campaign: chosen.id }}
                onChange={setFilters}
                options={all.map(({ id, name }) => ({ value: id, label: name }))}
              />
              <CampaignState of={chosen.state} />
            </div>
            {children(chosen)}
          </>
        );
      }}
    </Loaded>
  );
}

interface CampaignFilterProps {
  filters: { campaign?: string };
  onChange(filters: { campaign?: string }): void;
}

/** Narrows a list to one campaign of the supplier. */
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
