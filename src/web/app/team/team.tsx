import type { ReactNode } from 'react';
import { useCan } from '../lib/session.js';
import { People } from '../people/people.js';
import { Loaded, Page, Time } from '../ui/index.js';
import { useCall, useWrite } from './calls.js';

type Role = 'admin' | 'viewer';

const ROLES = [
  { value: 'viewer', label: 'Viewer: sees everything, changes nothing' },
  { value: 'admin', label: 'Admin: everything, the team too' },
];

/** The members of the partner; its admins invite, change and remove them. */
export default function Team(): ReactNode {
  const team = useCall('list_team', {});
  const invite = useWrite('invite_team_member');
  const update = useWrite('update_team_member');
  const remove = useWrite('remove_team_member');
  const [mayInvite, mayUpdate, mayRemove] = [
    useCan('invite_team_member'),
    useCan('update_team_member'),
    useCan('remove_team_member'),
  ];
  return (
    <Page title="Team">
      <Loaded of={team}>
        {(members) => (
          <People
            caption="Members of your team"
            roles={ROLES}
            people={members.map(({ is_you, is_invited, name, ...member }) => ({
              ...member,
              name: name === '' ? null : name,
              isYou: is_you,
              isInvited: is_invited,
            }))}
            columns={[
              {
                key: 'since',
                header: 'Since',
                cell: ({ since }) => <Time at={since} isDay />,
              },
            ]}
            invite={
              mayInvite ? { ...invite, run: (person) => invite.run(withRole(person)) } : undefined
            }
            update={
              mayUpdate ? { ...update, run: (change) => update.run(withRole(change)) } : undefined
            }
            remove={mayRemove ? remove : undefined}
          />
        )}
      </Loaded>
    </Page>
  );
}

/** The select offers only these two. */
const withRole = <T extends { role: string }>(given: T): T & { role: Role } => ({
  ...given,
  role: given.role === 'admin' ? 'admin' : 'viewer',
});
