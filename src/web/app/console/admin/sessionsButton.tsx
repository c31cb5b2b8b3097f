import { useState, type ReactNode } from 'react';
import { useCan } from '../../lib/session.js';
import {
  Button,
  Dialog,
  EmptyState,
  ErrorState,
  Loaded,
  Table,
  Time,
  useToast,
  Written,
} from '../../ui/index.js';
import { useCall, useWrite, type RowOf } from '../../lib/useActions.js';

type Session = RowOf<'list_sessions'>;

/** Shows where a member is signed in; each session can be ended. */
export function SessionsButton({ id, name }: { id: string; name: string }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button kind="quiet" aria-label={`Sessions of ${name}`} onClick={() => setIsOpen(true)}>
        Sessions
      </Button>
      <Dialog title="Sessions" isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <p>
          Where <bdi>{name}</bdi> is signed in.
        </p>
        <Sessions memberId={id} />
      </Dialog>
    </>
  );
}

function Sessions({ memberId }: { memberId: string }): ReactNode {
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
        {(list) => (
          <Table
            caption="Sessions"
            rows={list}
            rowKey={({ id }) => id}
            empty={<EmptyState title="No active sessions" />}
            columns={[
              { header: 'Browser', cell: ({ user_agent }) => <Written>{user_agent}</Written> },
              { header: 'Address', cell: ({ address }) => address },
              { header: 'Last seen', cell: ({ seen_at }) => <Time at={seen_at} /> },
              ...(may
                ? [
                    {
                      header: 'Actions',
                      cell: ({ id, address }: Session) => (
                        <Button kind="quiet" isBusy={revoke.isRunning} onClick={() => void end(id)}>
                          End<span className="hidden"> the session from {address}</span>
                        </Button>
                      ),
                    },
                  ]
                : []),
            ]}
          />
        )}
      </Loaded>
    </>
  );
}
