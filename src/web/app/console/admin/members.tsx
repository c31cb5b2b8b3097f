import { Ellipsis, KeyRound, Mail, Monitor, Shield, Trash2, UserPlus } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useFilters } from '../../lib/route.js';
import { useCan, useSession } from '../../lib/session.js';
import { useCall } from '../../lib/useActions.js';
import {
  Badge,
  Button,
  Chip,
  EmptyState,
  IconButton,
  Loaded,
  Menu,
  Page,
  Table,
  Time,
  Written,
  type MenuItem,
} from '../../ui/index.js';
import './admin.css';
import { HandOver, type Handed } from '../../people/handOver.js';
import {
  InviteDialog,
  MemberDialogs,
  nameOf,
  ROLES,
  type Member,
  type MemberAct,
} from './memberDialogs.js';

/** The members of the organization, their roles, and where they are signed in. */
export default function Members(): ReactNode {
  const { email } = useSession().me.person;
  const members = useCall('list_members', {});
  const mayInvite = useCan('invite_member');
  const itemsOf = useMemberItems();
  const [filters, change] = useFilters(['invite']);
  const [act, setAct] = useState<{ act: MemberAct; member: Member } | null>(null);
  const [handed, setHanded] = useState<Handed | null>(null);
  return (
    <Page
      title="Members"
      how={{ action: 'list_members' }}
      intro="The people of your organization. People of partners are on each buyer's and supplier's page."
      actions={
        mayInvite && (
          <Button kind="primary" onClick={() => change({ invite: '1' })}>
            <UserPlus size={16} aria-hidden /> Invite a person
          </Button>
        )
      }
    >
      <Loaded of={members}>
        {(list) => (
          <Table
            caption="Members of the organization"
            rows={list}
            rowKey={({ id }) => id}
            empty={<EmptyState title="No members yet">Invited people appear here.</EmptyState>}
            columns={[
              {
                header: 'Person',
                cell: (member) => <PersonCell member={member} isYou={member.email === email} />,
                sortValue: (member) => nameOf(member),
              },
              {
                header: 'Role',
                cell: ({ role }) => roleName(role),
                sortValue: ({ role }) => ROLES.findIndex(({ value }) => value === role),
              },
              {
                header: 'Since',
                cell: ({ since }) => <Time at={since} isRelative />,
                sortValue: ({ since }) => since,
              },
              {
                header: 'Actions',
                cell: (member) => (
                  <Menu
                    trigger={<IconButton icon={Ellipsis} label={`Actions for ${nameOf(member)}`} />}
                    items={itemsOf(member, (chosen) => setAct({ act: chosen, member }))}
                  />
                ),
              },
            ]}
          />
        )}
      </Loaded>
      <InviteDialog
        isOpen={mayInvite && filters.invite !== undefined}
        onClose={() => change({ invite: '' })}
        onHandOver={setHanded}
      />
      <MemberDialogs of={act} onClose={() => setAct(null)} onHandOver={setHanded} />
      <HandOver of={handed} onClose={() => setHanded(null)} />
    </Page>
  );
}

const roleName = (role: string): string =>
  ROLES.find(({ value }) => value === role)?.label.split(':', 1)[0] ?? role;

function PersonCell({ member, isYou }: { member: Member; isYou: boolean }): ReactNode {
  const { name, email, state, expires_at } = member;
  return (
    <div className="admin-person">
      <div>
        <Written>{name ?? email}</Written> {isYou && <Badge>You</Badge>}
        {state === 'invited' && <Chip tone="info">Invited</Chip>}
      </div>
      {name !== null && <bdi className="muted">{email}</bdi>}
      {expires_at !== null && (
        <span className="muted">
          The link ends <Time at={expires_at} isRelative />
        </span>
      )}
    </div>
  );
}

/** What the signed-in person may do to a member. */
function useMemberItems() {
  const mayUpdate = useCan('update_member');
  const mayReset = useCan('reset_member_password');
  const mayInvite = useCan('invite_member');
  const mayRemove = useCan('remove_member');
  const maySee = useCan('list_sessions');
  return (member: Member, choose: (act: MemberAct) => void): MenuItem[] => {
    const isInvited = member.state === 'invited';
    const item = (
      act: MemberAct,
      isShown: boolean,
      of: Pick<MenuItem, 'label' | 'icon' | 'isDanger'>,
    ): MenuItem[] => (isShown ? [{ ...of, run: () => choose(act) }] : []);
    return [
      ...item('role', mayUpdate && !isInvited, { label: 'Change role…', icon: Shield }),
      ...item('sessions', maySee && !isInvited, { label: 'Sessions…', icon: Monitor }),
      ...item('password', mayReset && !isInvited, { label: 'Reset password…', icon: KeyRound }),
      ...item('resend', mayInvite && isInvited, { label: 'Resend invitation…', icon: Mail }),
      ...item('remove', mayRemove, {
        label: isInvited ? 'Withdraw invitation…' : 'Remove…',
        icon: Trash2,
        isDanger: true,
      }),
    ];
  };
}
