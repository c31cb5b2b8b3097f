import { Truck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCan } from '../../lib/session.js';
import { usePages } from '../../lib/useActions.js';
import { Chip, EmptyState, Money, Percent, Time, Written } from '../../ui/index.js';
import { PagedDataTable, type DataColumn } from '../../ui/data/index.js';
import { PartyListPage, PortalCell, WeekCell } from './partyList.js';
import { pathOf, supplierWord, type SupplierRow } from './words.js';

/** Of the leads that came today; none came: none. */
const shareOf = ({ figures }: SupplierRow, key: 'accepted' | 'duplicate'): number | null =>
  figures && figures.today.leads > 0 ? figures.today[key] / figures.today.leads : null;

const COLUMNS: readonly DataColumn<SupplierRow>[] = [
  {
    id: 'name',
    header: 'Supplier',
    isPinned: true,
    cell: ({ name }) => <Written>{name}</Written>,
  },
  {
    id: 'state',
    header: 'State',
    cell: (supplier) => {
      const [text, tone] = supplierWord(supplier);
      return <Chip tone={tone}>{text}</Chip>;
    },
  },
  {
    id: 'leads',
    header: 'Leads today',
    isNumber: true,
    cell: ({ figures }) => figures?.today.leads.toLocaleString('en-US'),
  },
  {
    id: 'week',
    header: 'Last 7 days',
    cell: ({ figures }) => <WeekCell figures={figures} />,
  },
  {
    id: 'accepted',
    header: 'Accepted',
    isNumber: true,
    cell: (supplier) => <Percent share={shareOf(supplier, 'accepted')} />,
  },
  {
    id: 'duplicates',
    header: 'Duplicates',
    isNumber: true,
    cell: (supplier) => <Percent share={shareOf(supplier, 'duplicate')} />,
  },
  {
    id: 'cost',
    header: 'Cost today',
    isNumber: true,
    cell: ({ figures }) => figures && <Money amount={figures.today.cost} />,
  },
  {
    id: 'profit',
    header: 'Profit today',
    isNumber: true,
    isHiddenAtFirst: true,
    cell: ({ figures }) => figures && <Money amount={figures.today.revenue - figures.today.cost} />,
  },
  {
    id: 'last',
    header: 'Last lead',
    cell: ({ figures }) => <Time at={figures?.last_lead_at ?? null} isRelative />,
  },
  { id: 'portal', header: 'Portal', cell: ({ figures }) => <PortalCell figures={figures} /> },
];

/** Everyone who sends leads, and how each does today. */
export default function Suppliers(): ReactNode {
  return (
    <PartyListPage side="supplier" title="Suppliers">
      {({ search, status }) => <List search={search} status={status} />}
    </PartyListPage>
  );
}

function List(filter: { search: string; status?: 'active' | 'paused' }): ReactNode {
  const figures = useCan('get_lead_stats');
  const suppliers = usePages('list_suppliers', { limit: 50, figures, ...filter });
  const isFiltered = filter.search !== '' || filter.status !== undefined;
  return (
    <PagedDataTable
      of={suppliers}
      caption="Suppliers"
      storageKey="suppliers"
      columns={COLUMNS}
      rowKey={({ id }) => id}
      rowHref={({ id }) => pathOf('supplier', id)}
      empty={
        isFiltered ? (
          <EmptyState title="No supplier matches" icon={Truck}>
            Search for another part of the name, or show any state.
          </EmptyState>
        ) : (
          <EmptyState title="No suppliers yet" icon={Truck}>
            A supplier sends leads into your campaigns. Create one with{' '}
            <code>leadwire suppliers create</code>.
          </EmptyState>
        )
      }
    />
  );
}
