/** The campaigns of a supplier: their terms and caps, and pausing where the operator allows it. */
import './supplier.css';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { PauseControl } from '../lib/pause.js';
import { useCall } from './calls.js';
import { Badge, Copy, Loaded, Money, Page, Table, Written } from '../ui/index.js';
import { NO_CAMPAIGNS } from './campaignChoice.js';
import { CapsLeft } from './capsLeft.js';
import { CampaignState, type Campaign } from './words.js';

export default function Campaigns(): ReactNode {
  const campaigns = useCall('list_campaigns', {});
  return (
    <Page title="Campaigns">
      <Loaded of={campaigns}>
        {(data) => (
          <>
            <AllCampaigns supplier={data.supplier} />
            <CampaignTable campaigns={data.campaigns} />
          </>
        )}
      </Loaded>
      <CapsLeft />
    </Page>
  );
}

interface AllCampaignsProps {
  supplier: { status: 'active' | 'paused'; can_resume: boolean };
}

function AllCampaigns({ supplier }: AllCampaignsProps): ReactNode {
  const isPaused = supplier.status === 'paused';
  return (
    <div className="row">
      <p>
        All posts:{' '}
        <Badge tone={isPaused ? 'warning' : 'good'}>{isPaused ? 'Paused' : 'Accepted'}</Badge>
      </p>
      <PauseControl isPaused={isPaused} canResume={supplier.can_resume} />
    </div>
  );
}

function CampaignTable({ campaigns }: { campaigns: readonly Campaign[] }): ReactNode {
  return (
    <Table
      caption="Campaigns"
      rows={campaigns}
      rowKey={({ id }) => id}
      empty={NO_CAMPAIGNS}
      columns={[
        {
          header: 'Campaign',
          sortValue: ({ name }) => name,
          cell: ({ id, name }) => (
            <>
              <Link href={`/guide?campaign=${encodeURIComponent(id)}`}>
                <Written>{name}</Written>
              </Link>{' '}
              <Copy text={id} of={`id of ${name}`} />
            </>
          ),
        },
        { header: 'State', cell: ({ state }) => <CampaignState of={state} /> },
        {
          header: 'Posts',
          cell: ({ is_ping_post }) => (is_ping_post ? 'Ping, then post' : 'Direct'),
        },
        { header: 'Payout', isNumber: true, cell: (row) => <Terms campaign={row} /> },
        {
          header: 'Pausing',
          cell: (campaign) => (
            <PauseControl
              isPaused={campaign.is_paused}
              canResume={campaign.can_resume}
              campaign={campaign}
            />
          ),
        },
      ]}
    />
  );
}

function Terms({ campaign }: { campaign: Campaign }): ReactNode {
  const { payout_per_lead, revenue_share } = campaign;
  if (revenue_share !== null) return `${revenue_share}% of the price`;
  return <Money amount={payout_per_lead} />;
}
