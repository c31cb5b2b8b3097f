/** What is done to members, one dialog for each act; the address of the page does not say which is open. */
import type { ReactNode } from 'react';
import { formText } from '../../lib/formValues.js';
import { useWrite, type InputOf, type RowOf } from '../../lib/useActions.js';
import { Confirm, Dialog, Field, Form, Select, useToast } from '../../ui/index.js';
import type { Handed } from '../../people/handOver.js';
import { Sessions } from './sessions.js';

export type Member = RowOf<'list_members'>;
type Role = InputOf<'invite_member'>['role'];

export const ROLES: readonly { value: Role; label: string }[] = [
  { value: 'viewer', label: 'Viewer: read-only, without personal data' },
  { value: 'analyst', label: 'Analyst: read-only, with exports' },
  { value: 'operator', label: 'Operator: full access, except settings' },
  { value: 'admin', label: 'Admin: full access' },
];

export type MemberAct = 'role' | 'sessions' | 'password' | 'resend' | 'remove';

interface DialogsProps {
  /** Null: none is open. */
  of: { act: MemberAct; member: Member } | null;
  onClose(): void;
  /** A link was made that no mail takes to the person. */
  onHandOver(handed: Handed): void;
}

export const nameOf = ({ name, email }: Pick<Member, 'name' | 'email'>): string => name ?? email;

export function MemberDialogs({ of, onClose, onHandOver }: DialogsProps): ReactNode {
  const member = of?.member;
  const is = (act: MemberAct): boolean => of?.act === act;
  if (!member) return null;
  const props = { member, onClose };
  return (
    <>
      {is('role') && <RoleDialog {...props} />}
      {is('sessions') && (
        <Dialog title={`Sessions of ${nameOf(member)}`} isOpen onClose={onClose}>
          <Sessions memberId={member.id} />
        </Dialog>
      )}
      {is('password') && <PasswordDialog {...props} onHandOver={onHandOver} />}
      {is('resend') && <ResendDialog {...props} onHandOver={onHandOver} />}
      {is('remove') && <RemoveDialog {...props} />}
    </>
  );
}

interface ActProps {
  member: Member;
  onClose(): void;
}

/** `onDone` gets the invited address, and the link where no mail takes it there. */
export function InviteDialog(props: {
  isOpen: boolean;
  onClose(): void;
  onHandOver(handed: Handed): void;
}): ReactNode {
  const { isOpen, onClose, onHandOver } = props;
  const invite = useWrite('invite_member');
  const toast = useToast();
  const send = async (values: FormData): Promise<void> => {
    const email = formText(values, 'email');
    const made = await invite.run({ email, role: formText(values, 'role') as Role });
    if (!made) return;
    onClose();
    if (made.invite_url === null) toast(`The invitation to ${email} was sent.`);
    else onHandOver({ email, url: made.invite_url, kind: 'invitation' });
  };
  const close = (): void => {
    invite.reset();
    onClose();
  };
  return (
    <Dialog title="Invite a person" isOpen={isOpen} onClose={close}>
      <Form write={invite} submit="Invite" onSubmit={send}>
        <Field label="Email" name="email" type="email" required />
        <Select label="Role" name="role" options={ROLES} />
      </Form>
    </Dialog>
  );
}

function RoleDialog({ member, onClose }: ActProps): ReactNode {
  const update = useWrite('update_member');
  const toast = useToast();
  const send = async (values: FormData): Promise<void> => {
    const role = formText(values, 'role') as Role;
    if (!(await update.run({ member_id: member.id, role }))) return;
    onClose();
    toast('The role was changed.', {
      undo: () => update.run({ member_id: member.id, role: member.role }),
    });
  };
  return (
    <Dialog title="Change the role" isOpen onClose={onClose}>
      <Form write={update} submit="Change" onSubmit={send}>
        <p>
          <bdi>{nameOf(member)}</bdi> must sign in again for the new role to apply.
        </p>
        <Select label="Role" name="role" options={ROLES} defaultValue={member.role} />
      </Form>
    </Dialog>
  );
}

type HandingProps = ActProps & Pick<DialogsProps, 'onHandOver'>;

function PasswordDialog({ member, onClose, onHandOver }: HandingProps): ReactNode {
  const reset = useWrite('reset_member_password');
  const toast = useToast();
  const { email } = member;
  const confirm = async (): Promise<void> => {
    const made = await reset.run({ member_id: member.id });
    if (!made) return;
    onClose();
    if (made.reset_url === null) toast(`A link to a new password was sent to ${email}.`);
    else onHandOver({ email, url: made.reset_url, kind: 'password' });
  };
  return (
    <Confirm
      title="Let the member choose a new password?"
      act="Make a link"
      isOpen
      write={reset}
      onClose={onClose}
      onConfirm={confirm}
    >
      <p>
        <bdi>{nameOf(member)}</bdi> gets a link that works once, within 30 minutes. Using it ends
        every session of the person; two-step sign-in stays on.
      </p>
    </Confirm>
  );
}

function ResendDialog({ member, onClose, onHandOver }: HandingProps): ReactNode {
  const invite = useWrite('invite_member');
  const toast = useToast();
  const { email, role } = member;
  const confirm = async (): Promise<void> => {
    const made = await invite.run({ email, role });
    if (!made) return;
    onClose();
    if (made.invite_url === null) toast(`The invitation to ${email} was sent again.`);
    else onHandOver({ email, url: made.invite_url, kind: 'again' });
  };
  return (
    <Confirm
      title="Resend the invitation?"
      act="Resend"
      isOpen
      write={invite}
      onClose={onClose}
      onConfirm={confirm}
    >
      <p>
        <bdi>{email}</bdi> gets a new link, valid for 7 days. The earlier link stops working.
      </p>
    </Confirm>
  );
}

/** Removes a member, or withdraws an invitation. */
function RemoveDialog({ member, onClose }: ActProps): ReactNode {
  const remove = useWrite('remove_member');
  const toast = useToast();
  const isInvited = member.state === 'invited';
  const confirm = async (): Promise<void> => {
    if (!(await remove.run({ member_id: member.id }))) return;
    onClose();
    toast(isInvited ? 'The invitation was withdrawn.' : 'The member was removed.');
  };
  return (
    <Confirm
      title={isInvited ? 'Withdraw the invitation?' : 'Remove the member?'}
      act={isInvited ? 'Withdraw' : 'Remove'}
      isDanger
      isOpen
      write={remove}
      onClose={onClose}
      onConfirm={confirm}
    >
      <p>
        {isInvited && 'The link to '}
        <bdi>{nameOf(member)}</bdi>
        {isInvited ? ' stops working.' : ' loses access with the next request.'}
      </p>
    </Confirm>
  );
}
