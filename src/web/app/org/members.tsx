import { useState, type ReactNode } from 'react';
import { useCan, useSession } from '../lib/session.js';
import { For, nameOf, People, type Person } from '../people/people.js';
import { Button, Loaded, Page, Time } from '../ui/index.js';
import { useCall, useWrite } from './calls.js';
import { SessionsDialog } from './sessionsDialog.js';

const ROLES = [
  { value: 'viewer', label: 'Viewer: reads, without personal data' },
  { value: 'analyst', label: 'Analyst: reads and exports' },
  { value: 'operator', label: 'Operator: everything but settings' },
  { value: 'admin', label: 'Admin: everything' },
];
type Role = 'admin' | 'operator' | 'analyst' | 'viewer';

/** The members of the organization, their roles, and where they are signed in. */
export default function Members(): ReactNode {
  const { email } = useSession().me.person;
  const members = useCall('list_members', {});
  const invite = useWrite('invite_member');
  const update = useWrite('update_member');
  const remove = useWrite('remove_member');
  const may = useCan('update_member');
  const [shown, setShown] = useState<Person | null>(null);
  return (
    <Page
      title="Members"
      intro="The people of the organization itself; partners' people are with each partner."
    >
      <Loaded of={members}>
        {(list) => (
          <People
            caption="Members of the organization"
            roles={ROLES}
            people={list.map((member) => ({
              ...member,
              isInvited: member.state === 'invited',
              isYou: member.email === email,
            }))}
            columns={[
              { key: 'since', header: 'Since', cell: ({ since }) => <Time at={since} isDay /> },
            ]}
            more={(person) =>
              !person.isInvited && (
                <Button kind="quiet" onClick={() => setShown(person)}>
                  Sessions
                  <For person={person} />
                </Button>
              )
            }
            invite={may ? { ...invite, run: (given) => invite.run(withRole(given)) } : undefined}
            update={may ? { ...update, run: (given) => update.run(withRole(given)) } : undefined}
            remove={may ? remove : undefined}
          />
        )}
      </Loaded>
      <SessionsDialog
        member={shown && { id: shown.id, name: nameOf(shown) }}
        onClose={() => setShown(null)}
      />
    </Page>
  );
}

/** The select offers only these four. */
const withRole = <T extends { role: string }>(given: T): T & { role: Role } => ({
  ...given,
  role: given.role as Role,
});
