import { useState, type ReactNode } from 'react';
import { useFilters } from '../../lib/route.js';
import { useCan } from '../../lib/session.js';
import { usePages } from '../../lib/useActions.js';
import { Button, EmptyState, Money, Page, Time, WordBadge } from '../../ui/index.js';
import {
  FilterBar,
  PagedDataTable,
  type DataColumn,
  type FilterSpec,
} from '../../ui/data/index.js';
import { Name } from '../names.js';
import { CAMPAIGN_FILTER, SUPPLIER_FILTER } from '../recordFilters.js';
import { MiniBids } from './miniBids.js';
import { PING_OPTIONS, PING_WORDS, REFUSAL_WORDS, type ListedPing } from './words.js';
import './pings.css';

type FilterName = 'status' | 'campaign_id' | 'supplier_id' | 'since' | 'is_test';

const FILTERS: readonly FilterSpec<FilterName>[] = [
  { name: 'status', label: 'State', kind: 'choice', options: PING_OPTIONS, isPinned: true },
  { ...CAMPAIGN_FILTER, isPinned: true },
  { ...SUPPLIER_FILTER, isPinned: true },
  {
    name: 'since',
    label: 'Received',
    kind: 'choice',
    options: [
      { value: '1', label: 'in the last hour' },
      { value: '24', label: 'in the last 24 hours' },
      { value: '168', label: 'in the last 7 days' },
    ],
  },
  { name: 'is_test', label: 'Test pings', kind: 'switch' },
];

const COLUMNS: readonly DataColumn<ListedPing>[] = [
  {
    id: 'at',
    header: 'Received',
    isPinned: true,
    cell: ({ created_at }) => <Time at={created_at} />,
  },
  { id: 'campaign', header: 'Campaign', cell: (row) => <Name of={row.campaign_name} /> },
  { id: 'supplier', header: 'Supplier', cell: (row) => <Name of={row.supplier_name} /> },
  { id: 'state', header: 'State', cell: ({ state }) => <WordBadge of={PING_WORDS[state]} /> },
  {
    id: 'best',
    header: 'Best bid',
    isNumber: true,
    cell: ({ best_bid }) => <Money amount={best_bid} />,
  },
  {
    id: 'bids',
    header: 'Bids',
    cell: ({ bids, reason }) =>
      bids.length > 0 ? (
        <MiniBids bids={bids} />
      ) : (
        <span className="muted">{reason === null ? 'None' : REFUSAL_WORDS[reason]}</span>
      ),
  },
  { id: 'id', header: 'Ping', isHiddenAtFirst: true, cell: (row) => <code>{row.ping_id}</code> },
  {
    id: 'posted',
    header: 'Posted',
    isHiddenAtFirst: true,
    cell: ({ redeemed_at }) => <Time at={redeemed_at} />,
  },
];

const NAMES = ['status', 'campaign_id', 'supplier_id', 'since', 'is_test'] as const;
const HOUR_MS = 3_600_000;
const isState = (text: string | undefined): text is ListedPing['state'] =>
  text !== undefined && Object.hasOwn(PING_WORDS, text);

/** The pings of suppliers, newest first, each with its best bids. */
export default function Pings(): ReactNode {
  const [filters, change] = useFilters(NAMES);
  const { status, campaign_id, supplier_id, since, is_test } = filters;
  const from = useInstantBefore(Number(since) || null);
  const mayOpen = useCan('get_ping');
  const input = {
    status: isState(status) ? status : undefined,
    campaign_id,
    supplier_id,
    created_from: from,
    is_test: is_test === 'true',
    limit: 50,
  };
  const rows = usePages('list_pings', input);
  return (
    <Page
      title="Pings"
      how={{ action: 'list_pings', input }}
      intro="What suppliers asked for bids, and who bid. Pings are kept for 30 days, refused ones for 3."
    >
      <div className="stack">
        <FilterBar filters={FILTERS} values={filters} onChange={change}>
          <Button kind="quiet" onClick={rows.retry}>
            Refresh
          </Button>
        </FilterBar>
        <PagedDataTable
          of={rows}
          caption="Pings"
          columns={COLUMNS}
          rowKey={({ ping_id }) => ping_id}
          rowHref={mayOpen ? ({ ping_id }) => `/pings/${encodeURIComponent(ping_id)}` : undefined}
          storageKey="pings"
          empty={
            Object.keys(filters).length > 0 ? (
              <EmptyState title="Nothing matches">No ping has these filters.</EmptyState>
            ) : (
              <EmptyState title="No pings yet">
                Campaigns of the kind ping-post get a ping before each lead.
              </EmptyState>
            )
          }
        />
      </div>
    </Page>
  );
}

/** The same instant until another number of hours is chosen: a list that goes on by itself has no pages. */
function useInstantBefore(hours: number | null): string | undefined {
  const [now, setNow] = useState({ hours, at: Date.now() });
  if (now.hours !== hours) setNow({ hours, at: Date.now() });
  return hours === null ? undefined : new Date(now.at - hours * HOUR_MS).toISOString();
}
