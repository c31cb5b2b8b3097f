/** What is done to keys, one dialog for each act. */
import type { ReactNode } from 'react';
import { formNumber, formText } from '../../lib/formValues.js';
import { useWrite, type RowOf } from '../../lib/useActions.js';
import { Confirm, Dialog, Field, Form, Select, useToast } from '../../ui/index.js';
import { RightsField, rightsIn } from './keyRights.js';

export type Key = RowOf<'list_api_keys'>;

/** A key that was just made, and the one whose place it takes. */
export interface MadeKey {
  apiKey: string;
  replaces: Key | null;
}

const DAY_MS = 86_400_000;
const EXPIRY = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

interface CreateProps {
  isOpen: boolean;
  onClose(): void;
  onMade(made: MadeKey): void;
}

export function CreateKeyDialog({ isOpen, onClose, onMade }: CreateProps): ReactNode {
  const create = useWrite('create_api_key');
  const close = (): void => {
    create.reset();
    onClose();
  };
  const send = async (values: FormData): Promise<void> => {
    const days = formNumber(values, 'expires_at');
    const made = await create.run({
      name: formText(values, 'name'),
      permissions: rightsIn(values),
      expires_at:
        days === undefined ? undefined : new Date(Date.now() + days * DAY_MS).toISOString(),
    });
    if (!made) return;
    onClose();
    onMade({ apiKey: made.api_key, replaces: null });
  };
  return (
    <Dialog title="Create a key" isOpen={isOpen} onClose={close}>
      <Form write={create} submit="Create the key" onSubmit={send}>
        <Field label="Name" name="name" required hint="What it is for, such as Reporting." />
        <RightsField />
        <Select label="Expires" name="expires_at" options={EXPIRY} />
      </Form>
    </Dialog>
  );
}

interface KeyActProps {
  of: Key;
  onClose(): void;
}

/** Another key with the same rights; the old one works until it is revoked. */
export function RotateDialog({
  of,
  onClose,
  onMade,
}: KeyActProps & Pick<CreateProps, 'onMade'>): ReactNode {
  const create = useWrite('create_api_key');
  const confirm = async (): Promise<void> => {
    const { name, permissions, expires_at } = of;
    const made = await create.run({ name, permissions, expires_at: expires_at ?? undefined });
    if (!made) return;
    onClose();
    onMade({ apiKey: made.api_key, replaces: of });
  };
  return (
    <Confirm
      title="Rotate the key?"
      act="Make a new key"
      isOpen
      write={create}
      onClose={onClose}
      onConfirm={confirm}
    >
      <p>
        A new key is made with the name, the permissions and the end of <bdi>{of.name}</bdi>. The
        old one ({of.prefix}…) works on until you revoke it.
      </p>
    </Confirm>
  );
}

export function RevokeDialog({ of, onClose }: KeyActProps): ReactNode {
  const revoke = useWrite('revoke_api_key');
  const toast = useToast();
  const confirm = async (): Promise<void> => {
    if (!(await revoke.run({ key_id: of.id }))) return;
    onClose();
    toast(`The key ${of.name} was revoked.`);
  };
  return (
    <Confirm
      title="Revoke the key?"
      act="Revoke"
      isDanger
      isOpen
      write={revoke}
      onClose={onClose}
      onConfirm={confirm}
    >
      <p>
        Every program that uses <bdi>{of.name}</bdi> ({of.prefix}…) is refused from now on. This
        cannot be undone.
      </p>
    </Confirm>
  );
}
