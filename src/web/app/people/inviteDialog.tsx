import { useState, type ReactNode } from 'react';
import { formText } from '../lib/formValues.js';
import type { Invite } from './act.js';
import { Button, Code, Dialog, Field, Form, Select, useToast, type Option } from '../ui/index.js';

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
