import { useState, type ReactNode } from 'react';
import { useFormats } from '../../lib/format.js';
import { useCan } from '../../lib/session.js';
import { usePages, useWrite } from '../calls.js';
import {
  Button,
  Confirm,
  EmptyState,
  ErrorState,
  Facts,
  Loaded,
  Pager,
  Time,
  useToast,
  Written,
} from '../../ui/index.js';
import type { Change } from '../types.js';
import { ChangeStatus } from '../words.js';
import { ChangeTable } from './changeTable.js';

/** The changes that the buyer requested, and the seller's answers. */
export function Changes(): ReactNode {
  const pages = usePages('list_changes', {});
  return (
    <Loaded of={pages}>
      {(rows) => (
        <>
          {rows.length === 0 && (
            <EmptyState title="You have asked for no change">
              Request one above: it holds once the seller has approved it.
            </EmptyState>
          )}
          {rows.map((change) => (
            <ChangeCard key={change.id} change={change} />
          ))}
          <Pager {...pages} />
        </>
      )}
    </Loaded>
  );
}

function ChangeCard({ change }: { change: Change }): ReactNode {
  const { time } = useFormats();
  return (
    <article className="card">
      <header className="section-head">
        <h3>
          <bdi>{change.campaign?.name ?? 'All campaigns'}</bdi> <ChangeStatus of={change.state} />
        </h3>
        <Withdraw change={change} />
      </header>
      <ChangeTable
        changes={change.changes}
        of={`${change.campaign?.name ?? 'All campaigns'}, ${time(change.requested_at)}, ${change.id}`}
      />
      <Facts
        facts={[
          ['Requested', <Time key="at" at={change.requested_at} />],
          ['By', <Written key="by">{change.requested_by}</Written>],
          ...(change.reason === null
            ? []
            : [['Reason', <Written key="reason">{change.reason}</Written>] as const]),
          ...(change.resolved_at === null
            ? []
            : [['Decided', <Time key="decided" at={change.resolved_at} />] as const]),
          ...(change.note === null
            ? []
            : [['The seller says', <Written key="note">{change.note}</Written>] as const]),
        ]}
      />
    </article>
  );
}

function Withdraw({ change }: { change: Change }): ReactNode {
  const may = useCan('withdraw_change');
  const withdraw = useWrite('withdraw_change');
  const toast = useToast();
  const [isAsking, setIsAsking] = useState(false);
  if (!may || change.state !== 'pending') return null;
  const confirm = async (): Promise<void> => {
    if (!(await withdraw.run({ change_id: change.id }))) return;
    setIsAsking(false);
    toast('The request is withdrawn.');
  };
  return (
    <>
      <Button onClick={() => setIsAsking(true)}>
        Withdraw
        <span className="hidden"> the change of {change.campaign?.name ?? 'All campaigns'}</span>
      </Button>
      <Confirm
        title="Withdraw the request?"
        act="Withdraw"
        isOpen={isAsking}
        isBusy={withdraw.isRunning}
        onConfirm={() => void confirm()}
        onClose={() => {
          setIsAsking(false);
          withdraw.reset();
        }}
      >
        <p>The terms stay as they are. You may ask again.</p>
        {withdraw.error && <ErrorState error={withdraw.error} />}
      </Confirm>
    </>
  );
}
