/** The people of buyers and suppliers, who use the portals. */
import { z } from 'zod';
import { AppError } from '../../../lib/errors.js';
import type { Member } from '../../../people/types.js';
import { requireParty } from '../../../portal/configure.js';
import { partyOf, readSettings, type Party } from '../../../portal/settings.js';
import { defineAction, type ActionContext } from '../action.js';
import { ACCESS, PEOPLE } from '../exits.js';
import { inviterOf, refuseConflict, grantedBy } from '../members.js';
import { partyGiven, partyInput, requiredParty, scopeOf } from '../portalInput.js';
import {
  Email,
  InviteUrl,
  memberId,
  memberRow,
  PartnerRoleName,
  PortalMemberView,
} from '../schemas/members.js';

const EXAMPLE_BUYER = '8a4e5d0c-2f4b-4a35-8f0e-0d6f3ad1c2b7';
const EXAMPLE_MEMBER = 'mem_3f9a60c17a3d4a539a510f2b';

/** Of each action that lets people into a portal. */
export const RIGHTS_GIVEN =
  "A caller cannot give a role with a permission that it lacks itself: a buyer's admin has leads:write and " +
  "buyers:write, a supplier's leads:write and suppliers:write, and a viewer read where an admin has write.";

function portalMember(member: Member): z.input<typeof PortalMemberView>[] {
  const party = partyOf(member.scope);
  const { role } = member;
  if (!party || (role !== 'admin' && role !== 'viewer')) return [];
  return [{ ...memberRow(member), role, party: { kind: party.side, id: party.party_id } }];
}

export const getPortalMembers = defineAction({
  name: 'get_portal_members',
  cli: ['portal', 'members'],
  summary: "List the people of a partner's portal",
  description:
    "People of one buyer's or supplier's portal, or of all portals: members, and invitations that are not accepted yet.",
  permission: 'portal:read',
  letsOut: [PEOPLE],
  input: z.strictObject(partyInput),
  example: { buyer_id: EXAMPLE_BUYER },
  output: z.array(PortalMemberView),
  async run(input, { collections, members, caller }) {
    const party = partyGiven(input);
    if (party) await requireParty(collections, caller.org_id, party);
    const found = await members.list(caller.org_id, party && scopeOf(party));
    return found.flatMap(portalMember);
  },
});

export const addPortalMember = defineAction({
  name: 'add_portal_member',
  cli: ['portal', 'add-member'],
  summary: "Invite a person to a partner's portal",
  description:
    "Invites a person to the portal of one buyer or supplier. The person sees that partner's own leads and figures " +
    'alone, and is no member of the organization. The invitation is mailed where this installation sends mail; ' +
    'elsewhere invite_url is the link to hand over. The portal must be enabled before the person can use it. ' +
    RIGHTS_GIVEN,
  permission: 'portal:write',
  gives: ({ role, ...input }) => grantedBy(requiredParty(input).side, role),
  letsOut: [ACCESS],
  input: z.strictObject({ ...partyInput, email: Email, role: PartnerRoleName.default('admin') }),
  example: { buyer_id: EXAMPLE_BUYER, email: 'ada@example.com' },
  output: z.object({
    member: PortalMemberView.describe('Who is invited'),
    invite_url: InviteUrl,
    is_enabled: z.boolean().describe('Whether the portal is open; if not, enable it'),
  }),
  run: ({ email, role, ...input }, context) =>
    invitePartner(requiredParty(input), { email, role }, context),
});

/** @throws {AppError} `not_found`, `action_refused` when the person is a member already */
export async function invitePartner(
  party: Party,
  person: { email: string; role: 'admin' | 'viewer' },
  { collections, members, caller }: ActionContext,
) {
  const { org_id } = caller;
  await requireParty(collections, org_id, party);
  const invitation = { ...person, org_id, scope: scopeOf(party), by: inviterOf(caller) };
  const { member, invite_url } = await refuseConflict(members.invite(invitation));
  const [view] = portalMember(member);
  if (!view) throw new Error('An invitation to a portal is not of one');
  const { is_enabled } = await readSettings(collections, org_id, party);
  return { member: view, invite_url, is_enabled };
}

export const removePortalMember = defineAction({
  name: 'remove_portal_member',
  cli: ['portal', 'remove-member'],
  summary: "Remove a person from a partner's portal",
  description:
    'Removes a member, who loses access at the next request, or withdraws an invitation. Naming the buyer or ' +
    'supplier is optional.',
  effect: 'destroy',
  idempotent: true,
  permission: 'portal:write',
  letsOut: [ACCESS],
  input: z.strictObject({ member_id: memberId, ...partyInput }),
  example: { member_id: EXAMPLE_MEMBER },
  output: PortalMemberView,
  async run({ member_id, ...input }, context) {
    const { members, caller } = context;
    const party = partyGiven(input) ?? (await partyOfMember(member_id, context));
    const removed = members.remove(caller.org_id, member_id, scopeOf(party));
    const [view] = portalMember(await refuseConflict(removed));
    if (!view) throw noSuchMember(member_id);
    return view;
  },
});

/** Members of the organization itself are not members of a portal. */
async function partyOfMember(memberId: string, { members, caller }: ActionContext): Promise<Party> {
  const found = (await members.list(caller.org_id)).find(({ id }) => id === memberId);
  const party = found ? partyOf(found.scope) : null;
  if (!party) throw noSuchMember(memberId);
  return party;
}

const noSuchMember = (memberId: string): AppError =>
  new AppError('not_found', `No portal has a member ${memberId}.`);
