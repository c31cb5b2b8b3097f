/** The campaign of a screen: the one that the address names, else the first. */
import type { ReactNode } from 'react';
import { useFilters } from '../lib/route.js';
import { useCall } from './calls.js';
import { Badge, EmptyState, Loaded, Select } from '../ui/index.js';
import { campaignWord, type Campaign } from './words.js';

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
        if (!chosen)
          return (
            <EmptyState title="No campaigns">
              The operator has not linked you to a campaign yet. Ask for it; its guide appears here
              then.
            </EmptyState>
          );
        const { label, tone } = campaignWord(chosen.state);
        return (
          <>
            <div className="filters">
              <Select
                label="Campaign"
                name="campaign"
                value={chosen.id}
                onChange={(event) => setFilters({ campaign: event.target.value })}
                options={all.map(({ id, name }) => ({ value: id, label: name }))}
              />
              <Badge tone={tone}>{label}</Badge>
            </div>
            {children(chosen)}
          </>
        );
      }}
    </Loaded>
  );
}
