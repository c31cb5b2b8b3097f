import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useFilters } from '../../lib/route.js';
import { useCall, usePages } from '../calls.js';
import {
  EmptyState,
  Loaded,
  Page,
  Pager,
  Section,
  Select,
  Table,
  Time,
  Written,
} from '../../ui/index.js';
import { shortId } from '../leadLink.js';
import type { ReturnState, SaleReturn } from '../types.js';
import { reasonName, ReturnStatus, RETURN_OPTIONS } from '../words.js';
import { AllowanceText } from './allowance.js';

/** The leads that the buyer returned, and how many more it may return. */
export default function Returns(): ReactNode {
  const [{ state }, setFilters] = useFilters(['state']);
  const allowance = useCall('get_return_allowance', {});
  const pages = usePages(
    'list_returns',
    state === undefined ? {} : { state: state as ReturnState },
  );
  return (
    <Page title="Returns">
      <Section title="Allowance">
        <Loaded of={allowance}>{(data) => <AllowanceText of={data} />}</Loaded>
      </Section>
      <Section title="Requests">
        <Select
          label="State"
          name="state"
          options={RETURN_OPTIONS}
          value={state ?? ''}
          onChange={(event) => setFilters({ state: event.target.value })}
        />
        <Loaded of={pages}>
          {(rows) => (
            <>
              <Requests rows={rows} isFiltered={state !== undefined} />
              <Pager {...pages} />
            </>
          )}
        </Loaded>
      </Section>
    </Page>
  );
}

interface RequestsProps {
  rows: readonly SaleReturn[];
  isFiltered: boolean;
}

function Requests({ rows, isFiltered }: RequestsProps): ReactNode {
  return (
    <Table
      caption="Returns"
      rows={rows}
      rowKey={({ id }) => id}
      empty={
        isFiltered ? (
          <EmptyState title="No return in this state" />
        ) : (
          <EmptyState title="You have given no lead back">
            To give one back, open it under <Link href="/leads">Leads</Link>.
          </EmptyState>
        )
      }
      columns={[
        {
          key: 'lead',
          header: 'Lead',
          cell: ({ lead_id }) => (
            <Link href={`/leads/${encodeURIComponent(lead_id)}`}>{shortId(lead_id)}</Link>
          ),
        },
        { key: 'state', header: 'State', cell: (row) => <ReturnStatus of={row.state} /> },
        { key: 'reason', header: 'Reason', cell: (row) => reasonName(row.reason) },
        { key: 'at', header: 'Requested', cell: (row) => <Time at={row.requested_at} /> },
        { key: 'decided', header: 'Decided', cell: (row) => <Time at={row.resolved_at} /> },
        { key: 'note', header: 'Note', cell: ({ note }) => note && <Written>{note}</Written> },
        {
          key: 'says',
          header: 'The seller says',
          cell: ({ resolution_note: says }) => says && <Written>{says}</Written>,
        },
      ]}
    />
  );
}
