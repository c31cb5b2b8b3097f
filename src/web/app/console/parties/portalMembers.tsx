import type { ReactNode } from 'react';
import { useCan } from '../../lib/session.js';
import { PARTNER_ROLES, partnerRole, People } from '../../people/people.js';
import { Loaded } from '../../ui/index.js';
import { useCall, useWrite } from '../../lib/useActions.js';
import type { PartyInput } from './types.js';

/** The people of a partner's portal. Its own admins manage them too. */
export function PortalMembers({ party }: { party: PartyInput }): ReactNode {
  const members = useCall('get_portal_members', party);
  const invite = useWrite('add_portal_member');
  const remove = useWrite('remove_portal_member');
  const may = useCan('add_portal_member');
  return (
    <Loaded of={members}>
      {(list) => (
        <People
          caption="People of the portal"
          roles={PARTNER_ROLES}
          people={list.map((member) => ({ ...member, isInvited: member.state === 'invited' }))}
          invite={
            may
              ? {
                  ...invite,
                  run: ({ email, role }) =>
                    invite.run({ ...party, email, role: partnerRole(role) }),
                }
              : undefined
          }
          remove={may ? remove : undefined}
        />
      )}
    </Loaded>
  );
}
