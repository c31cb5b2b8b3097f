/** Pausing and resuming a partner, or one of its campaigns. */
import type { ReactNode } from 'react';
import type { CallsOf } from '../../../api/partner/registry.js';
import { Confirmed } from '../ui/index.js';
import { useCan, useSession } from './session.js';
import { hooksFor } from './useCalls.js';

const { useWrite } = hooksFor<Pick<CallsOf<'buyer'>, 'pause' | 'resume'>>();

const BUYER = {
  operator: 'seller',
  pause:
    'No new leads are sold to you until you resume. Leads already sold to you are still delivered.',
  resume: 'Leads are sold to you again, within your caps and budgets.',
};
const SUPPLIER = {
  operator: 'operator',
  pause: 'Posts are refused from now on, until you resume. Accepted leads are not affected.',
  resume: 'Posts are accepted again at once.',
};

interface PauseProps {
  isPaused: boolean;
  /** False where the operator has paused it. */
  canResume: boolean;
  /** Absent: all campaigns. */
  campaign?: { id: string; name: string };
}

/** Pauses and resumes, or requests it from the operator, as the portal's settings say. */
export function PauseControl({ isPaused, canResume, campaign }: PauseProps): ReactNode {
  const { membership, settings } = useSession().me;
  const call = isPaused ? 'resume' : 'pause';
  const may = useCan(call);
  const write = useWrite(call);
  const { operator, ...effects } = membership.side === 'buyer' ? BUYER : SUPPLIER;
  if (isPaused && !canResume) return <span className="muted">Paused by the {operator}</span>;
  if (!may) return null;

  const [verb, done] = isPaused ? ['Resume', 'Resumed'] : ['Pause', 'Paused'];
  const isRequest = settings?.pause === 'request';
  const act = isRequest ? `Request to ${call}` : verb;
  const what = campaign?.name ?? 'all campaigns';
  return (
    <Confirmed
      button={campaign ? act : `${act} ${what}`}
      label={`${act} ${what}`}
      kind={campaign && 'quiet'}
      title={`${act} ${what}?`}
      act={act}
      write={write}
      run={() => write.run({ campaign_id: campaign?.id })}
      describe={({ change_id }) =>
        change_id === null ? `${done}: ${what}` : `The request was sent to the ${operator}.`
      }
    >
      <p>{effects[call]}</p>
      {isRequest && <p>The {operator} must approve it. Nothing changes until then.</p>}
    </Confirmed>
  );
}
