/** A list of people with their roles, and the acts available for each of them. */
import { useState, type ReactNode } from 'react';
import type { ApiError } from '../lib/api.js';
import {
  Badge,
  Button,
  EmptyState,
  Table,
  Written,
  type Column,
  type Option,
} from '../ui/index.js';
import { InviteDialog } from './inviteDialog.js';
import { RemoveDialog } from './removeDialog.js';
import { RoleDialog } from './roleDialog.js';

export interface Person {
  id: string;
  /** Null: the invitation is not accepted yet. */
  name: string | null;
  email: string;
  role: string;
  isInvited: boolean;
  isYou?: boolean;
}

interface Act<I, O> {
  run(input: I): Promise<O | null>;
  isRunning: boolean;
  error: ApiError | null;
  reset(): void;
}

interface PeopleProps<P extends Person> {
  caption: string;
  people: readonly P[];
  roles: readonly Option[];
  /** Each is absent where the signed-in person may not do it. */
  invite?: Act<{ email: string; role: string }, { invite_url: string | null }> | undefined;
  update?: Act<{ member_id: string; role: string }, unknown> | undefined;
  remove?: Act<{ member_id: string }, unknown> | undefined;
  /** Between role and buttons. */
  columns?: readonly Column<P>[];
  /** Beside the buttons of a person. */
  more?(person: P): ReactNode;
}

export function People<P extends Person>(props: PeopleProps<P>): ReactNode {
  const { caption, people, roles, invite, update, remove, columns = [], more } = props;
  const [isInviting, setIsInviting] = useState(false);
  const [changed, setChanged] = useState<P | null>(null);
  const [removed, setRemoved] = useState<P | null>(null);
  const buttons: Column<P> = {
    key: 'buttons',
    header: 'Actions',
    cell: (person) => (
      <div className="actions">
        {update && !person.isInvited && (
          <Button kind="quiet" onClick={() => setChanged(person)}>
            Change role
            <For person={person} />
          </Button>
        )}
        {more?.(person)}
        {remove && (
          <Button kind="quiet" onClick={() => setRemoved(person)}>
            Remove
            <For person={person} />
          </Button>
        )}
      </div>
    ),
  };
  const hasButtons = update !== undefined || remove !== undefined || more !== undefined;
  return (
    <>
      {invite && (
        <div className="actions">
          <Button kind="primary" onClick={() => setIsInviting(true)}>
            Invite a person
          </Button>
        </div>
      )}
      <Table
        caption={caption}
        rows={people}
        rowKey={({ id }) => id}
        empty={<EmptyState title="No members yet">Invited people appear here.</EmptyState>}
        columns={[...columnsFor<P>(roles), ...columns, ...(hasButtons ? [buttons] : [])]}
      />
      {invite && (
        <InviteDialog
          title="Invite a person"
          isOpen={isInviting}
          roles={roles}
          invite={(person) => invite.run(person)}
          isRunning={invite.isRunning}
          error={invite.error}
          onClose={() => {
            invite.reset();
            setIsInviting(false);
          }}
        />
      )}
      {update && (
        <RoleDialog
          member={changed && { name: nameOf(changed), role: changed.role }}
          roles={roles}
          change={async (role) =>
            (await update.run({ member_id: changed?.id ?? '', role })) !== null
          }
          isRunning={update.isRunning}
          error={update.error}
          onClose={() => {
            update.reset();
            setChanged(null);
          }}
        />
      )}
      {remove && (
        <RemoveDialog
          member={removed && { name: nameOf(removed), isInvited: removed.isInvited }}
          remove={async () => (await remove.run({ member_id: removed?.id ?? '' })) !== null}
          isRunning={remove.isRunning}
          error={remove.error}
          onClose={() => {
            remove.reset();
            setRemoved(null);
          }}
        />
      )}
    </>
  );
}

export const nameOf = ({ name, email }: Person): string => name ?? email;

/** Distinguishes the buttons of a row by the person's name. */
export function For({ person }: { person: Person }): ReactNode {
  return <span className="hidden"> of {nameOf(person)}</span>;
}

const columnsFor = <P extends Person>(roles: readonly Option[]): Column<P>[] => [
  {
    key: 'name',
    header: 'Name',
    cell: ({ name, isInvited, isYou }) => (
      <>
        {name !== null && <Written>{name}</Written>} {isYou === true && <Badge>You</Badge>}
        {isInvited && <Badge tone="info">Invited</Badge>}
      </>
    ),
    sortValue: ({ name }) => name ?? '',
  },
  {
    key: 'email',
    header: 'E-mail',
    cell: ({ email }) => <Written>{email}</Written>,
    sortValue: ({ email }) => email,
  },
  {
    key: 'role',
    header: 'Role',
    cell: ({ role }) => shortLabel(roles, role),
    sortValue: ({ role }) => role,
  },
];

/** The role by its name, without its rights. */
function shortLabel(roles: readonly Option[], role: string): string {
  const label = roles.find(({ value }) => value === role)?.label ?? role;
  return label.split(':', 1)[0] ?? label;
}
