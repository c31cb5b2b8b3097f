/** Dialogs that change the secret of the webhook, or remove it. */
import type { ReactNode } from 'react';
import { useWrite, type OutputOf } from './calls.js';
import { Confirm, FormDialog, useToast } from '../ui/index.js';
import { OverlapField, overlapOf } from '../lib/rotation.js';

interface RotateProps {
  isOpen: boolean;
  onMade(made: OutputOf<'rotate_webhook_secret'>): void;
  onClose(): void;
}

export function RotateSecret({ isOpen, onMade, onClose }: RotateProps): ReactNode {
  const rotate = useWrite('rotate_webhook_secret');
  const submit = async (values: FormData): Promise<void> => {
    const made = await rotate.run({ overlap_hours: overlapOf(values) });
    if (made) onMade(made);
  };
  return (
    <FormDialog
      title="Rotate the secret"
      isOpen={isOpen}
      onClose={onClose}
      write={rotate}
      submit="Rotate"
      onSubmit={submit}
    >
      <p>Events are signed with both the old and the new secret for the hours you choose.</p>
      <OverlapField label="Hours that the old secret stays valid" />
    </FormDialog>
  );
}

export function RemoveWebhook({
  isOpen,
  onClose,
}: {
  isOpen: boolean;
  onClose(): void;
}): ReactNode {
  const remove = useWrite('remove_webhook');
  const toast = useToast();
  const confirm = async (): Promise<void> => {
    if (!(await remove.run({}))) return;
    toast('The webhook was removed.');
    onClose();
  };
  return (
    <Confirm
      title="Remove the webhook?"
      isOpen={isOpen}
      act="Remove"
      isDanger
      write={remove}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>Queued events are not sent, and the secret stops working. This cannot be undone.</p>
    </Confirm>
  );
}
