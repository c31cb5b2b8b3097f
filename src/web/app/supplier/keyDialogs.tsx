/** Dialogs that make, rotate and revoke a key. */
import type { ReactNode } from 'react';
import { useWrite, type OutputOf } from './calls.js';
import { Confirm, Dialog, ErrorState, Field, Form, useToast } from '../ui/index.js';
import { OverlapField, overlapOf } from '../lib/overlapField.js';
import { formText } from '../lib/formText.js';

export type Key = OutputOf<'list_keys'>[number];
export type NewKey = OutputOf<'create_key'>;

interface CreateProps {
  isOpen: boolean;
  onMade(key: NewKey): void;
  onClose(): void;
}

export function CreateKeyDialog({ isOpen, onMade, onClose }: CreateProps): ReactNode {
  const create = useWrite('create_key');
  const close = (): void => {
    create.reset();
    onClose();
  };
  const submit = async (values: FormData): Promise<void> => {
    const made = await create.run({ name: formText(values, 'name') });
    if (made) onMade(made);
  };
  return (
    <Dialog title="Create key" isOpen={isOpen} onClose={close}>
      <Form
        onSubmit={(values) => void submit(values)}
        error={create.error}
        submit="Create"
        isBusy={create.isRunning}
      >
        <Field
          label="Name"
          name="name"
          required
          maxLength={120}
          hint="Of the server that will use it, so that you know later which one to change."
        />
      </Form>
    </Dialog>
  );
}

interface RotateProps {
  /** Null: closed. */
  of: Key | null;
  onMade(key: NewKey): void;
  onClose(): void;
}

export function RotateKeyDialog({ of, onMade, onClose }: RotateProps): ReactNode {
  const rotate = useWrite('rotate_key');
  const close = (): void => {
    rotate.reset();
    onClose();
  };
  const submit = async (values: FormData): Promise<void> => {
    if (!of) return;
    const made = await rotate.run({ key_id: of.id, overlap_hours: overlapOf(values) });
    if (made) onMade(made);
  };
  return (
    <Dialog title={`Rotate ${of?.name ?? ''}`} isOpen={of !== null} onClose={close}>
      <Form
        onSubmit={(values) => void submit(values)}
        error={rotate.error}
        submit="Rotate"
        isBusy={rotate.isRunning}
      >
        <p>A new key is made. The old one stays valid for the hours that you choose.</p>
        <OverlapField label="Hours that the old key stays valid" />
      </Form>
    </Dialog>
  );
}

export function RevokeKeyDialog({ of, onClose }: { of: Key | null; onClose(): void }): ReactNode {
  const revoke = useWrite('revoke_key');
  const toast = useToast();
  const close = (): void => {
    revoke.reset();
    onClose();
  };
  const confirm = async (): Promise<void> => {
    if (!of || !(await revoke.run({ key_id: of.id }))) return;
    toast(`Revoked: ${of.name}`);
    close();
  };
  return (
    <Confirm
      title={`Revoke ${of?.name ?? ''}?`}
      isOpen={of !== null}
      act="Revoke"
      isDanger
      isBusy={revoke.isRunning}
      onConfirm={() => void confirm()}
      onClose={close}
    >
      <p>Posts with this key are refused at once. This cannot be undone.</p>
      {revoke.error && <ErrorState error={revoke.error} />}
    </Confirm>
  );
}
