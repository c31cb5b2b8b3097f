/** A list of people with their roles; where allowed, they are invited, change their role and are removed. */
import { useState, type ReactNode } from 'react';
import { formText } from '../lib/formValues.js';
import type { Write } from '../lib/useCalls.js';
import { HandOver, type Handed } from './handOver.js';
import {
  Badge,
  Confirmed,
  EmptyState,
  Field,
  FormButton,
  Select,
  Table,
  Time,
  useToast,
  Written,
  type Column,
  type Option,
} from '../ui/index.js';

/** The roles in a partner's portal. */
export const PARTNER_ROLES = [
  { value: 'viewer', label: 'Viewer: read-only' },
  { value: 'admin', label: 'Admin: full access, including team' },
];

/** The chosen one of `PARTNER_ROLES`. */
export const partnerRole = (role: string): 'admin' | 'viewer' =>
  role === 'admin' ? 'admin' : 'viewer';

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

/** A call that changes a person of a list. Its role is one of those that the page offers. */
type Act<I, O> = Pick<Write<I, O>, 'run' | 'isRunning' | 'error' | 'reset'>;

interface PeopleProps<P extends Person> {
  caption: string;
  people: readonly P[];
  roles: readonly Option[];
  /** Each is absent where the signed-in person may not do it. */
  invite?: Act<{ email: string; role: string }, { invite_url: string | null }>;
  update?: Act<{ member_id: string; role: string }, unknown>;
  remove?: Act<{ member_id: string }, unknown>;
  /** Further buttons of a person. */
  more?(person: P): ReactNode;
}

export function People<P extends Person>(props: PeopleProps<P>): ReactNode {
  const { caption, people, roles, invite, update, remove, more } = props;
  const buttons: Column<P> = {
    header: 'Actions',
    cell: (person) => (
      <div className="actions">
        {update && !person.isInvited && <RoleButton of={person} roles={roles} update={update} />}
        {more?.(person)}
        {remove && <RemoveButton of={person} remove={remove} />}
      </div>
    ),
  };
  const hasButtons = update !== undefined || remove !== undefined || more !== undefined;
  return (
    <>
      {invite && (
        <div className="actions">
          <InviteButton roles={roles} invite={invite} />
        </div>
      )}
      <Table
        caption={caption}
        rows={people}
        rowKey={({ id }) => id}
        empty={<EmptyState title="No members yet">Invited people appear here.</EmptyState>}
        columns={[...columnsFor<P>(roles), ...(hasButtons ? [buttons] : [])]}
      />
    </>
  );
}

const nameOf = ({ name, email }: Person): string => name ?? email;

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

/** Invites a person; where no mail is sent, the link to hand over is shown this once. */
function InviteButton({
  roles,
  invite,
}: Required<Pick<PeopleProps<Person>, 'roles' | 'invite'>>): ReactNode {
  const [invited, setInvited] = useState<Handed | null>(null);
  const toast = useToast();
  const run = async (values: FormData) => {
    const email = formText(values, 'email');
    const answer = await invite.run({ email, role: formText(values, 'role') });
    return answer && { email, url: answer.invite_url };
  };
  return (
    <>
      <FormButton
        button="Invite a person"
        kind="primary"
        title="Invite a person"
        write={invite}
        submit="Invite"
        run={run}
        onDone={({ email, url }) => {
          if (url === null) toast(`The invitation to ${email} was sent.`);
          else setInvited({ email, url, kind: 'invitation' });
        }}
      >
        <Field label="Email" name="email" type="email" required />
        <Select label="Role" name="role" options={roles} />
      </FormButton>
      <HandOver of={invited} onClose={() => setInvited(null)} />
    </>
  );
}

interface RoleButtonProps extends Required<Pick<PeopleProps<Person>, 'roles' | 'update'>> {
  of: Person;
}

function RoleButton({ of, roles, update }: RoleButtonProps): ReactNode {
  const toast = useToast();
  return (
    <FormButton
      button="Change role"
      label={`Change role of ${nameOf(of)}`}
      kind="quiet"
      title="Change the role"
      write={update}
      submit="Change"
      run={(values) => update.run({ member_id: of.id, role: formText(values, 'role') })}
      onDone={() => toast('The role was changed.')}
    >
      <p>
        <bdi>{nameOf(of)}</bdi> must sign in again for the new role to apply.
      </p>
      <Select label="Role" name="role" options={roles} defaultValue={of.role} />
    </FormButton>
  );
}

interface RemoveButtonProps extends Required<Pick<PeopleProps<Person>, 'remove'>> {
  of: Person;
}

/** Removes a member, or withdraws an invitation. */
const RemoveButton = ({ of, remove }: RemoveButtonProps): ReactNode => (
  <Confirmed
    button="Remove"
    label={`Remove of ${nameOf(of)}`}
    kind="quiet"
    title={of.isInvited ? 'Withdraw the invitation?' : 'Remove the member?'}
    act={of.isInvited ? 'Withdraw' : 'Remove'}
    isDanger
    write={remove}
    run={() => remove.run({ member_id: of.id })}
    describe={() => (of.isInvited ? 'The invitation was withdrawn.' : 'The member was removed.')}
  >
    <p>
      {of.isInvited && 'The link to '}
      <bdi>{nameOf(of)}</bdi>
      {of.isInvited ? ' stops working.' : ' loses access with the next request.'}
    </p>
  </Confirmed>
);
