import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useCall } from '../calls.js';
import { EmptyState, Loaded, Section, Table, Time } from '../../ui/index.js';
import { LeadLink } from '../leadLink.js';
import { OutcomeName, SaleStatus } from '../words.js';

const SHOWN = 5;

/** The outcomes of the last leads. */
export function LastOutcomes(): ReactNode {
  const sales = useCall('list_sales', {}, { refreshSeconds: 30 });
  return (
    <Section title="Last leads" actions={<Link href="/leads">All leads</Link>}>
      <Loaded of={sales}>
        {(rows) => (
          <Table
            caption="Your last leads and their outcomes"
            rows={rows.slice(0, SHOWN)}
            rowKey={({ lead_id }) => lead_id}
            empty={
              <EmptyState title="No leads yet">
                Leads appear here as soon as one is sold to you.
              </EmptyState>
            }
            columns={[
              { header: 'Received', cell: (row) => <Time at={row.received_at} /> },
              { header: 'Lead', cell: (row) => <LeadLink of={row} /> },
              { header: 'Status', cell: (row) => <SaleStatus of={row.status} /> },
              { header: 'Outcome', cell: (row) => <OutcomeName of={row.outcome} /> },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}
