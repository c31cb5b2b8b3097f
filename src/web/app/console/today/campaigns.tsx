import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useFormats } from '../../lib/format.js';
import { useCan } from '../../lib/session.js';
import { Money, Section, Table, Written } from '../../ui/index.js';
import type { Today } from './types.js';

type Campaign = Today['campaigns'][number];

/** The campaigns with most leads today, each with the way to where its leads go; nothing before the first lead. */
export function Campaigns({ today: { campaigns } }: { today: Today }): ReactNode {
  const { number, percent } = useFormats();
  const mayOpen = useCan('get_campaign');
  if (campaigns.length === 0) return null;
  return (
    <Section
      title="Campaigns with most leads"
      actions={mayOpen && <Link href="/campaigns">All campaigns</Link>}
    >
      <Table<Campaign>
        caption="Campaigns with most leads today"
        rows={campaigns}
        rowKey={({ campaign_id }) => campaign_id}
        empty={null}
        columns={[
          {
            header: 'Campaign',
            cell: ({ campaign_id, campaign_name }) =>
              mayOpen && campaign_name !== null ? (
                <Link href={`/campaigns/${campaign_id}`}>
                  <Written>{campaign_name}</Written>
                </Link>
              ) : (
                <Written>{campaign_name ?? 'Deleted campaign'}</Written>
              ),
          },
          { header: 'Leads', isNumber: true, cell: (row) => number(row.total_leads) },
          { header: 'Accepted', isNumber: true, cell: (row) => number(row.accepted) },
          {
            header: 'Acceptance rate',
            isNumber: true,
            cell: (row) => percent(row.acceptance_pct / 100),
          },
          { header: 'Revenue', isNumber: true, cell: (row) => <Money amount={row.revenue} /> },
          { header: 'Profit', isNumber: true, cell: (row) => <Money amount={row.profit} /> },
        ]}
      />
    </Section>
  );
}
