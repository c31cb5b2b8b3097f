import type { ReactNode } from 'react';
import { useFilters } from '../../lib/route.js';
import { DownloadLink } from '../../lib/downloadLink.js';
import { usePages } from '../calls.js';
import { EmptyState, Money, Notice, Page, PagedTable, Time } from '../../ui/index.js';
import { LeadLink } from '../leadLink.js';
import { OutcomeName, SaleStatus } from '../words.js';
import { FILTERS, filterOf, LeadsFilter } from './leadsFilter.js';

/** The leads that the buyer bought: found, filtered, page by page, and as a file. */
export default function Leads(): ReactNode {
  const [filters, setFilters] = useFilters(FILTERS);
  const filter = filterOf(filters);
  const pages = usePages('list_sales', filter);
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page
      title="Leads"
      intro={<p>Newest first, by time received.</p>}
      actions={<DownloadLink file="leads.csv" label="Export as CSV" input={filter} />}
    >
      <LeadsFilter filters={filters} onChange={setFilters} />
      {filter.is_test && (
        <Notice title="TEST LEADS">
          <p>Their data is made up, and they are free of charge.</p>
        </Notice>
      )}
      <PagedTable
        of={pages}
        caption="Leads"
        rowKey={({ lead_id }) => lead_id}
        empty={
          isFiltered ? (
            <EmptyState title="No leads match">
              Remove a filter. Search matches a full phone, email or name, or the first eight
              characters of an ID.
            </EmptyState>
          ) : (
            <EmptyState title="No leads yet">
              Leads appear here as soon as one is sold to you. To test your endpoint, send a test
              lead on the Endpoint page.
            </EmptyState>
          )
        }
        columns={[
          { header: 'Lead', cell: (row) => <LeadLink of={row} /> },
          { header: 'Received', cell: (row) => <Time at={row.received_at} /> },
          { header: 'Campaign', cell: (row) => <bdi>{row.campaign.name}</bdi> },
          { header: 'Status', cell: (row) => <SaleStatus of={row.status} /> },
          { header: 'Outcome', cell: (row) => <OutcomeName of={row.outcome} /> },
          { header: 'Price', isNumber: true, cell: (row) => <Money amount={row.price} /> },
          { header: 'Charged', isNumber: true, cell: (row) => <Money amount={row.charged} /> },
        ]}
      />
    </Page>
  );
}
