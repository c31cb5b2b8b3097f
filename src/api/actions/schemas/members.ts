/** Members of an organization, and of its partners' portals, on the wire. */
import { z } from 'zod';
import { ORG_ROLES, PARTNER_ROLES, type Member } from '../../../people/types.js';
import { SIDES } from '../../../portal/settingsSchema.js';
import { Instant, namedOnce, orNull } from './common.js';

export const Email = z.email().max(254).describe('The address to invite');
export const memberId = z
  .string()
  .min(1)
  .max(100)
  .describe('The id of the member, or of the invitation');

const member = {
  id: z.string().describe('Id of the membership (mem_…), or of the invitation (inv_…)'),
  state: z.enum(['active', 'invited']).describe('invited: the invitation is not accepted yet'),
  email: z.string().describe('The email address of the person'),
  name: z.string().nullable().describe('The name of the person; null: not accepted yet'),
  since: Instant.describe('When the person was invited, or became a member, in UTC'),
  expires_at: orNull(Instant).describe('When the invitation expires; null: a member'),
};

export const OrgRoleName = z.enum(ORG_ROLES);
export const PartnerRoleName = z.enum(PARTNER_ROLES);

export const MemberView = z.object({
  ...member,
  role: OrgRoleName.describe(
    'admin: everything. operator: everything but settings. analyst: reads all but settings. viewer: reads, without personal data',
  ),
});

export const PartyView = z.object({
  kind: z.enum(SIDES).describe('A buyer or a supplier'),
  ...namedOnce('buyer or supplier').shape,
});

export const PortalMemberView = z.object({
  ...member,
  role: PartnerRoleName.describe('admin: everything that the portal allows. viewer: reads'),
  party: PartyView.omit({ name: true }).describe('Whose portal it is'),
});

export const InviteUrl = orNull(z.string()).describe(
  'The invitation, shown only once, to hand over; null: it was mailed',
);

export const SessionView = z.object({
  id: z.string().describe('Id of the session'),
  created_at: Instant.describe('When the person signed in, in UTC'),
  seen_at: Instant.describe('The last request, to the minute'),
  expires_at: Instant.describe('When it expires'),
  address: z.string().describe('Where the person signed in from'),
  user_agent: z.string().describe('What the browser called itself'),
  device: z.string().describe('The browser by name, such as Firefox on Windows'),
  via: z.enum(['password', 'oidc']).describe('How the person signed in'),
});

/** A member, for every view of one. */
export const memberRow = (member: Member) => ({ ...member, name: member.name || null });
