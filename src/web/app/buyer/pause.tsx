import type { ReactNode } from 'react';
import { useCan, useSession } from '../lib/session.js';
import { useWrite } from './calls.js';
import { Confirmed } from '../ui/index.js';

interface PauseProps {
  of: { status: 'active' | 'paused'; can_resume: boolean };
  /** Absent: the buyer as a whole. */
  campaign?: { id: string; name: string };
}

/** Pauses and resumes the leads, or requests it from the seller, as the portal's settings say. */
export function PauseControl({ of, campaign }: PauseProps): ReactNode {
  const { me } = useSession();
  const isPaused = of.status === 'paused';
  const call = isPaused ? 'resume' : 'pause';
  const may = useCan(call);
  const write = useWrite(call);
  if (!may) return null;
  if (isPaused && !of.can_resume) return <span className="muted">Paused by the seller</span>;

  const isRequest = me.settings?.pause === 'request';
  const act = `${isRequest ? 'Request to ' : ''}${call}`;
  const name = campaign?.name ?? 'all campaigns';
  const label = act.charAt(0).toUpperCase() + act.slice(1);
  return (
    <Confirmed
      button={
        <>
          {label}
          <span className="hidden"> {name}</span>
        </>
      }
      title={`${label} ${name}?`}
      act={label}
      write={write}
      run={() => write.run(campaign ? { campaign_id: campaign.id } : {})}
      describe={(done) => describeResult(done, name)}
    >
      <p>{isPaused ? RESUMED : PAUSED}</p>
      {isRequest && <p>The seller must approve it.</p>}
    </Confirmed>
  );
}

const PAUSED =
  'No new leads are sold to you until you resume. Leads already sold to you are still delivered.';
const RESUMED = 'Leads are sold to you again, within your caps and budgets.';

function describeResult(
  { status, change_id }: { status: 'active' | 'paused'; change_id: string | null },
  name: string,
): string {
  if (change_id !== null) return 'The request was sent to the seller.';
  return status === 'paused' ? `Paused: ${name}.` : `Active again: ${name}.`;
}
