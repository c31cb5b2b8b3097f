import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { EmptyState, Loaded, Money, Table } from '../../ui/index.js';
import type { BuyerTabProps } from './words.js';
import { linkPath } from './words.js';
import { CampaignName, LinkState } from './campaignCells.js';
import { CapMeters, useCaps } from './capLines.js';

/** Where the buyer buys: its terms, and what is used of its caps. */
export default function BuyerCampaigns({ buyer }: BuyerTabProps): ReactNode {
  const caps = useCaps({ buyer_id: buyer.id });
  return (
    <Loaded of={caps} shape="table">
      {(rows) => (
        <Table
          caption="Campaigns"
          rows={buyer.campaigns}
          rowKey={({ campaign_id }) => campaign_id}
          empty={
            <EmptyState title="No campaigns yet">
              Add the buyer to a campaign in <Link href="/campaigns">Campaigns</Link>.
            </EmptyState>
          }
          columns={[
            {
              header: 'Campaign',
              cell: ({ campaign_id, campaign_name }) => (
                <CampaignName href={linkPath(campaign_id, buyer.id)} name={campaign_name} />
              ),
            },
            {
              header: 'State',
              cell: ({ status, campaign_status }) => (
                <LinkState status={status} campaignStatus={campaign_status} />
              ),
            },
            { header: 'Price', cell: ({ price }) => <Money amount={price} />, isNumber: true },
            { header: 'Priority', cell: ({ priority }) => priority, isNumber: true },
            { header: 'Weight', cell: ({ weight }) => weight, isNumber: true },
            {
              header: 'Caps',
              cell: ({ campaign_id }) => (
                <CapMeters caps={rows.filter((cap) => cap.campaign_id === campaign_id)} />
              ),
            },
          ]}
        />
      )}
    </Loaded>
  );
}
