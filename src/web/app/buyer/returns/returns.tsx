import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useFilters } from '../../lib/route.js';
import { useCall, usePages, type ReturnState } from '../calls.js';
import {
  EmptyState,
  Filter,
  Loaded,
  Page,
  PagedTable,
  Section,
  Time,
  Written,
} from '../../ui/index.js';
import { ShortLead } from '../leadLink.js';
import { reasonName, ReturnStatus, RETURN_OPTIONS } from '../words.js';
import { AllowanceText } from './allowance.js';

/** The leads that the buyer returned, and how many more it may return. */
export default function Returns(): ReactNode {
  const [filters, setFilters] = useFilters(['state']);
  const state = filters.state as ReturnState | undefined;
  const allowance = useCall('get_return_allowance', {});
  const pages = usePages('list_returns', { state });
  return (
    <Page title="Returns">
      <Section title="Allowance">
        <Loaded of={allowance}>{(data) => <AllowanceText of={data} />}</Loaded>
      </Section>
      <Section title="Requests">
        <Filter
          label="State"
          name="state"
          options={RETURN_OPTIONS}
          filters={filters}
          onChange={setFilters}
        />
        <PagedTable
          of={pages}
          caption="Returns"
          rowKey={({ id }) => id}
          empty={
            state ? (
              <EmptyState title="No returns in this state" />
            ) : (
              <EmptyState title="No returns yet">
                To return a lead, open it under <Link href="/leads">Leads</Link>.
              </EmptyState>
            )
          }
          columns={[
            { header: 'Lead', cell: ({ lead_id }) => <ShortLead id={lead_id} /> },
            { header: 'State', cell: (row) => <ReturnStatus of={row.state} /> },
            { header: 'Reason', cell: (row) => reasonName(row.reason) },
            { header: 'Requested', cell: (row) => <Time at={row.requested_at} /> },
            { header: 'Decided', cell: (row) => <Time at={row.resolved_at} /> },
            { header: 'Note', cell: ({ note }) => note && <Written>{note}</Written> },
            {
              header: "Seller's note",
              cell: ({ resolution_note: reply }) => reply && <Written>{reply}</Written>,
            },
          ]}
        />
      </Section>
    </Page>
  );
}
