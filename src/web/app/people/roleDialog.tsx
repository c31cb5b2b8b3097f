import type { ReactNode } from 'react';
import type { ApiError } from '../lib/api.js';
import { formText } from '../lib/formText.js';
import { Dialog, Form, Select, type Option } from '../ui/index.js';

interface RoleDialogProps {
  /** The member whose role changes; null: closed. */
  member: { name: string; role: string } | null;
  roles: readonly Option[];
  change(role: string): Promise<boolean>;
  isRunning: boolean;
  error: ApiError | null;
  onClose(): void;
}

/** Gives a member another role. */
export function RoleDialog(props: RoleDialogProps): ReactNode {
  const { member, roles, change, isRunning, error, onClose } = props;
  const submit = async (values: FormData): Promise<void> => {
    if (await change(formText(values, 'role'))) onClose();
  };
  return (
    <Dialog title="Change the role" isOpen={member !== null} onClose={onClose}>
      <p>
        <bdi>{member?.name}</bdi> signs in again to act by another role.
      </p>
      <Form
        submit="Change"
        isBusy={isRunning}
        error={error}
        onSubmit={(values) => void submit(values)}
      >
        <Select label="Role" name="role" options={roles} defaultValue={member?.role} />
      </Form>
    </Dialog>
  );
}
