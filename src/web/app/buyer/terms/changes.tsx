import type { ReactNode } from 'react';
import { useFormats } from '../../lib/format.js';
import { useCan } from '../../lib/session.js';
import { usePages, useWrite, type Change } from '../calls.js';
import { Confirmed, EmptyState, Facts, Paged, Time, Written } from '../../ui/index.js';
import { ChangeStatus } from '../words.js';
import { ChangeTable } from './values.js';

/** The changes that the buyer requested, and the seller's answers. */
export function Changes(): ReactNode {
  const pages = usePages('list_changes', {});
  return (
    <Paged of={pages}>
      {(rows) => (
        <>
          {rows.length === 0 && (
            <EmptyState title="No change requests yet">
              Request a change above. It applies once the seller approves it.
            </EmptyState>
          )}
          {rows.map((change) => (
            <ChangeCard key={change.id} change={change} />
          ))}
        </>
      )}
    </Paged>
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
          ['Requested', <Time at={change.requested_at} />],
          ['By', <Written>{change.requested_by}</Written>],
          ['Reason', change.reason !== null && <Written>{change.reason}</Written>],
          ['Decided', change.resolved_at && <Time at={change.resolved_at} />],
          ["Seller's note", change.note !== null && <Written>{change.note}</Written>],
        ]}
      />
    </article>
  );
}

function Withdraw({ change }: { change: Change }): ReactNode {
  const may = useCan('withdraw_change');
  const withdraw = useWrite('withdraw_change');
  if (!may || change.state !== 'pending') return null;
  return (
    <Confirmed
      button="Withdraw"
      label={`Withdraw the change for ${change.campaign?.name ?? 'all campaigns'}`}
      title="Withdraw the request?"
      act="Withdraw"
      write={withdraw}
      run={() => withdraw.run({ change_id: change.id })}
      describe={() => 'The request was withdrawn.'}
    >
      <p>Your terms stay unchanged. You can request a change again.</p>
    </Confirmed>
  );
}
