import { useState, type ReactNode } from 'react';
import { Badge, Button, EmptyState, Facts, Money, Time } from '../ui/index.js';
import {
  BulkBar,
  DataTable,
  FilterBar,
  SidePanel,
  WithPanel,
  type DataColumn,
  type FilterSpec,
  type FilterValues,
} from '../ui/data/index.js';

interface Row {
  id: string;
  name: string;
  at: string;
  status: string;
  buyer: string;
  price: number;
}

const NAMES = ['Ana Lindqvist', 'Bo', 'שלום, עולם', '<b>Markup</b>', 'Xy'.repeat(80)];
const BUYERS = ['Acme Insurance', 'Beta Solar'];

/** `?rows=240` shows a list of which only the rows in sight are drawn. */
const LENGTH = Math.min(Number(new URLSearchParams(location.search).get('rows') ?? 12), 1_000);

const ROWS: readonly Row[] = Array.from({ length: LENGTH }, (_, nth) => ({
  id: `lead_${nth}`,
  name: NAMES[nth % NAMES.length] ?? '',
  at: new Date(Date.UTC(2026, 10, 25, 17, 31) - nth * 47_000).toISOString(),
  status: nth % 3 === 0 ? 'REJECTED' : 'ACCEPTED',
  buyer: BUYERS[nth % BUYERS.length] ?? '',
  price: 12.5 + (nth % 9),
}));

const COLUMNS: readonly DataColumn<Row>[] = [
  { id: 'name', header: 'Name', isPinned: true, cell: ({ name }) => <bdi>{name}</bdi> },
  { id: 'at', header: 'Time', cell: ({ at }) => <Time at={at} />, sortValue: ({ at }) => at },
  {
    id: 'status',
    header: 'Status',
    cell: ({ status }) => (
      <Badge tone={status === 'ACCEPTED' ? 'good' : 'bad'}>
        {status === 'ACCEPTED' ? 'Accepted' : 'Rejected'}
      </Badge>
    ),
  },
  { id: 'buyer', header: 'Buyer', cell: ({ buyer }) => <bdi>{buyer}</bdi> },
  {
    id: 'price',
    header: 'Price',
    isNumber: true,
    cell: ({ price }) => <Money amount={price} />,
    sortValue: ({ price }) => price,
  },
  { id: 'id', header: 'Lead ID', isHiddenAtFirst: true, cell: ({ id }) => <code>{id}</code> },
];

type Name = 'days' | 'status' | 'buyer' | 'search' | 'is_test';

const FILTERS: readonly FilterSpec<Name>[] = [
  { name: 'days', label: 'Days', kind: 'days', isPinned: true },
  {
    name: 'status',
    label: 'Status',
    kind: 'multi',
    options: [
      { value: 'ACCEPTED', label: 'Accepted' },
      { value: 'REJECTED', label: 'Rejected' },
    ],
  },
  {
    name: 'buyer',
    label: 'Buyer',
    kind: 'record',
    useOptions: (search) => ({
      options: BUYERS.filter((name) => name.toLowerCase().includes(search.toLowerCase())).map(
        (name) => ({ value: name, label: name }),
      ),
      isLoading: false,
    }),
    useLabel: (value) => value,
  },
  { name: 'search', label: 'Search', kind: 'text', placeholder: 'Phone, email or name' },
  { name: 'is_test', label: 'Test leads', kind: 'switch' },
];

/** A list with its filters, a selection, and the detail of a row beside it. */
export function Data(): ReactNode {
  const [values, setValues] = useState<FilterValues<Name>>({ days: '7d' });
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [open, setOpen] = useState<Row | null>(null);
  const statuses = values.status?.split(',').filter(Boolean) ?? [];
  const rows = ROWS.filter(({ status }) => statuses.length === 0 || statuses.includes(status));
  return (
    <div className="stack">
      <FilterBar
        filters={FILTERS}
        values={values}
        onChange={(changes) => setValues({ ...values, ...changes })}
      />
      <WithPanel
        panel={
          open && (
            <SidePanel title={<bdi>{open.name}</bdi>} name="Lead" onClose={() => setOpen(null)}>
              <Facts facts={[['Price', <Money amount={open.price} />]]} />
            </SidePanel>
          )
        }
      >
        <DataTable
          caption="Many leads"
          columns={COLUMNS}
          rows={rows}
          rowKey={({ id }) => id}
          onOpen={setOpen}
          activeKey={open?.id}
          selection={{ selected, onChange: setSelected }}
          storageKey="design"
          toolbar={`${rows.length} leads`}
          empty={<EmptyState title="Nothing is listed" />}
        />
        <BulkBar count={selected.size} onClear={() => setSelected(new Set())}>
          <Button>Resend</Button>
        </BulkBar>
      </WithPanel>
    </div>
  );
}
