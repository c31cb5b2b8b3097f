import { Monitor, Smartphone } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCan } from '../../lib/session.js';
import { useCall, useWrite, type RowOf } from '../../lib/useActions.js';
import { Button, EmptyState, ErrorState, Loaded, Time, useToast } from '../../ui/index.js';

type Session = RowOf<'list_sessions'>;

/** Where a member is signed in; each session can be ended. */
export function Sessions({ memberId }: { memberId: string }): ReactNode {
  const sessions = useCall('list_sessions', { member_id: memberId });
  const revoke = useWrite('revoke_session');
  const may = useCan('revoke_session');
  const toast = useToast();
  const end = async (sessionId: string): Promise<void> => {
    if (await revoke.run({ member_id: memberId, session_id: sessionId }))
      toast('The session was ended.');
  };
  return (
    <>
      {revoke.error && <ErrorState error={revoke.error} />}
      <Loaded of={sessions}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title="No active sessions" />
          ) : (
            <ul className="admin-list" aria-label="Sessions">
              {list.map((session) => (
                <li key={session.id}>
                  <SessionLine of={session} />
                  {may && (
                    <Button isBusy={revoke.isRunning} onClick={() => void end(session.id)}>
                      End
                      <span className="hidden">
                        {' '}
                        the session of {session.device} from {session.address}
                      </span>
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  );
}

function SessionLine({ of }: { of: Session }): ReactNode {
  const isPhone = /Mobi|Android|iP(?:hone|ad)/.test(of.user_agent);
  const Icon = isPhone ? Smartphone : Monitor;
  return (
    <>
      <Icon size={20} aria-hidden />
      <div title={of.user_agent}>
        <strong>{of.device}</strong>
        <p className="muted">
          Last seen <Time at={of.seen_at} isRelative /> · from <bdi>{of.address}</bdi> · signed in{' '}
          <Time at={of.created_at} isRelative />
          {of.via === 'oidc' && ' by single sign-on'}
        </p>
      </div>
    </>
  );
}
