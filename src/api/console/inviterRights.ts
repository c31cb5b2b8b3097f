/** Whether the sender of an invitation may still invite: an invitation grants no more than its sender may. */
import { findOrgKey, isLive } from '../../account/keys/keys.js';
import type { Permission } from '../../account/store/keyDocs.js';
import type { AccountCollections } from '../../account/store/collections.js';
import type { PeopleCollections } from '../../people/store/collections.js';
import type { Clock } from '../../lib/clock.js';
import { nullIfGone } from '../../lib/errors.js';
import type { InviterRights } from '../../people/deps.js';
import { scopeKey } from '../../people/scopes.js';
import type { OrgRole, PartnerRole, Scope } from '../../people/types.js';
import { findMissing } from '../actions/access.js';
import { permissionsGiven, rightsOf } from '../actions/roles.js';

interface RightsDeps {
  collections: Pick<AccountCollections, 'apiKeys'> & Pick<PeopleCollections, 'memberships'>;
  clock: Pick<Clock, 'now'>;
}

/** What `invite_member` and `add_portal_member` need: the sender of an invitation has the rights of its role, too. */
const neededFor = ({ kind }: Scope, role: OrgRole | PartnerRole): readonly Permission[] => [
  kind === 'organization' ? 'settings:write' : 'portal:write',
  ...permissionsGiven(kind, role),
];

export const createInviterRights =
  ({ collections, clock }: RightsDeps): InviterRights =>
  async ({ org_id, scope, role, by }) => {
    const needed = neededFor(scope, role);
    // An operator has the database itself.
    if (by.kind === 'operator') return true;
    if (by.id === undefined) return false;
    if (by.kind === 'key') {
      const key = await findOrgKey({ collections, orgId: org_id }, by.id).catch(nullIfGone);
      return key !== null && isLive(key, clock.now()) && !findMissing(key.permissions, needed);
    }
    const places = collections.memberships.find({
      person_id: by.id,
      org_id,
      scope_key: { $in: ['organization', scopeKey(scope)] },
    });
    const found = await places.toArray();
    return found.some((place) =>
      place.scope.kind === 'organization'
        ? !findMissing(rightsOf(place.role).permissions, needed)
        : place.role === 'admin',
    );
  };
