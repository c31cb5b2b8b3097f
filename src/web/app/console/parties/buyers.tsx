import { Store } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useCan } from '../../lib/session.js';
import { usePages } from '../../lib/useActions.js';
import { EmptyState, Money, Written } from '../../ui/index.js';
import { PagedDataTable, type DataColumn } from '../../ui/data/index.js';
import { firstColumns, LAST_LEAD, PORTAL, PROFIT } from './partyColumns.js';
import { PartyListPage } from './partyList.js';
import { buyerWord, pathOf, type BuyerRow } from './words.js';

const COLUMNS: readonly DataColumn<BuyerRow>[] = [
  ...firstColumns<BuyerRow>({ header: 'Buyer', wordOf: buyerWord }),
  {
    id: 'revenue',
    header: 'Revenue today',
    isNumber: true,
    cell: ({ figures }) => figures && <Money amount={figures.today.revenue} />,
  },
  PROFIT,
  {
    id: 'waiting',
    header: 'Waiting',
    isNumber: true,
    cell: ({ id, figures }) => {
      const waiting = (figures?.waiting ?? 0) + (figures?.unknown ?? 0);
      if (waiting === 0) return <span className="muted">0</span>;
      return <Link href={`/queues?buyer_id=${id}`}>{waiting.toLocaleString('en-US')}</Link>;
    },
  },
  LAST_LEAD,
  PORTAL,
  {
    id: 'email',
    header: 'Email',
    isHiddenAtFirst: true,
    cell: ({ email }) => email && <Written>{email}</Written>,
  },
];

/** Everyone who buys leads, and how each does today. */
export default function Buyers(): ReactNode {
  return (
    <PartyListPage side="buyer" title="Buyers">
      {({ search, status, archived }) => (
        <List search={search} status={status} include_archived={archived} />
      )}
    </PartyListPage>
  );
}

interface ListProps {
  search: string;
  status?: 'active' | 'paused';
  include_archived: boolean;
}

function List(filter: ListProps): ReactNode {
  const figures = useCan('get_lead_stats');
  const buyers = usePages('list_buyers', { limit: 50, figures, ...filter });
  const isFiltered = filter.search !== '' || filter.status !== undefined;
  return (
    <PagedDataTable
      of={buyers}
      caption="Buyers"
      storageKey="buyers"
      columns={COLUMNS}
      rowKey={({ id }) => id}
      rowHref={({ id }) => pathOf('buyer', id)}
      empty={
        isFiltered ? (
          <EmptyState title="No buyer matches" icon={Store}>
            Search for another part of the name, or show any state.
          </EmptyState>
        ) : (
          <EmptyState title="No buyers yet" icon={Store}>
            A buyer takes the leads of your campaigns. Create one above.
          </EmptyState>
        )
      }
    />
  );
}
