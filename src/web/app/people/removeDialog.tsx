import type { ReactNode } from 'react';
import { Confirm } from '../ui/index.js';
import type { Act } from './act.js';

interface RemoveDialogProps {
  /** The member to remove; null: closed. */
  member: { id: string; name: string; isInvited: boolean } | null;
  remove: Act<{ member_id: string }, unknown>;
  onClose(): void;
}

/** Confirms before a member is removed, or an invitation withdrawn. */
export function RemoveDialog({ member, remove, onClose }: RemoveDialogProps): ReactNode {
  const confirm = async (): Promise<void> => {
    if ((await remove.run({ member_id: member?.id ?? '' })) !== null) onClose();
  };
  return (
    <Confirm
      title={member?.isInvited ? 'Withdraw the invitation?' : 'Remove the member?'}
      act={member?.isInvited ? 'Withdraw' : 'Remove'}
      isOpen={member !== null}
      isDanger
      write={remove}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        {member?.isInvited ? 'The link to ' : ''}
        <bdi>{member?.name}</bdi>
        {member?.isInvited ? ' stops working.' : ' loses access with the next request.'}
      </p>
    </Confirm>
  );
}
