import type { ReactNode } from 'react';
import { Badge, EmptyState, Money, Pager, Table, Time, Written, type Column } from '../ui/index.js';

interface Row {
  id: string;
  name: string;
  at: string;
  price: number;
}

const ROWS: readonly Row[] = [
  { id: '1', name: 'Ana', at: '2026-11-25T17:31:00Z', price: 12.5 },
  { id: '2', name: 'Bo', at: '2026-11-24T09:00:00Z', price: 30 },
  { id: '3', name: 'Xy'.repeat(200), at: '2026-11-23T23:59:00Z', price: 7 },
];

const COLUMNS: readonly Column<Row>[] = [
  { header: 'Name', cell: ({ name }) => <Written>{name}</Written>, sortValue: ({ name }) => name },
  { header: 'Time', cell: ({ at }) => <Time at={at} />, sortValue: ({ at }) => at },
  { header: 'State', cell: () => <Badge tone="good">Sold</Badge> },
  {
    header: 'Price',
    isNumber: true,
    cell: ({ price }) => <Money amount={price} />,
    sortValue: ({ price }) => price,
  },
];

/** A sorted list, an empty one, and the way to further pages. */
export function Tables(): ReactNode {
  const none = <EmptyState title="Nothing is listed" />;
  return (
    <div className="stack">
      <Table caption="Leads" rows={ROWS} columns={COLUMNS} rowKey={({ id }) => id} empty={none} />
      <Pager page={2} next={() => undefined} previous={() => undefined} />
      <Table caption="None" rows={[]} columns={COLUMNS} rowKey={({ id }) => id} empty={none} />
    </div>
  );
}
