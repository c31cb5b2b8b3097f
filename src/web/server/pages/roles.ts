/** Roles in words. */
import type { OrgRole, PartnerRole } from '../../../people/types.js';

const NAMES: Record<OrgRole | PartnerRole, string> = {
  admin: 'administrator',
  operator: 'operator',
  analyst: 'analyst',
  viewer: 'viewer',
};

/** Such as `administrator`. */
export const roleName = ({ role }: { role: OrgRole | PartnerRole }): string => NAMES[role];

/** With its article, for the inside of a sentence. */
export function roleWithArticle(given: { role: OrgRole | PartnerRole }): string {
  const name = roleName(given);
  return /^[aeio]/.test(name) ? `an ${name}` : `a ${name}`;
}
