/** The leads of a buyer or a supplier, a page of the newest; the whole list has every filter. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { usePages, type OutputOf } from '../../lib/useActions.js';
import { Chip, EmptyState, Money, Paged, Table, Time, Written, type Tone } from '../../ui/index.js';
import type { PartyInput } from './types.js';

type Lead = OutputOf<'get_leads'>['leads'][number];

const TONES: Partial<Record<Lead['status'], Tone>> = {
  ACCEPTED: 'good',
  converted: 'good',
  PENDING: 'info',
  NEW: 'info',
  UNMATCHED: 'warning',
  DUPLICATE: 'warning',
  REJECTED: 'bad',
  RETURNED: 'bad',
};

const wordOf = (status: string): string => {
  const text = status.toLowerCase().replaceAll('_', ' ');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
};

export function PartyLeads({ party }: { party: PartyInput }): ReactNode {
  const isBuyer = 'buyer_id' in party;
  const pages = usePages('get_leads', { limit: 50, ...party });
  const query = new URLSearchParams(party).toString();
  return (
    <>
      <p>
        <Link href={`/leads?${query}`}>Filter, export and live view in Leads</Link>
      </p>
      <Paged of={pages}>
        {({ leads }) => (
          <Table
            caption="Leads"
            rows={leads}
            rowKey={({ id }) => id}
            empty={
              <EmptyState title="No leads yet">
                {isBuyer ? 'It has bought no lead.' : 'It has sent no lead.'}
              </EmptyState>
            }
            columns={[
              {
                header: 'Lead',
                cell: ({ id, name }) => (
                  <Link href={`/leads/${id}`}>
                    <Written>{name ?? `…${id.slice(-8)}`}</Written>
                  </Link>
                ),
              },
              { header: 'Received', cell: ({ created_at }) => <Time at={created_at} isRelative /> },
              {
                header: 'Status',
                cell: ({ status }) => <Chip tone={TONES[status]}>{wordOf(status)}</Chip>,
              },
              {
                header: 'Campaign',
                cell: ({ campaign_name }) => <Written>{campaign_name ?? 'Deleted'}</Written>,
              },
              isBuyer
                ? {
                    header: 'Supplier',
                    cell: ({ supplier_name }) => <Written>{supplier_name ?? 'Deleted'}</Written>,
                  }
                : {
                    header: 'Buyer',
                    cell: ({ buyer_name }) => buyer_name && <Written>{buyer_name}</Written>,
                  },
              { header: 'State', cell: ({ state }) => state },
              {
                header: isBuyer ? 'Revenue' : 'Cost',
                isNumber: true,
                cell: ({ revenue, cost }) => <Money amount={isBuyer ? revenue : cost} />,
              },
            ]}
          />
        )}
      </Paged>
    </>
  );
}
