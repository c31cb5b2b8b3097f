/** All campaigns, with how each does today. */
import { Megaphone } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFilters } from '../../lib/route.js';
import { useCan } from '../../lib/session.js';
import { usePages, type RowOf } from '../../lib/useActions.js';
import {
  FilterBar,
  PagedDataTable,
  type DataColumn,
  type FilterSpec,
} from '../../ui/data/index.js';
import { EmptyState, Money, Page, Sparkline, Written } from '../../ui/index.js';
import { CampaignActs } from './acts.js';
import './campaigns.css';
import { CreateButton } from './createButton.js';
import { StatusChip } from './words.js';

type Row = RowOf<'list_campaigns'>;
type FilterName = 'search' | 'status' | 'vertical' | 'archived';

const FILTERS: readonly FilterSpec<FilterName>[] = [
  { name: 'search', label: 'Name', kind: 'text', isPinned: true },
  {
    name: 'status',
    label: 'Status',
    kind: 'choice',
    isPinned: true,
    options: [
      { value: 'ACTIVE', label: 'Active' },
      { value: 'PAUSED', label: 'Paused' },
      { value: 'ARCHIVED', label: 'Archived' },
    ],
  },
  { name: 'vertical', label: 'Vertical', kind: 'text' },
  { name: 'archived', label: 'With archived', kind: 'switch' },
];
const NAMES = FILTERS.map(({ name }) => name);

export default function Campaigns(): ReactNode {
  const [filters, change] = useFilters(NAMES);
  const canCreate = useCan('create_campaign');
  const hasFigures = useCan('get_flow');
  const input = {
    search: filters.search,
    status: filters.status as Row['status'] | undefined,
    vertical: filters.vertical,
    include_archived: filters.archived === 'true',
    figures: hasFigures,
    limit: 50,
  };
  const campaigns = usePages('list_campaigns', input);
  return (
    <Page
      title="Campaigns"
      how={{ action: 'list_campaigns', input }}
      actions={canCreate && <CreateButton />}
    >
      <FilterBar filters={FILTERS} values={filters} onChange={change} />
      <PagedDataTable
        of={campaigns}
        caption="Campaigns"
        storageKey="campaigns"
        columns={hasFigures ? [...NAMED, ...FIGURES, ACTS] : [...NAMED, ACTS]}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `/campaigns/${id}`}
        empty={<None isFiltered={Object.keys(filters).length > 0} />}
      />
    </Page>
  );
}

const None = ({ isFiltered }: { isFiltered: boolean }): ReactNode =>
  isFiltered ? (
    <EmptyState title="No campaign has this filter" icon={Megaphone}>
      Change the filters, or remove them.
    </EmptyState>
  ) : (
    <EmptyState title="No campaigns yet" icon={Megaphone}>
      A campaign takes leads of one kind from suppliers, and sells them to buyers.
    </EmptyState>
  );

const NAMED: readonly DataColumn<Row>[] = [
  {
    id: 'name',
    header: 'Campaign',
    isPinned: true,
    cell: ({ name }) => <Written>{name}</Written>,
  },
  { id: 'status', header: 'Status', cell: ({ status }) => <StatusChip status={status} /> },
  {
    id: 'vertical',
    header: 'Vertical',
    isHiddenAtFirst: true,
    cell: ({ vertical }) => (vertical === null ? '–' : <Written>{vertical}</Written>),
  },
];

const NONE = '–';

const FIGURES: readonly DataColumn<Row>[] = [
  {
    id: 'leads',
    header: 'Leads today',
    isNumber: true,
    cell: ({ figures }) => figures?.today.total_leads.toLocaleString('en-US') ?? NONE,
  },
  {
    id: 'week',
    header: 'Last 7 days',
    cell: ({ name, figures }) =>
      figures &&
      figures.week.some((leads) => leads > 0) && (
        <span className="campaign-week">
          <Sparkline values={figures.week} label={`Leads of ${name} by day, last 7 days`} />
        </span>
      ),
  },
  {
    id: 'accepted',
    header: 'Accepted',
    isNumber: true,
    cell: ({ figures }) =>
      figures && figures.today.total_leads > 0 ? `${figures.today.acceptance_pct}%` : NONE,
  },
  {
    id: 'revenue',
    header: 'Revenue',
    isNumber: true,
    cell: ({ figures }) => <Money amount={figures?.today.revenue ?? null} />,
  },
  {
    id: 'profit',
    header: 'Profit',
    isNumber: true,
    cell: ({ figures }) => <Money amount={figures?.today.profit ?? null} />,
  },
  {
    id: 'waiting',
    header: 'Waiting',
    isNumber: true,
    cell: ({ figures }) => figures?.today.pending.toLocaleString('en-US') ?? NONE,
  },
  {
    id: 'caps',
    header: 'Caps over 80%',
    isNumber: true,
    cell: ({ figures }) =>
      figures && figures.caps_nearly_full > 0 ? (
        <b className="warning">{figures.caps_nearly_full}</b>
      ) : (
        NONE
      ),
  },
];

const ACTS: DataColumn<Row> = {
  id: 'acts',
  header: 'More',
  cell: (campaign) => <CampaignActs campaign={campaign} isRow />,
};
