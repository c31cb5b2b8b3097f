import { useState, type ReactNode } from 'react';
import { useFormats } from '../../lib/format.js';
import { useFilters } from '../../lib/route.js';
import { useCan } from '../../lib/session.js';
import { usePages } from '../../lib/useActions.js';
import { Button, EmptyState, Page } from '../../ui/index.js';
import {
  BulkBar,
  FilterBar,
  PagedDataTable,
  WithPanel,
  type FilterSpec,
} from '../../ui/data/index.js';
import { BUYER_FILTER, CAMPAIGN_FILTER } from '../recordFilters.js';
import { useReadAgain } from '../bulk/useStep.js';
import { ReturnsDialog, type ReturnsCommand } from './returnsDialog.js';
import { returnColumns } from './returnColumns.js';
import { ReturnPanel } from './returnPanel.js';
import { useDecisionKeys } from './useDecisionKeys.js';
import { useDecisions } from './useDecisions.js';
import { STATE_OPTIONS, type Return, type Verdict } from './words.js';
import './returns.css';

type Name = 'state' | 'buyer_id' | 'campaign_id';

const FILTERS: readonly FilterSpec<Name>[] = [
  { name: 'state', label: 'State', kind: 'choice', options: STATE_OPTIONS, isPinned: true },
  { ...BUYER_FILTER, isPinned: true },
  CAMPAIGN_FILTER,
];
const FILTER_NAMES = ['state', 'buyer_id', 'campaign_id', 'return'] as const;
const STATES: readonly string[] = ['requested', 'accepted', 'rejected'];
const isState = (text: string): text is Return['state'] => STATES.includes(text);

/** The inbox of returns: each is accepted or rejected, one by one or many at once. */
export default function Returns(): ReactNode {
  const [filters, change] = useFilters(FILTER_NAMES);
  const { state = 'requested', buyer_id, campaign_id } = filters;
  const input = {
    state: isState(state) ? state : undefined,
    buyer_id,
    campaign_id,
    limit: 50,
  };
  const rows = usePages('list_returns', input);
  const mayDecide = useCan('resolve_return');
  const decisions = useDecisions();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [command, setCommand] = useState<ReturnsCommand | null>(null);
  const readAgain = useReadAgain();
  const shown = rows.data ?? [];
  const open = shown.find(({ id }) => id === filters.return);
  useDecisionKeys(mayDecide, shown, (row, verdict) => decisions.decide(row, verdict));
  const filter = { buyer_id, campaign_id };
  const mayDecideAll =
    mayDecide &&
    state === 'requested' &&
    shown.length > 0 &&
    (buyer_id !== undefined || campaign_id !== undefined);
  return (
    <Page
      title="Returns"
      how={{ action: 'list_returns', input }}
      intro={
        mayDecide
          ? 'Leads that buyers want to return. Press A to accept and R to reject the row you are on.'
          : 'Leads that buyers want to return.'
      }
    >
      <div className="stack">
        <FilterBar filters={FILTERS} values={{ ...filters, state }} onChange={change}>
          <Button kind="quiet" onClick={rows.retry}>
            Refresh
          </Button>
        </FilterBar>
        <WithPanel
          panel={
            open && (
              <ReturnPanel
                key={open.id}
                row={open}
                decisions={decisions}
                onClose={() => change({ return: undefined })}
              />
            )
          }
        >
          <PagedDataTable
            of={rows}
            caption="Returns"
            columns={returnColumns(decisions, mayDecide)}
            rowKey={({ id }) => id}
            rowHref={({ lead_id }) => `/leads/${lead_id}`}
            onOpen={({ id }) => change({ return: id })}
            activeKey={filters.return}
            selection={mayDecide ? { selected, onChange: setSelected } : undefined}
            storageKey="returns"
            toolbar={
              <>
                <Sum rows={shown} isPart={rows.next !== null} />
                {mayDecideAll && (
                  <AllMatching onDecide={(verdict) => setCommand({ verdict, of: { filter } })} />
                )}
              </>
            }
            empty={
              <Nothing
                state={state}
                isLimited={buyer_id !== undefined || campaign_id !== undefined}
              />
            }
          />
          <BulkBar count={selected.size} onClear={() => setSelected(new Set())}>
            {(['accept', 'reject'] as const).map((verdict) => (
              <Button
                key={verdict}
                kind={verdict === 'reject' ? 'danger' : 'primary'}
                onClick={() => setCommand({ verdict, of: { ids: [...selected] } })}
              >
                {verdict === 'accept' ? 'Accept' : 'Reject'}
              </Button>
            ))}
          </BulkBar>
        </WithPanel>
      </div>
      {command && (
        <ReturnsDialog
          command={command}
          onClose={() => setCommand(null)}
          onDone={() => {
            setSelected(new Set());
            readAgain();
          }}
        />
      )}
    </Page>
  );
}

/** How many are listed, and what their sales bring now. */
function Sum({ rows, isPart }: { rows: readonly Return[]; isPart: boolean }): ReactNode {
  const { number, money } = useFormats();
  const revenue = rows.reduce((sum, one) => sum + (one.revenue ?? 0), 0);
  return (
    <span>
      {number(rows.length)} {rows.length === 1 ? 'return' : 'returns'}
      {isPart && ' on this page'} · {money(revenue)} of revenue
    </span>
  );
}

const AllMatching = ({ onDecide }: { onDecide(verdict: Verdict): void }): ReactNode => (
  <span className="returns-all" role="group" aria-label="All that match the filter">
    <span className="muted">All that match:</span>
    <Button kind="quiet" onClick={() => onDecide('accept')}>
      Accept<span className="hidden"> all that match</span>
    </Button>
    <Button kind="quiet" onClick={() => onDecide('reject')}>
      Reject<span className="hidden"> all that match</span>
    </Button>
  </span>
);

function Nothing({ state, isLimited }: { state: string; isLimited: boolean }): ReactNode {
  if (isLimited)
    return <EmptyState title="Nothing matches">No return has these filters.</EmptyState>;
  return state === 'requested' ? (
    <EmptyState title="Nothing to decide">Returns that buyers request are listed here.</EmptyState>
  ) : (
    <EmptyState title="No returns in this state" />
  );
}
