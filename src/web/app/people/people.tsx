/** A list of people with their roles, and the acts available for each of them. */
import { useState, type ReactNode } from 'react';
import {
  Badge,
  Button,
  EmptyState,
  Table,
  Time,
  Written,
  type Column,
  type Option,
} from '../ui/index.js';
import { InviteDialog, RemoveDialog, RoleDialog, type Act, type Invite } from './dialogs.js';

export interface Person {
  id: string;
  /** Null: the invitation is not accepted yet. */
  name: string | null;
  email: string;
  role: string;
  since: string | null;
  isInvited: boolean;
  isYou?: boolean;
}

interface PeopleProps<P extends Person> {
  caption: string;
  people: readonly P[];
  roles: readonly Option[];
  /** Each is absent where the signed-in person may not do it. */
  invite?: Invite;
  update?: Act<{ member_id: string; role: string }, unknown>;
  remove?: Act<{ member_id: string }, unknown>;
  /** Further buttons of a person. */
  more?(person: P): ReactNode;
}

export function People<P extends Person>(props: PeopleProps<P>): ReactNode {
  const { caption, people, roles, invite, update, remove, more } = props;
  const [isInviting, setIsInviting] = useState(false);
  const [changed, setChanged] = useState<P | null>(null);
  const [removed, setRemoved] = useState<P | null>(null);
  const buttons: Column<P> = {
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
        columns={[...columnsFor<P>(roles), ...(hasButtons ? [buttons] : [])]}
      />
      {invite && (
        <InviteDialog
          title="Invite a person"
          isOpen={isInviting}
          roles={roles}
          invite={invite}
          onClose={() => setIsInviting(false)}
        />
      )}
      {update && (
        <RoleDialog
          member={changed && { ...changed, name: nameOf(changed) }}
          roles={roles}
          update={update}
          onClose={() => setChanged(null)}
        />
      )}
      {remove && (
        <RemoveDialog
          member={removed && { ...removed, name: nameOf(removed) }}
          remove={remove}
          onClose={() => setRemoved(null)}
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
    header: 'Email',
    cell: ({ email }) => <Written>{email}</Written>,
    sortValue: ({ email }) => email,
  },
  { header: 'Role', cell: ({ role }) => shortLabel(roles, role), sortValue: ({ role }) => role },
  { header: 'Since', cell: ({ since }) => <Time at={since} isDay /> },
];

/** The role by its name, without its rights. */
function shortLabel(roles: readonly Option[], role: string): string {
  const label = roles.find(({ value }) => value === role)?.label ?? role;
  return label.split(':', 1)[0] ?? label;
}
