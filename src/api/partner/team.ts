/** The team of a partner: the people who may open its portal, managed by its own admins. */
import { z } from 'zod';
import { AppError } from '../../lib/errors.js';
import type { Inviter, Member, Scope } from '../../people/types.js';
import { ACCESS, PEOPLE } from '../actions/exits.js';
import { definePartnerCall, type PartnerContext } from './call.js';
import { inputRefused } from './refusals.js';
import { PartnerRoleName, NoInput, Done } from './schemas/shared.js';
import { Instant } from '../actions/schemas/common.js';

const TeamMember = z.object({
  /** Of the membership. */
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: PartnerRoleName,
  is_you: z.boolean(),
  /** An invitation that is not accepted yet. */
  is_invited: z.boolean(),
  since: Instant,
});

const member_id = z.string().min(1).max(100);

const scopeOf = ({ membership }: PartnerContext): Scope => membership.scope;

const inviterOf = ({ signedIn: { person } }: PartnerContext): Inviter => ({
  kind: 'person',
  id: person.id,
  name: person.name,
});

const listTeam = definePartnerCall({
  name: 'list_team',
  effect: 'read',
  letsOut: [PEOPLE],
  input: NoInput,
  output: z.array(TeamMember),
  async run(_input, context) {
    const members = await context.people.members.list(context.org_id, scopeOf(context));
    return members.map((member) => memberView(member, context));
  },
});

const inviteTeamMember = definePartnerCall({
  name: 'invite_team_member',
  effect: 'write',
  letsOut: [ACCESS],
  input: z.strictObject({ email: z.email().max(254), role: PartnerRoleName.default('viewer') }),
  output: z.object({
    member: TeamMember,
    /** To be handed over by hand, where this installation sends no mail; null: it was mailed. */
    invite_url: z.string().nullable(),
  }),
  async run({ email, role }, context) {
    const { org_id } = context;
    const { member, invite_url } = await context.people.members
      .invite({
        org_id,
        scope: scopeOf(context),
        role,
        email,
        by: inviterOf(context),
        isOwnTeam: true,
      })
      .catch(inputRefused);
    return { member: memberView(member, context), invite_url };
  },
});

const updateTeamMember = definePartnerCall({
  name: 'update_team_member',
  effect: 'write',
  letsOut: [ACCESS],
  input: z.strictObject({ member_id, role: PartnerRoleName }),
  output: TeamMember,
  async run({ member_id, role }, context) {
    await refuseLastAdmin(member_id, context);
    const { members } = context.people;
    const scope = scopeOf(context);
    const change = { role, by: inviterOf(context) };
    return memberView(await members.update(context.org_id, member_id, change, scope), context);
  },
});

const removeTeamMember = definePartnerCall({
  name: 'remove_team_member',
  effect: 'write',
  letsOut: [ACCESS],
  input: z.strictObject({ member_id }),
  output: Done,
  async run({ member_id }, context) {
    await refuseLastAdmin(member_id, context);
    await context.people.members.remove(context.org_id, member_id, scopeOf(context));
    return { done: true as const };
  },
});

/** Only another admin can change an admin's own membership: so an admin cannot leave the team without one. */
function refuseLastAdmin(memberId: string, { membership }: PartnerContext): Promise<void> {
  if (memberId !== membership.id) return Promise.resolve();
  const message = 'You cannot change or remove yourself; ask another admin of your team.';
  return Promise.reject(new AppError('conflict', message));
}

const memberView = (member: Member, { membership }: PartnerContext) => ({
  ...member,
  role: member.role === 'admin' ? ('admin' as const) : ('viewer' as const),
  is_you: member.id === membership.id,
  is_invited: member.state === 'invited',
});

/** The calls that both sides have. */
export const TEAM_CALLS = [listTeam, inviteTeamMember, updateTeamMember, removeTeamMember] as const;
