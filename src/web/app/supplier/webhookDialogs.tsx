/** Dialogs that change the secret of the webhook, or remove it. */
import type { ReactNode } from 'react';
import { useWrite, type OutputOf } from './calls.js';
import { Confirm, Dialog, ErrorState, Form, useToast } from '../ui/index.js';
import { OverlapField, overlapOf } from '../lib/overlapField.js';

interface RotateProps {
  isOpen: boolean;
  onMade(made: OutputOf<'rotate_webhook_secret'>): void;
  onClose(): void;
}

export function RotateSecret({ isOpen, onMade, onClose }: RotateProps): ReactNode {
  const rotate = useWrite('rotate_webhook_secret');
  const close = (): void => {
    rotate.reset();
    onClose();
  };
  const submit = async (values: FormData): Promise<void> => {
    const made = await rotate.run({ overlap_hours: overlapOf(values) });
    if (made) onMade(made);
  };
  return (
    <Dialog title="Rotate the secret" isOpen={isOpen} onClose={close}>
      <Form
        onSubmit={(values) => void submit(values)}
        error={rotate.error}
        submit="Rotate"
        isBusy={rotate.isRunning}
      >
        <p>Messages are signed with the old and the new secret for the hours that you choose.</p>
        <OverlapField label="Hours that the old secret stays valid" />
      </Form>
    </Dialog>
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
  const close = (): void => {
    remove.reset();
    onClose();
  };
  const confirm = async (): Promise<void> => {
    if (!(await remove.run({}))) return;
    toast('The webhook is removed.');
    close();
  };
  return (
    <Confirm
      title="Remove the webhook?"
      isOpen={isOpen}
      act="Remove"
      isDanger
      isBusy={remove.isRunning}
      onConfirm={() => void confirm()}
      onClose={close}
    >
      <p>Its messages that wait are not sent, and its secret ends. This cannot be undone.</p>
      {remove.error && <ErrorState error={remove.error} />}
    </Confirm>
  );
}
