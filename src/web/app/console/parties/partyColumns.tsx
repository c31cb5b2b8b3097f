/** The columns that the lists of buyers and of suppliers share. */
import type { ReactNode } from 'react';
import { Chip, Money, Sparkline, Time, Written, type Word } from '../../ui/index.js';
import type { DataColumn } from '../../ui/data/index.js';
import { counted, type BuyerRow, type SupplierRow } from './words.js';

type PartyRow = BuyerRow | SupplierRow;

interface Named<R extends PartyRow> {
  header: string;
  /** The worst of what is known about it. */
  wordOf(party: R): Word;
}

/** Which one it is, how it does, and its leads. */
export const firstColumns = <R extends PartyRow>({
  header,
  wordOf,
}: Named<R>): readonly DataColumn<R>[] => [
  {
    id: 'name',
    header,
    isPinned: true,
    cell: ({ name }) => <Written>{name}</Written>,
  },
  {
    id: 'state',
    header: 'State',
    cell: (party) => {
      const [text, tone] = wordOf(party);
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
];

export const PROFIT: DataColumn<PartyRow> = {
  id: 'profit',
  header: 'Profit today',
  isNumber: true,
  isHiddenAtFirst: true,
  cell: ({ figures }) => figures && <Money amount={figures.today.revenue - figures.today.cost} />,
};

export const LAST_LEAD: DataColumn<PartyRow> = {
  id: 'last',
  header: 'Last lead',
  cell: ({ figures }) => <Time at={figures?.last_lead_at ?? null} isRelative />,
};

export const PORTAL: DataColumn<PartyRow> = {
  id: 'portal',
  header: 'Portal',
  cell: ({ figures }) => <PortalCell figures={figures} />,
};

/** The leads of each of the last 7 days; a line of zeros would say less than none. */
function WeekCell({ figures }: Pick<PartyRow, 'figures'>): ReactNode {
  if (!figures) return null;
  if (figures.week.every((leads) => leads === 0)) return <span className="muted">None</span>;
  return (
    <span className="week">
      <Sparkline values={[...figures.week]} label="Leads of the last 7 days" />
    </span>
  );
}

function PortalCell({ figures }: Pick<PartyRow, 'figures'>): ReactNode {
  if (!figures) return null;
  if (!figures.portal_open) return <span className="muted">Closed</span>;
  return (
    <Chip tone={figures.people === 0 ? 'warning' : 'good'}>
      Open · {counted(figures.people, 'person', 'people')}
    </Chip>
  );
}
