/** Dialogs that make, rotate and revoke a key. */
import type { ReactNode } from 'react';
import { useWrite, type OutputOf } from './calls.js';
import { Confirm, Field, FormDialog, useToast } from '../ui/index.js';
import { OverlapField, overlapOf } from '../lib/rotation.js';
import { formText } from '../lib/formValues.js';

export type Key = OutputOf<'list_keys'>[number];
export type NewKey = OutputOf<'create_key'>;

interface CreateProps {
  isOpen: boolean;
  onMade(key: NewKey): void;
  onClose(): void;
}

export function CreateKeyDialog({ isOpen, onMade, onClose }: CreateProps): ReactNode {
  const create = useWrite('create_key');
  const submit = async (values: FormData): Promise<void> => {
    const made = await create.run({ name: formText(values, 'name') });
    if (made) onMade(made);
  };
  return (
    <FormDialog
      title="Create key"
      isOpen={isOpen}
      onClose={onClose}
      write={create}
      submit="Create"
      onSubmit={submit}
    >
      <Field
        label="Name"
        name="name"
        required
        maxLength={120}
        hint="Such as the server that uses it."
      />
    </FormDialog>
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
  const submit = async (values: FormData): Promise<void> => {
    if (!of) return;
    const made = await rotate.run({ key_id: of.id, overlap_hours: overlapOf(values) });
    if (made) onMade(made);
  };
  return (
    <FormDialog
      title={`Rotate ${of?.name ?? ''}`}
      isOpen={of !== null}
      onClose={onClose}
      write={rotate}
      submit="Rotate"
      onSubmit={submit}
    >
      <p>Creates a new key. The old one stays valid for the hours you choose.</p>
      <OverlapField label="Hours that the old key stays valid" />
    </FormDialog>
  );
}

export function RevokeKeyDialog({ of, onClose }: { of: Key | null; onClose(): void }): ReactNode {
  const revoke = useWrite('revoke_key');
  const toast = useToast();
  const confirm = async (): Promise<void> => {
    if (!of || !(await revoke.run({ key_id: of.id }))) return;
    toast(`Revoked: ${of.name}`);
    onClose();
  };
  return (
    <Confirm
      title={`Revoke ${of?.name ?? ''}?`}
      isOpen={of !== null}
      act="Revoke"
      isDanger
      write={revoke}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>Posts with this key are refused at once. This cannot be undone.</p>
    </Confirm>
  );
}
