import type { ReactNode } from 'react';
import { reasonName } from '../../buyer/words.js';
import { Button, Chip, Money, Time, WordBadge, Written } from '../../ui/index.js';
import type { DataColumn } from '../../ui/data/index.js';
import { LeadName, Name } from '../names.js';
import type { Decisions } from './useDecisions.js';
import { DECIDED_WORDS, STATE_WORDS, type Return } from './words.js';

export const returnColumns = (
  decisions: Decisions,
  mayDecide: boolean,
): readonly DataColumn<Return>[] => [
  { id: 'lead', header: 'Lead', isPinned: true, cell: (row) => <LeadName {...row} /> },
  {
    id: 'state',
    header: 'Decision',
    cell: (row) => <State row={row} decisions={decisions} mayDecide={mayDecide} />,
  },
  { id: 'buyer', header: 'Buyer', cell: ({ buyer_name }) => <Name of={buyer_name} /> },
  { id: 'reason', header: 'Reason', cell: ({ reason }) => reasonName(reason) },
  {
    id: 'note',
    header: 'Note',
    cell: ({ note }) => (
      <span className="return-note" title={note ?? undefined}>
        {note !== null && <Written>{note}</Written>}
      </span>
    ),
  },
  {
    id: 'requested',
    header: 'Requested',
    cell: ({ requested_at }) => <Time at={requested_at} isRelative />,
  },
  {
    id: 'sold',
    header: 'Sold',
    isHiddenAtFirst: true,
    cell: ({ sold_at }) => <Time at={sold_at} isRelative />,
  },
  {
    id: 'revenue',
    header: 'Revenue',
    isNumber: true,
    cell: ({ revenue }) => <Money amount={revenue} />,
  },
  {
    id: 'deadline',
    header: 'Auto-accepts',
    cell: ({ state, auto_accept_at }) => (
      <Time at={state === 'requested' ? auto_accept_at : null} isRelative />
    ),
  },
  {
    id: 'price',
    header: 'Price',
    isNumber: true,
    isHiddenAtFirst: true,
    cell: ({ price }) => <Money amount={price} />,
  },
  {
    id: 'cost',
    header: 'Cost',
    isNumber: true,
    isHiddenAtFirst: true,
    cell: ({ cost }) => <Money amount={cost} />,
  },
  {
    id: 'campaign',
    header: 'Campaign',
    isHiddenAtFirst: true,
    cell: ({ campaign_name }) => <Name of={campaign_name} />,
  },
  {
    id: 'supplier',
    header: 'Supplier',
    isHiddenAtFirst: true,
    cell: ({ supplier_name }) => <Name of={supplier_name} />,
  },
];

interface StateProps {
  row: Return;
  decisions: Decisions;
  mayDecide: boolean;
}

/** The buttons while it is to be decided; then the decision, who made it, and when. */
export function State({ row, decisions, mayDecide }: StateProps): ReactNode {
  const decision = decisions.of(row.id);
  if (decision) {
    const { now, then } = DECIDED_WORDS[decision.verdict];
    if (decision.stage === 'done') return <WordBadge of={then} />;
    return (
      <span className="return-acts">
        <Chip tone="info">{now}</Chip>
        {decision.stage === 'waiting' && (
          <Button kind="quiet" onClick={onRow(() => decisions.undo(row.id))}>
            Undo
          </Button>
        )}
      </span>
    );
  }
  if (row.state !== 'requested')
    return (
      <span className="return-acts">
        <WordBadge of={STATE_WORDS[row.state]} />
        <span className="muted">
          <DecidedBy by={row.resolved_by} /> <Time at={row.resolved_at} isRelative />
        </span>
      </span>
    );
  if (!mayDecide) return <WordBadge of={STATE_WORDS.requested} />;
  const whose = row.lead_name ?? row.lead_id.slice(0, 8);
  return (
    <span className="return-acts">
      {(['accept', 'reject'] as const).map((verdict) => (
        <Button key={verdict} kind="quiet" onClick={onRow(() => decisions.decide(row, verdict))}>
          {DECIDED_WORDS[verdict].act}
          <span className="hidden"> the return of {whose}</span>
        </Button>
      ))}
    </span>
  );
}

/** The button goes away with the act: its row keeps the focus, and the keys go on from there. */
const onRow =
  (act: () => void) =>
  ({ currentTarget }: { currentTarget: Element }): void => {
    currentTarget.closest<HTMLElement>('tr[data-key]')?.focus();
    act();
  };

export function DecidedBy({ by }: { by: Return['resolved_by'] }): ReactNode {
  if (by === null) return null;
  if (by.kind === 'system') return 'automatically';
  return by.name === null ? null : <Written>{by.name}</Written>;
}
