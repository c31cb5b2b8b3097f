/** What is left of each cap, by campaign. */
import type { ReactNode } from 'react';
import { spanOf } from '../../../account/rules/capLimits.js';
import { EmptyState, Loaded, Meter, Section, Written } from '../ui/index.js';
import { useCall, type OutputOf } from './calls.js';

type CampaignCaps = OutputOf<'get_caps_left'>[number];
type Cap = CampaignCaps['caps'][number];

const OF: Record<Cap['of'], string> = { count: 'Leads', budget: 'Payout', pings: 'Pings' };

export function CapsLeft(): ReactNode {
  const caps = useCall('get_caps_left', {}, { refreshSeconds: 30 });
  return (
    <Section title="Caps left">
      <Loaded of={caps}>{(campaigns) => <CapList campaigns={campaigns} />}</Loaded>
    </Section>
  );
}

function CapList({ campaigns }: { campaigns: readonly CampaignCaps[] }): ReactNode {
  const capped = campaigns.filter(({ caps }) => caps.length > 0);
  if (capped.length === 0)
    return (
      <EmptyState title="No caps">
        The operator has set no caps. Only your rate limit applies.
      </EmptyState>
    );
  return capped.map(({ campaign, caps }) => (
    <section key={campaign.id} className="card" aria-label={campaign.name}>
      <h3>
        <Written>{campaign.name}</Written>
      </h3>
      {caps.map((cap) => (
        <Meter
          key={`${cap.of} ${cap.window}`}
          label={`${OF[cap.of]} ${spanOf(cap.window)}`}
          used={cap.used}
          limit={cap.limit}
          resetsAt={cap.resets_at}
          isMoney={cap.of === 'budget'}
        />
      ))}
    </section>
  ));
}
