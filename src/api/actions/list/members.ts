/** The members of the organization, their roles, and where they are signed in. */
import { z } from 'zod';
import type { Scope } from '../../../people/types.js';
import { defineAction } from '../action.js';
import { ACCESS, PEOPLE } from '../exits.js';
import { inviterOf, refuseConflict, grantedBy } from '../members.js';
import { orNull } from '../schemas/common.js';
import {
  Email,
  InviteUrl,
  memberId,
  memberRow,
  MemberView,
  OrgRoleName,
  SessionView,
} from '../schemas/members.js';

const OF_ORGANIZATION: Scope = { kind: 'organization' };
const EXAMPLE_MEMBER = 'mem_3f9a60c17a3d4a539a510f2b';
const EXAMPLE_SESSION = 'ses_8a4e5d0c2f4b4a358f0e0d6f';

export const listMembers = defineAction({
  name: 'list_members',
  cli: ['members', 'list'],
  summary: 'List the people of the organization',
  description:
    'Members with their roles, and invitations that are not accepted yet. People of buyers and suppliers are listed by ' +
    'get_portal_members.',
  permission: 'settings:read',
  letsOut: [PEOPLE],
  input: z.strictObject({}),
  example: {},
  output: z.array(MemberView),
  run: async (_input, { members, caller }) =>
    (await members.list(caller.org_id, OF_ORGANIZATION)).map(memberRow),
});

export const inviteMember = defineAction({
  name: 'invite_member',
  cli: ['members', 'invite'],
  summary: 'Invite a person to the organization',
  description:
    'The invitation is valid once, for 7 days. It is mailed where this installation sends mail; elsewhere invite_url ' +
    'is the link to hand over. Opening the link does not use it up: the person accepts on the page. A caller cannot ' +
    'give a role with a permission that it lacks itself.',
  permission: 'settings:write',
  guards: 'operator_command',
  gives: ({ role }) => grantedBy('organization', role),
  letsOut: [ACCESS],
  input: z.strictObject({ email: Email, role: OrgRoleName }),
  example: { email: 'ada@example.com', role: 'operator' },
  output: z.object({ member: MemberView.describe('Who is invited'), invite_url: InviteUrl }),
  async run(input, { members, caller }) {
    const invitation = {
      ...input,
      org_id: caller.org_id,
      scope: OF_ORGANIZATION,
      by: inviterOf(caller),
    };
    const { member, invite_url } = await refuseConflict(members.invite(invitation));
    return { member: memberRow(member), invite_url };
  },
});

export const updateMember = defineAction({
  name: 'update_member',
  cli: ['members', 'update'],
  summary: 'Change the role of a member',
  description:
    'The person must sign in again to act by the new role. The last admin of the organization keeps that role. A caller ' +
    'cannot give a role with a permission that it lacks itself.',
  idempotent: true,
  permission: 'settings:write',
  guards: 'operator_command',
  gives: ({ role }) => grantedBy('organization', role),
  letsOut: [ACCESS],
  input: z.strictObject({ member_id: memberId, role: OrgRoleName }),
  example: { member_id: EXAMPLE_MEMBER, role: 'analyst' },
  output: MemberView,
  async run({ member_id, role }, { members, caller }) {
    const by = inviterOf(caller);
    const change = members.update(caller.org_id, member_id, { role, by }, OF_ORGANIZATION);
    return memberRow(await refuseConflict(change));
  },
});

export const removeMember = defineAction({
  name: 'remove_member',
  cli: ['members', 'remove'],
  summary: 'Remove a member, or withdraw an invitation',
  description:
    'The person loses access at the next request. The last admin of the organization cannot be removed.',
  effect: 'destroy',
  idempotent: true,
  permission: 'settings:write',
  guards: 'operator_command',
  letsOut: [ACCESS],
  input: z.strictObject({ member_id: memberId }),
  example: { member_id: EXAMPLE_MEMBER },
  output: MemberView,
  run: async ({ member_id }, { members, caller }) =>
    memberRow(await refuseConflict(members.remove(caller.org_id, member_id, OF_ORGANIZATION))),
});

/** Whoever has the link can act as the member, who may be an admin. */
export const resetMemberPassword = defineAction({
  name: 'reset_member_password',
  cli: ['members', 'reset-password'],
  summary: 'Let a member choose a new password',
  description:
    'A link that works once, for 30 minutes, and ends all sessions of the person; a second factor stays. It is mailed ' +
    'where this installation sends mail; elsewhere reset_url is the link to hand over, unless the person belongs to ' +
    'another organization. Members of portals too. Only callers with every permission.',
  permission: 'settings:write',
  guards: 'operator_command',
  gives: () => grantedBy('organization', 'admin'),
  letsOut: [ACCESS],
  input: z.strictObject({ member_id: memberId }),
  example: { member_id: EXAMPLE_MEMBER },
  output: z.object({
    reset_url: orNull(z.string()).describe(
      'The link, shown only once, to hand over; null: it was mailed',
    ),
  }),
  run: async ({ member_id }, { members, caller }) => ({
    reset_url: await refuseConflict(members.resetPassword(caller.org_id, member_id)),
  }),
});

export const listSessions = defineAction({
  name: 'list_sessions',
  cli: ['members', 'sessions'],
  summary: 'List where a member is signed in',
  description: 'The sessions that may act for the organization by this membership, newest first.',
  permission: 'settings:read',
  letsOut: [PEOPLE],
  input: z.strictObject({ member_id: memberId }),
  example: { member_id: EXAMPLE_MEMBER },
  output: z.array(SessionView),
  run: ({ member_id }, { members, caller }) =>
    members.sessions(caller.org_id, member_id, OF_ORGANIZATION),
});

export const revokeSession = defineAction({
  name: 'revoke_session',
  cli: ['members', 'revoke-session'],
  summary: 'End a session of a member',
  description:
    'The session no longer acts for the organization, from its next request on. What else the person belongs to stays ' +
    'open to it.',
  effect: 'destroy',
  idempotent: true,
  permission: 'settings:write',
  letsOut: [ACCESS],
  input: z.strictObject({
    member_id: memberId,
    session_id: z.string().min(1).max(100).describe('The id of the session'),
  }),
  example: { member_id: EXAMPLE_MEMBER, session_id: EXAMPLE_SESSION },
  output: z.object({ id: z.string().describe('Id of the session') }),
  async run({ member_id, session_id }, { members, caller }) {
    await members.revokeSession(caller.org_id, member_id, session_id, OF_ORGANIZATION);
    return { id: session_id };
  },
});
