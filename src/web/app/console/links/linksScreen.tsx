import { lazy, Suspense, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useFilters } from '../../lib/route.js';
import { useCan } from '../../lib/session.js';
import { useFormats } from '../../lib/format.js';
import type { CellPlace } from '../../ui/grid/edits.js';
import { EditableGrid } from '../../ui/grid/editableGrid.js';
import { EmptyState } from '../../ui/index.js';
import { ColumnChooser } from '../../ui/data/columnChooser.js';
import { useShownColumns } from '../../ui/data/columns.js';
import { CampaignFrame } from '../campaigns/frame.js';
import { fullLinks, useCapUses, type CapUses } from './capUse.js';
import { linkColumns, type LinkColumn } from './columns.js';
import { useDraft, type Side } from './draft.js';
import { healthColumn, useHealth } from './health.js';
import { LeaveGuard } from './leaveGuard.js';
import { LinkActs } from './linkActs.js';
import { LinkFilters } from './linkFilters.js';
import { NewerVersion } from './newerVersion.js';
import {
  chosenRows,
  readOrder,
  rowsOf,
  sortedRows,
  writeOrder,
  type Campaign,
  type LinkRow,
} from './rows.js';
import { SaveLinks } from './saveLinks.js';
import { useSaveLinks } from './useSaveLinks.js';
import './links.css';

/** Loaded after the grid, which people come for. */
const AddLink = lazy(() => import('./addLink.js'));

interface LinksProps {
  campaignId: string;
  side: Side;
}

/** The links of one side as a grid that is edited in place. */
export const LinksScreen = ({ campaignId, side }: LinksProps): ReactNode => (
  <CampaignFrame
    id={campaignId}
    actions={
      <Suspense>
        <AddLink campaignId={campaignId} side={side} />
      </Suspense>
    }
  >
    {(campaign) => <Links campaign={campaign} side={side} />}
  </CampaignFrame>
);

function Links({ campaign, side }: { campaign: Campaign; side: Side }): ReactNode {
  const [filters, change] = useFilters(['q', 'show', 'sort', side, 'focus']);
  const [, navigate] = useLocation();
  const handle = useDraft(campaign.id);
  const saving = useSaveLinks(campaign, handle);
  const uses = useCapUses(campaign.id);
  const mayEdit = useCan('update_campaign_links');
  const rows = rowsOf(campaign, side);
  const columns = useColumns(campaign, side, rows, uses);
  const choice = useShownColumns(columns, `links-${side}`);
  const start = startOf(filters[side], filters.focus);
  const order = readOrder(filters.sort);
  const shown = sortedRows(
    chosenRows(rows, {
      text: filters.q,
      show: filters.show,
      full: fullLinks(uses),
      draft: handle.draft[side],
    }),
    columns,
    order,
  );
  const isAddressed = (id: string) => id === start?.column;
  return (
    <>
      <LeaveGuard campaign={campaign} count={handle.count} />
      <NewerVersion campaign={campaign} isEditing={handle.count > 0} />
      <LinkFilters
        side={side}
        filters={filters}
        onChange={change}
        count={{ shown: shown.length, all: rows.length }}
      >
        <ColumnChooser columns={columns} choice={choice} />
      </LinkFilters>
      <EditableGrid
        caption={side === 'buyer' ? `Buyers of ${campaign.name}` : `Suppliers of ${campaign.name}`}
        columns={columns.filter(({ id }) => choice.shown.has(id) || isAddressed(id))}
        rows={shown}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        edits={handle.draft[side]}
        onEdit={(edits) => handle.set(side, edits)}
        onUndo={handle.undo}
        faultAt={(place) => saving.faultAt(side, place)}
        isClash={(place) => saving.isClash(side, place)}
        order={order}
        onOrder={(next) => change({ sort: writeOrder(next) })}
        start={start}
        isReadOnly={!mayEdit}
        empty={<NoLinks side={side} isFiltered={rows.length > 0} />}
      />
      <SaveLinks
        saving={saving}
        handle={handle}
        campaign={campaign}
        onGoTo={(of, { row, column }) => {
          if (of === side) change({ q: '', show: '', [side]: row, focus: column });
          else navigate(`/campaigns/${campaign.id}/${of}s?${of}=${row}&focus=${column}`);
        }}
      />
    </>
  );
}

function useColumns(
  campaign: Campaign,
  side: Side,
  rows: readonly LinkRow[],
  uses: CapUses,
): LinkColumn[] {
  const formats = useFormats();
  const health = useHealth(side);
  const [name, ...terms] = linkColumns({ side, campaign, rows, uses, formats });
  const acts: LinkColumn = {
    id: 'acts',
    header: 'Acts',
    isActs: true,
    isPinned: true,
    value: () => null,
    show: (_, row) => <LinkActs campaign={campaign} side={side} row={row} />,
  };
  return [...(name ? [name] : []), ...terms, ...(health ? [healthColumn(health)] : []), acts];
}

/** The cell that an address names: `?buyer=<id>&focus=daily_cap`. */
const startOf = (row: string | undefined, column: string | undefined): CellPlace | null =>
  row === undefined ? null : { row, column: column ?? 'daily_cap' };

const NoLinks = ({ side, isFiltered }: { side: Side; isFiltered: boolean }): ReactNode =>
  isFiltered ? (
    <EmptyState title={`No ${side} matches`}>Change the filters above.</EmptyState>
  ) : (
    <EmptyState title={`No ${side}s yet`}>
      {side === 'buyer'
        ? 'Add a buyer to sell the leads of this campaign.'
        : 'Add a supplier, which gets a key to post leads to this campaign.'}
    </EmptyState>
  );
