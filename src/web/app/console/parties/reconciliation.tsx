/** What was delivered to a buyer and sold to it within some days, to compare with its own records. */
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useFilters } from '../../lib/route.js';
import { useCall, type OutputOf } from '../../lib/useActions.js';
import { FilterBar, useDaySpan, useToday, type FilterSpec } from '../../ui/data/index.js';
import { EmptyState, Loaded, Money, Table, Tile, Tiles, Written } from '../../ui/index.js';
import { useFormats } from '../../lib/format.js';
import type { BuyerTabProps } from './words.js';

type Reconciliation = OutputOf<'get_buyer_reconciliation'>;

const FILTERS: readonly FilterSpec<'days'>[] = [
  { name: 'days', label: 'Days', kind: 'days', isPinned: true },
];

export default function BuyerReconciliation({ buyer }: BuyerTabProps): ReactNode {
  const [{ days = '30d' }, change] = useFilters(['days']);
  const span = useDaySpan(days);
  const today = useToday();
  const of = useCall('get_buyer_reconciliation', {
    buyer_id: buyer.id,
    date_from: span.from,
    date_to: span.to ?? today,
  });
  return (
    <div className="stack">
      <FilterBar filters={FILTERS} values={{ days }} onChange={change} />
      <p className="muted">
        Deliveries count on the day they were sent, sales and money on the day their lead was
        received. Test leads are not counted.
      </p>
      <Loaded of={of} shape="tiles">
        {(data) => (
          <>
            <Totals of={data} />
            <ByCampaign of={data} />
          </>
        )}
      </Loaded>
    </div>
  );
}

function Totals({ of: { total } }: { of: Reconciliation }): ReactNode {
  const { number, money, sum } = useFormats();
  return (
    <Tiles>
      <Tile
        label="Sent"
        value={number(total.sent)}
        hint={`${number(total.accepted)} accepted, ${number(total.rejected)} rejected`}
      />
      <Tile label="Never answered" value={number(total.unknown)} />
      <Tile label="Sold" value={number(total.sales)} hint={`${number(total.returned)} returned`} />
      <Tile
        label="Revenue"
        value={sum(total.revenue)}
        hint={`${money(total.reversed)} taken back by returns`}
      />
    </Tiles>
  );
}

function ByCampaign({ of: { campaigns } }: { of: Reconciliation }): ReactNode {
  const { number } = useFormats();
  const counted = (
    header: string,
    of: 'sent' | 'accepted' | 'rejected' | 'unknown' | 'expired' | 'sales' | 'returned',
  ) => ({
    header,
    isNumber: true,
    cell: (row: Reconciliation['campaigns'][number]) => number(row[of]),
  });
  return (
    <Table
      caption="By campaign"
      rows={campaigns}
      rowKey={({ campaign_id }) => campaign_id}
      empty={
        <EmptyState title="Nothing was sent on these days">Choose other days above.</EmptyState>
      }
      columns={[
        {
          header: 'Campaign',
          cell: ({ campaign_id, campaign }) => (
            <Link href={`/campaigns/${campaign_id}`}>
              <Written>{campaign}</Written>
            </Link>
          ),
        },
        counted('Sent', 'sent'),
        counted('Accepted', 'accepted'),
        counted('Rejected', 'rejected'),
        counted('Never answered', 'unknown'),
        counted('Expired', 'expired'),
        counted('Sold', 'sales'),
        counted('Returned', 'returned'),
        { header: 'Revenue', isNumber: true, cell: ({ revenue }) => <Money amount={revenue} /> },
      ]}
    />
  );
}
