/** Roles in sentences. */
import type { OrgRole, PartnerRole } from '../../../people/types.js';

/** With its article, for the inside of a sentence. */
export const roleWithArticle = ({ role }: { role: OrgRole | PartnerRole }): string =>
  /^[aeio]/.test(role) ? `an ${role}` : `a ${role}`;
