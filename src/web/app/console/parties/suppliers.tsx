import { Truck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCan } from '../../lib/session.js';
import { usePages } from '../../lib/useActions.js';
import { EmptyState, Money, Percent } from '../../ui/index.js';
import { PagedDataTable, type DataColumn } from '../../ui/data/index.js';
import { firstColumns, LAST_LEAD, PORTAL, PROFIT } from './partyColumns.js';
import { PartyListPage } from './partyList.js';
import { pathOf, supplierWord, type SupplierRow } from './words.js';

/** Of the leads that came today; none came: none. */
const shareOf = ({ figures }: SupplierRow, key: 'accepted' | 'duplicate'): number | null =>
  figures && figures.today.leads > 0 ? figures.today[key] / figures.today.leads : null;

const COLUMNS: readonly DataColumn<SupplierRow>[] = [
  ...firstColumns<SupplierRow>({ header: 'Supplier', wordOf: supplierWord }),
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
  PROFIT,
  LAST_LEAD,
  PORTAL,
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
            A supplier sends leads into your campaigns. Create one above.
          </EmptyState>
        )
      }
    />
  );
}
