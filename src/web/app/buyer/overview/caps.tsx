/** The caps and budgets of each campaign, and what is left of them. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { spanOf } from '../../../../account/rules/capLimits.js';
import { PauseControl } from '../../lib/pause.js';
import { Chip, EmptyState, Meter, Section } from '../../ui/index.js';
import type { Usage } from '../calls.js';

type CampaignUsage = Usage['campaigns'][number];

export const Caps = ({ campaigns }: { campaigns: Usage['campaigns'] }): ReactNode => (
  <Section title="Caps and budgets">
    {campaigns.length === 0 && (
      <EmptyState title="No campaigns yet">
        Leads arrive once the seller adds you to a campaign.
      </EmptyState>
    )}
    {campaigns.map((one) => (
      <CampaignCaps key={one.campaign.id} of={one} />
    ))}
  </Section>
);

const WORDS = { leads: 'Leads', budget: 'Spend' };

function CampaignCaps({ of }: { of: CampaignUsage }): ReactNode {
  const { campaign, limits, can_resume: canResume } = of;
  const isPaused = of.status === 'paused';
  return (
    <article className="card">
      <header className="section-head">
        <h3>
          <bdi>{campaign.name}</bdi> {isPaused && <Chip tone="warning">Paused</Chip>}
        </h3>
        <PauseControl isPaused={isPaused} canResume={canResume} campaign={campaign} />
      </header>
      {limits.length === 0 && (
        <p className="muted">
          No caps or budgets. See <Link href="/terms">Terms</Link> for the rest of the agreement.
        </p>
      )}
      {limits.map((limit) => (
        <Meter
          key={`${limit.of} ${limit.window}`}
          label={`${WORDS[limit.of]} ${spanOf(limit.window)}`}
          used={limit.used}
          limit={limit.limit}
          resetsAt={limit.resets_at}
          isMoney={limit.of === 'budget'}
        />
      ))}
    </article>
  );
}
