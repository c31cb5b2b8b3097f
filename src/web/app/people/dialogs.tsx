/** The dialogs that invite a person, change a role, and remove a person. */
import { useState, type ReactNode } from 'react';
import { formText } from '../lib/formValues.js';
import type { Write } from '../lib/useCalls.js';
import {
  Button,
  Code,
  Confirm,
  Dialog,
  Field,
  Form,
  FormDialog,
  Select,
  useToast,
  type Option,
} from '../ui/index.js';

/** The roles in a partner's portal. */
export const PARTNER_ROLES = [
  { value: 'viewer', label: 'Viewer: read-only' },
  { value: 'admin', label: 'Admin: full access, including team' },
];

/** The chosen one of `PARTNER_ROLES`. */
export const partnerRole = (role: string): 'admin' | 'viewer' =>
  role === 'admin' ? 'admin' : 'viewer';

/** A call that changes a person of a list. Its role is one of those that the page offers. */
export type Act<I, O> = Pick<Write<I, O>, 'run' | 'isRunning' | 'error' | 'reset'>;

export type Invite = Act<{ email: string; role: string }, { invite_url: string | null }>;

interface InviteDialogProps {
  title: string;
  isOpen: boolean;
  roles: readonly Option[];
  invite: Invite;
  onClose(): void;
}

/** Invites a person; where no mail is sent, the link to hand over is shown this once. */
export function InviteDialog(props: InviteDialogProps): ReactNode {
  const { title, isOpen, roles, invite, onClose } = props;
  const [invited, setInvited] = useState<{ email: string; url: string } | null>(null);
  const toast = useToast();
  const close = (): void => {
    setInvited(null);
    invite.reset();
    onClose();
  };
  const submit = async (values: FormData): Promise<void> => {
    const person = { email: formText(values, 'email'), role: formText(values, 'role') };
    const answer = await invite.run(person);
    if (!answer) return;
    if (answer.invite_url !== null) {
      setInvited({ email: person.email, url: answer.invite_url });
      return;
    }
    toast(`The invitation to ${person.email} was sent.`);
    close();
  };
  return (
    <Dialog title={title} isOpen={isOpen} onClose={close}>
      {invited ? (
        <>
          <p>
            Send this link to <bdi>{invited.email}</bdi>. It works once, within 7 days, and is not
            shown again.
          </p>
          <Code label="Invitation" text={invited.url} />
          <div className="actions">
            <Button kind="primary" onClick={close}>
              Done
            </Button>
          </div>
        </>
      ) : (
        <Form submit="Invite" write={invite} onSubmit={submit}>
          <Field label="Email" name="email" type="email" required />
          <Select label="Role" name="role" options={roles} />
        </Form>
      )}
    </Dialog>
  );
}

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

interface RoleDialogProps {
  /** The member whose role changes; null: closed. */
  member: { id: string; name: string; role: string } | null;
  roles: readonly Option[];
  update: Act<{ member_id: string; role: string }, unknown>;
  onClose(): void;
}

/** Changes the role of a member. */
export function RoleDialog({ member, roles, update, onClose }: RoleDialogProps): ReactNode {
  const submit = async (values: FormData): Promise<void> => {
    const role = formText(values, 'role');
    if ((await update.run({ member_id: member?.id ?? '', role })) !== null) onClose();
  };
  return (
    <FormDialog
      title="Change the role"
      isOpen={member !== null}
      onClose={onClose}
      write={update}
      submit="Change"
      onSubmit={submit}
    >
      <p>
        <bdi>{member?.name}</bdi> must sign in again for the new role to apply.
      </p>
      <Select label="Role" name="role" options={roles} defaultValue={member?.role} />
    </FormDialog>
  );
}
