import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useFormats } from '../../lib/format.js';
import { labelOfSetting } from '../../lib/settings.js';
import { EmptyState, Loaded, Table } from '../../ui/index.js';
import { CampaignName, LinkState } from './campaignCells.js';
import { CapMeters, useCaps } from './capLines.js';
import type { SupplierTabProps } from './words.js';
import type { Supplier } from './words.js';

type Terms = Supplier['campaigns'][number];

/** Where the supplier sends leads: how they are paid, and what is used of its caps. */
export default function SupplierCampaigns({ supplier }: SupplierTabProps): ReactNode {
  const caps = useCaps({ supplier_id: supplier.id });
  return (
    <Loaded of={caps} shape="table">
      {(rows) => (
        <Table
          caption="Campaigns"
          rows={supplier.campaigns}
          rowKey={({ campaign_id }) => campaign_id}
          empty={
            <EmptyState title="No campaigns yet">
              Add the supplier to a campaign in <Link href="/campaigns">Campaigns</Link>.
            </EmptyState>
          }
          columns={[
            {
              header: 'Campaign',
              cell: ({ campaign_id, campaign_name }) => (
                <CampaignName
                  href={`/campaigns/${campaign_id}/suppliers?supplier=${supplier.id}`}
                  name={campaign_name}
                />
              ),
            },
            {
              header: 'State',
              cell: ({ status, campaign_status }) => (
                <LinkState status={status} campaignStatus={campaign_status} />
              ),
            },
            {
              header: labelOfSetting('supplierLink', 'cost_mode'),
              cell: (terms) => <PaidBy terms={terms} />,
            },
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

function PaidBy({ terms }: { terms: Terms }): ReactNode {
  const { money, number } = useFormats();
  if (terms.cost_mode === 'NONE') return 'Nothing';
  if (terms.cost_mode === 'FIXED') return `${money(terms.cost_per_lead)} per sold lead`;
  return `${number(terms.revenue_share)} % of the price`;
}
