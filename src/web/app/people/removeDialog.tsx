import type { ReactNode } from 'react';
import type { ApiError } from '../lib/api.js';
import { Confirm, ErrorState } from '../ui/index.js';

interface RemoveDialogProps {
  /** The member to remove; null: closed. */
  member: { name: string; isInvited: boolean } | null;
  remove(): Promise<boolean>;
  isRunning: boolean;
  error: ApiError | null;
  onClose(): void;
}

/** Confirms before a member is removed, or an invitation withdrawn. */
export function RemoveDialog(props: RemoveDialogProps): ReactNode {
  const { member, remove, isRunning, error, onClose } = props;
  const confirm = async (): Promise<void> => {
    if (await remove()) onClose();
  };
  return (
    <Confirm
      title={member?.isInvited ? 'Withdraw the invitation?' : 'Remove the member?'}
      act={member?.isInvited ? 'Withdraw' : 'Remove'}
      isOpen={member !== null}
      isDanger
      isBusy={isRunning}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>
        {member?.isInvited ? 'The link to ' : ''}
        <bdi>{member?.name}</bdi>
        {member?.isInvited ? ' stops working.' : ' loses access at the next request.'}
      </p>
      {error && <ErrorState error={error} />}
    </Confirm>
  );
}
