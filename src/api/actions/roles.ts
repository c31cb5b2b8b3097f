/** The rights of an organization's roles. */
import { permissionsOf } from '../../account/keys/keys.js';
import type { Permission } from '../../account/store/keyDocs.js';
import type { OrgRole, PartnerRole } from '../../people/types.js';

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
