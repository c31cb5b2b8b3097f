import type { ReactNode } from 'react';
import { useFilters } from '../../lib/route.js';
import { useCan, useSession } from '../../lib/session.js';
import { usePages } from '../calls.js';
import { EmptyState, Loaded, Money, Page, Pager, Table, Time } from '../../ui/index.js';
import type { Sale } from '../types.js';
import { LeadLink } from '../leadLink.js';
import { OutcomeName, SaleStatus } from '../words.js';
import { LeadsFilter } from './leadsFilter.js';
import { FILTERS, filterOf, queryOf } from './filters.js';

/** The leads that the buyer bought: found, filtered, page by page, and as a file. */
export default function Leads(): ReactNode {
  const { api } = useSession();
  const [filters, setFilters] = useFilters(FILTERS);
  const filter = filterOf(filters);
  const pages = usePages('list_sales', filter);
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page
      title="Leads"
      intro={<p>Newest first, by the time they came in.</p>}
      actions={
        useCan('leads.csv') && (
          <a
            className="button secondary"
            href={`${api}/files/leads.csv${queryOf(filter)}`}
            download
          >
            Export as CSV
          </a>
        )
      }
    >
      <LeadsFilter filters={filters} onChange={setFilters} />
      {filter.is_test && (
        <p className="notice">
          <strong>TEST LEADS.</strong> They are made up, and cost nothing.
        </p>
      )}
      <Loaded of={pages}>
        {(rows) => (
          <>
            <Rows rows={rows} isFiltered={isFiltered} />
            <Pager {...pages} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Rows({ rows, isFiltered }: { rows: readonly Sale[]; isFiltered: boolean }): ReactNode {
  return (
    <Table
      caption="Leads"
      rows={rows}
      rowKey={({ lead_id }) => lead_id}
      empty={
        isFiltered ? (
          <EmptyState title="No lead matches">
            Remove a filter. A search finds a whole phone, email or name, and an id by its first
            eight characters.
          </EmptyState>
        ) : (
          <EmptyState title="No leads yet">
            Leads appear here as soon as one is sold to you. To try your endpoint, send a test lead
            on the page Endpoint.
          </EmptyState>
        )
      }
      columns={[
        { key: 'lead', header: 'Lead', cell: (row) => <LeadLink of={row} /> },
        { key: 'received', header: 'Received', cell: (row) => <Time at={row.received_at} /> },
        { key: 'campaign', header: 'Campaign', cell: (row) => <bdi>{row.campaign.name}</bdi> },
        { key: 'status', header: 'Status', cell: (row) => <SaleStatus of={row.status} /> },
        { key: 'outcome', header: 'Outcome', cell: (row) => <OutcomeName of={row.outcome} /> },
        {
          key: 'price',
          header: 'Price',
          isNumber: true,
          cell: (row) => <Money amount={row.price} />,
        },
        {
          key: 'charged',
          header: 'Charged',
          isNumber: true,
          cell: (row) => <Money amount={row.charged} />,
        },
      ]}
    />
  );
}
