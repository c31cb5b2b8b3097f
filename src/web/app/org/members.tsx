import { useState, type ReactNode } from 'react';
import { useCan, useSession } from '../lib/session.js';
import { For, nameOf, People, type Person } from '../people/people.js';
import { Button, Loaded, Page } from '../ui/index.js';
import { useCall, useWrite } from './calls.js';
import { SessionsDialog } from './sessionsDialog.js';

const ROLES = [
  { value: 'viewer', label: 'Viewer: read-only, without personal data' },
  { value: 'analyst', label: 'Analyst: read-only, with exports' },
  { value: 'operator', label: 'Operator: full access, except settings' },
  { value: 'admin', label: 'Admin: full access' },
];

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
      intro="The people of your organization. Partners' people are listed with each partner."
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
            more={(person) =>
              !person.isInvited && (
                <Button kind="quiet" onClick={() => setShown(person)}>
                  Sessions
                  <For person={person} />
                </Button>
              )
            }
            invite={may ? invite : undefined}
            update={may ? update : undefined}
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
