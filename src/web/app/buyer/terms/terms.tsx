import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { PauseControl } from '../../lib/pause.js';
import { useCan } from '../../lib/session.js';
import { useCall, type Terms } from '../calls.js';
import { TERMS } from '../../lib/terms.js';
import { Badge, EmptyState, Facts, Loaded, Page, Section, type Fact } from '../../ui/index.js';
import { Changes } from './changes.js';
import { Shown } from './values.js';

/** The terms of each campaign, and the changes that the buyer requests. */
export default function TermsPage(): ReactNode {
  const terms = useCall('get_terms', {});
  return (
    <Page
      title="Terms"
      intro={<p>The agreed terms of each campaign, and the changes you requested.</p>}
    >
      <Loaded of={terms}>
        {(campaigns) => (
          <>
            {campaigns.length === 0 && (
              <EmptyState title="No campaigns yet">
                Terms appear here once the seller adds you to a campaign.
              </EmptyState>
            )}
            {campaigns.map((one) => (
              <CampaignTerms key={one.campaign.id} terms={one} />
            ))}
          </>
        )}
      </Loaded>
      {useCan('list_changes') && (
        <Section title="Change requests">
          <Changes />
        </Section>
      )}
    </Page>
  );
}

function CampaignTerms({ terms }: { terms: Terms }): ReactNode {
  const mayChange = useCan('request_change');
  const { campaign, filters_hidden } = terms;
  const isPaused = terms.status === 'paused';
  const values = new Map<string, unknown>(Object.entries(terms));
  return (
    <section className="section">
      <header className="section-head">
        <h2>
          <bdi>{campaign.name}</bdi> {isPaused && <Badge tone="warning">Paused</Badge>}
        </h2>
        <div className="actions">
          {mayChange && (
            <Link
              className="button secondary"
              href={`/terms/${encodeURIComponent(campaign.id)}/change`}
            >
              Request a change<span className="hidden"> for {campaign.name}</span>
            </Link>
          )}
          <PauseControl isPaused={isPaused} canResume={terms.can_resume} campaign={campaign} />
        </div>
      </header>
      <Facts
        facts={TERMS.filter(({ name }) => name !== 'status').map(({ name, label }): Fact => [
          label,
          name === 'filters' && filters_hidden ? (
            'Hidden: they use fields not shown to you'
          ) : (
            <Shown key={name} name={name} value={values.get(name)} />
          ),
        ])}
      />
    </section>
  );
}
