import { useState, type ReactNode } from 'react';
import { useFormats } from '../../lib/format.js';
import { useCan } from '../../lib/session.js';
import { usePages } from '../../lib/useActions.js';
import { Button, EmptyState } from '../../ui/index.js';
import {
  BulkBar,
  FilterBar,
  PagedDataTable,
  WithPanel,
  type FilterSpec,
} from '../../ui/data/index.js';
import { BUYER_FILTER, CAMPAIGN_FILTER, SUPPLIER_FILTER } from '../recordFilters.js';
import type { QueueCommand, QueueFilter } from './commandDialog.js';
import { DeliveryPanel } from './deliveryPanel.js';
import { DELIVERY_COLUMNS } from './deliveryColumns.js';
import { ACT_WORDS, type QueueAct } from '../bulk/deliveryWords.js';
import { STATE_OPTIONS, type Delivery } from './words.js';

type Name = 'state' | 'buyer_id' | 'campaign_id' | 'supplier_id';
export type QueueFilters = Partial<Record<Name | 'delivery', string>>;

interface DeliveriesProps {
  filters: QueueFilters;
  onFilter(changes: QueueFilters): void;
  onCommand(command: QueueCommand): void;
}

const FILTERS: readonly FilterSpec<Name>[] = [
  { name: 'state', label: 'State', kind: 'choice', options: STATE_OPTIONS, isPinned: true },
  { ...BUYER_FILTER, isPinned: true },
  CAMPAIGN_FILTER,
  SUPPLIER_FILTER,
];

const PAGE = 50;
const WAITING_ACTS = ['retry', 'hold', 'drop'] as const;
const UNKNOWN_ACTS = ['accepted', 'rejected', 'drop'] as const;

/** What the list is asked for by the filters of the screen. */
export function deliveriesInput({ state, delivery: _open, ...of }: QueueFilters) {
  return {
    ...of,
    state: state === 'waiting' || state === 'unknown' ? state : undefined,
    limit: PAGE,
  } as const;
}

/** The deliveries that wait, oldest first, with commands on some or on all that match. */
export function Deliveries({ filters, onFilter, onCommand }: DeliveriesProps): ReactNode {
  const { state, delivery, ...of } = filters;
  const isUnknown = state === 'unknown';
  const rows = usePages('list_deliveries', deliveriesInput(filters));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const mayCommand = useCan('retry_deliveries');
  const shown = rows.data ?? [];
  const acts = actsFor(
    isUnknown,
    shown.filter(({ id }) => selected.has(id)),
  );
  const command = (act: QueueAct): void => onCommand({ act, of: { ids: [...selected] } });
  const isAll = shown.length > 0 && shown.every(({ id }) => selected.has(id));
  return (
    <div className="stack">
      <FilterBar filters={FILTERS} values={filters} onChange={onFilter}>
        <Button kind="quiet" onClick={rows.retry}>
          Refresh
        </Button>
      </FilterBar>
      <WithPanel
        panel={
          delivery !== undefined && (
            <DeliveryPanel
              id={delivery}
              onClose={() => onFilter({ delivery: undefined })}
              onCommand={onCommand}
            />
          )
        }
      >
        <PagedDataTable
          of={rows}
          caption="Deliveries that wait"
          columns={DELIVERY_COLUMNS}
          rowKey={({ id }) => id}
          rowHref={({ lead_id }) => `/leads/${lead_id}`}
          onOpen={({ id }) => onFilter({ delivery: id })}
          activeKey={delivery}
          selection={mayCommand ? { selected, onChange: setSelected } : undefined}
          storageKey="queues"
          toolbar={<MatchingActs of={of} isUnknown={isUnknown} onCommand={onCommand} rows={rows} />}
          empty={<Nothing filters={filters} />}
        />
        <BulkBar count={selected.size} onClear={() => setSelected(new Set())}>
          {acts.map((act) => (
            <Button
              key={act}
              kind={act === 'drop' ? 'danger' : undefined}
              onClick={() => command(act)}
            >
              {ACT_WORDS[act].button}
            </Button>
          ))}
          {isAll && rows.next !== null && <span className="muted">This page only</span>}
        </BulkBar>
      </WithPanel>
    </div>
  );
}

/** Selected on other pages, a row is not known here: the dry run shows what each command can do with it. */
function actsFor(isUnknown: boolean, selected: readonly Delivery[]): readonly QueueAct[] {
  if (isUnknown) return UNKNOWN_ACTS;
  const states = new Set(selected.map(({ state }) => state));
  if (!states.has('unknown')) return WAITING_ACTS;
  return states.size === 1 ? UNKNOWN_ACTS : ['retry', 'hold', 'accepted', 'rejected', 'drop'];
}

interface MatchingProps {
  of: QueueFilter;
  isUnknown: boolean;
  onCommand(command: QueueCommand): void;
  rows: { data: readonly Delivery[] | undefined; next: unknown; page: number };
}

/** Commands on all that match the filter, whatever the page shows. */
function MatchingActs({ of, isUnknown, onCommand, rows }: MatchingProps): ReactNode {
  const { number } = useFormats();
  const mayCommand = useCan('retry_deliveries');
  const count = rows.data?.length ?? 0;
  const isMore = rows.next !== null || rows.page > 1;
  const isLimited = Object.values(of).some((value) => value !== undefined);
  const acts = isUnknown ? UNKNOWN_ACTS : WAITING_ACTS;
  return (
    <>
      <span>
        {isMore
          ? `Page ${rows.page}`
          : `${number(count)} ${count === 1 ? 'delivery' : 'deliveries'}`}
      </span>
      {mayCommand && isLimited && count > 0 && (
        <span className="queue-acts" role="group" aria-label="All that match the filter">
          <span className="muted">All that match:</span>
          {acts.map((act) => (
            <Button key={act} kind="quiet" onClick={() => onCommand({ act, of: { filter: of } })}>
              {ACT_WORDS[act].button}
              <span className="hidden"> all that match</span>
            </Button>
          ))}
        </span>
      )}
    </>
  );
}

function Nothing({ filters }: { filters: QueueFilters }): ReactNode {
  const { state, buyer_id, campaign_id, supplier_id } = filters;
  if (state === 'unknown')
    return <EmptyState title="No unanswered delivery">Every buyer has answered.</EmptyState>;
  const isLimited = [state, buyer_id, campaign_id, supplier_id].some((one) => one !== undefined);
  return isLimited ? (
    <EmptyState title="Nothing matches">Nothing waits with these filters.</EmptyState>
  ) : (
    <EmptyState title="Nothing waits">
      A lead waits here while its buyer is closed, capped, held or does not answer.
    </EmptyState>
  );
}
