import type { ReactNode } from 'react';
import { useCan, useSession } from '../../lib/session.js';
import { nameOf, People } from '../../people/people.js';
import { Loaded, Page } from '../../ui/index.js';
import { useCall, useWrite } from '../../lib/useActions.js';
import { SessionsButton } from './sessionsButton.js';

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
              !person.isInvited && <SessionsButton id={person.id} name={nameOf(person)} />
            }
            invite={may ? invite : undefined}
            update={may ? update : undefined}
            remove={may ? remove : undefined}
          />
        )}
      </Loaded>
    </Page>
  );
}
