import type { ReactNode } from 'react';
import { formText } from '../lib/formValues.js';
import { FormDialog, Select, type Option } from '../ui/index.js';
import type { Act } from './act.js';

interface RoleDialogProps {
  /** The member whose role changes; null: closed. */
  member: { id: string; name: string; role: string } | null;
  roles: readonly Option[];
  update: Act<{ member_id: string; role: string }, unknown>;
  onClose(): void;
}

/** Gives a member another role. */
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
