/** The rights of roles: those of an organization, and those that a role in a partner's portal comes to. */
import { permissionsOf } from '../../account/keys/keys.js';
import type { Permission } from '../../account/store/keyDocs.js';
import type { OrgRole, PartnerRole, Scope } from '../../people/types.js';

export interface RoleRights {
  permissions: readonly Permission[];
  /** Leads and other data that names people are not shown. */
  seesNoPeople: boolean;
}

const withoutSettings = (permissions: readonly Permission[]): Permission[] =>
  permissions.filter((permission) => !permission.startsWith('settings:'));

const RIGHTS: Readonly<Record<OrgRole, RoleRights>> = {
  admin: { permissions: permissionsOf('write'), seesNoPeople: false },
  operator: { permissions: withoutSettings(permissionsOf('write')), seesNoPeople: false },
  analyst: { permissions: withoutSettings(permissionsOf('read')), seesNoPeople: false },
  viewer: { permissions: withoutSettings(permissionsOf('read')), seesNoPeople: true },
};

/** A role that only partners have gets the fewest rights. */
export const rightsOf = (role: OrgRole | PartnerRole): RoleRights => RIGHTS[role];

/** What the calls of a portal would need as actions: who gives a person access to the portal grants this. */
const IN_PORTAL: Readonly<
  Record<Exclude<Scope['kind'], 'organization'>, Record<PartnerRole, readonly Permission[]>>
> = {
  buyer: { admin: ['leads:write', 'buyers:write'], viewer: ['leads:read', 'buyers:read'] },
  supplier: { admin: ['leads:write', 'suppliers:write'], viewer: ['leads:read', 'suppliers:read'] },
};

/** The permissions that a role gives in its scope. */
export const permissionsGiven = (
  kind: Scope['kind'],
  role: OrgRole | PartnerRole,
): readonly Permission[] =>
  kind === 'organization'
    ? rightsOf(role).permissions
    : IN_PORTAL[kind][role === 'admin' ? 'admin' : 'viewer'];
