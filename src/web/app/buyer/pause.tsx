import { useState, type ReactNode } from 'react';
import { useCan, useSession } from '../lib/session.js';
import { useWrite } from './calls.js';
import { Button, Confirm, ErrorState, useToast } from '../ui/index.js';

interface PauseProps {
  of: { status: 'active' | 'paused'; can_resume: boolean };
  /** Absent: the buyer as a whole. */
  campaign?: { id: string; name: string };
}

/** Pauses and resumes the leads, or asks the seller to, as the portal's settings say. */
export function PauseControl({ of, campaign }: PauseProps): ReactNode {
  const { me } = useSession();
  const isPaused = of.status === 'paused';
  const call = isPaused ? 'resume' : 'pause';
  const may = useCan(call);
  const [isAsking, setIsAsking] = useState(false);
  const write = useWrite(call);
  const toast = useToast();
  if (!may) return null;
  if (isPaused && !of.can_resume) return <span className="muted">Paused by the seller</span>;

  const isRequest = me.settings?.pause === 'request';
  const act = `${isRequest ? 'Ask to ' : ''}${call}`;
  const name = campaign?.name ?? 'all campaigns';
  const label = act.charAt(0).toUpperCase() + act.slice(1);
  const confirm = async (): Promise<void> => {
    const done = await write.run(campaign ? { campaign_id: campaign.id } : {});
    if (!done) return;
    setIsAsking(false);
    toast(describeResult(done, name));
  };
  return (
    <>
      <Button onClick={() => setIsAsking(true)}>
        {label}
        <span className="hidden"> {name}</span>
      </Button>
      <Confirm
        title={`${label} ${name}?`}
        act={label}
        isOpen={isAsking}
        isBusy={write.isRunning}
        onConfirm={() => void confirm()}
        onClose={() => {
          setIsAsking(false);
          write.reset();
        }}
      >
        <p>{isPaused ? RESUMED : PAUSED}</p>
        {isRequest && <p>The seller decides on it.</p>}
        {write.error && <ErrorState error={write.error} />}
      </Confirm>
    </>
  );
}

const PAUSED =
  'No new lead is sold to you until you resume. Leads that you have bought are still delivered.';
const RESUMED = 'Leads are sold to you again, within your caps and budgets.';

function describeResult(
  { status, change_id }: { status: 'active' | 'paused'; change_id: string | null },
  name: string,
): string {
  if (change_id !== null) return 'The seller was asked.';
  return status === 'paused' ? `Paused: ${name}.` : `Active again: ${name}.`;
}
