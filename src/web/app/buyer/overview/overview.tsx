import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { spanOf } from '../../../../account/rules/capLimits.js';
import { useFormats } from '../../lib/format.js';
import { PauseControl } from '../../lib/pause.js';
import { useCan, useSession } from '../../lib/session.js';
import { useCall, type Usage } from '../calls.js';
import { EmptyState, Facts, Loaded, Meter, Money, Page, Section } from '../../ui/index.js';
import { LastOutcomes } from './lastOutcomes.js';
import { Rates } from './rates.js';
import { Waiting } from './waiting.js';

const REFRESH_SECONDS = 30;

/** What the buyer has accepted and spent, how much is left, and what waits for the buyer. */
export default function Overview(): ReactNode {
  const { me } = useSession();
  const usage = useCall('get_usage', {}, { refreshSeconds: REFRESH_SECONDS });
  return (
    <Page
      title="Overview"
      intro={
        <p>
          Leads from {me.organization.name} for {me.party?.name}.
        </p>
      }
      actions={
        usage.data && (
          <PauseControl
            isPaused={usage.data.status === 'paused'}
            canResume={usage.data.can_resume}
          />
        )
      }
    >
      <Loaded of={usage}>{(data) => <Used usage={data} />}</Loaded>
      <Waiting />
      {useCan('get_daily_rates') && <Rates />}
      {useCan('list_sales') && <LastOutcomes />}
    </Page>
  );
}

function Used({ usage }: { usage: Usage }): ReactNode {
  const { number } = useFormats();
  const spent = ({ leads, spend }: Usage['today']): ReactNode => (
    <>
      {number(leads)} {leads === 1 ? 'lead' : 'leads'} · <Money amount={spend} />
    </>
  );
  return (
    <>
      {usage.test_mode && (
        <p className="notice">
          <strong>TEST MODE.</strong> The data of your leads is made up, and they are free of
          charge.
        </p>
      )}
      {usage.status === 'paused' && (
        <p className="notice">
          <strong>Paused.</strong> No leads are sold to you until you are active again.
        </p>
      )}
      <Facts
        facts={[
          ['Today', spent(usage.today)],
          ['This week', spent(usage.week)],
          ['This month', spent(usage.month)],
        ]}
      />
      <Section title="Caps and budgets">
        {usage.campaigns.length === 0 && (
          <EmptyState title="No campaigns yet">
            Leads arrive once the seller adds you to a campaign.
          </EmptyState>
        )}
        {usage.campaigns.map((one) => (
          <CampaignUsage key={one.campaign.id} of={one} />
        ))}
      </Section>
    </>
  );
}

const WORDS = { leads: 'Leads', budget: 'Spend' };

function CampaignUsage({ of }: { of: Usage['campaigns'][number] }): ReactNode {
  const { campaign, limits, can_resume: canResume } = of;
  const isPaused = of.status === 'paused';
  return (
    <article className="card">
      <header className="section-head">
        <h3>
          <bdi>{campaign.name}</bdi>
          {isPaused && <span className="muted"> (paused)</span>}
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
