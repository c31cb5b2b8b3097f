import type { ReactNode } from 'react';
import type { ByName } from '../../../api/partner/call.js';
import type { TEAM_CALLS } from '../../../api/partner/team.js';
import { useCan } from '../lib/session.js';
import { hooksFor } from '../lib/useCalls.js';
import { PARTNER_ROLES, partnerRole, People } from '../people/people.js';
import { Loaded, Page } from '../ui/index.js';

const { useCall, useWrite } = hooksFor<ByName<(typeof TEAM_CALLS)[number]>>();

/** The members of the partner; its admins invite, change and remove them. */
export default function Team(): ReactNode {
  const team = useCall('list_team', {});
  const invite = useWrite('invite_team_member');
  const update = useWrite('update_team_member');
  const remove = useWrite('remove_team_member');
  const mayInvite = useCan('invite_team_member');
  const mayUpdate = useCan('update_team_member');
  const mayRemove = useCan('remove_team_member');
  return (
    <Page title="Team">
      <Loaded of={team}>
        {(members) => (
          <People
            caption="Members of your team"
            roles={PARTNER_ROLES}
            people={members.map(({ is_you, is_invited, name, ...member }) => ({
              ...member,
              name: name === '' ? null : name,
              isYou: is_you,
              isInvited: is_invited,
            }))}
            invite={
              mayInvite
                ? {
                    ...invite,
                    run: ({ email, role }) => invite.run({ email, role: partnerRole(role) }),
                  }
                : undefined
            }
            update={mayUpdate ? update : undefined}
            remove={mayRemove ? remove : undefined}
          />
        )}
      </Loaded>
    </Page>
  );
}
