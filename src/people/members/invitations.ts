/** Invitations: made, listed, changed and withdrawn by an organization or by a partner's admin. */
import { storedForms } from '../../fields/storedForms.js';
import { AppError, unavailable } from '../../lib/errors.js';
import { useWindow } from '../../platform/rateLimits/store/windows.js';
import type { PeopleDeps } from '../deps.js';
import { linkUrl, newLink } from '../links/links.js';
import { inOneLine, sendLink } from '../links/mails.js';
import { checkEmail } from '../rules/identity.js';
import { checkRole, namesOf, scopeKey } from '../scopes.js';
import { newId } from '../security/tokens.js';
import { findByEmail } from '../store/findByEmail.js';
import type { InviteDoc } from '../store/linkDoc.js';
import type { AnyRole, Inviter, Member, Scope } from '../types.js';

export interface InviteInput {
  org_id: string;
  scope: Scope;
  role: AnyRole;
  email: string;
  by: Inviter;
  /** An admin of the partner invites to the team: it counts toward the team's limit of invitations, not the organization's. */
  isOwnTeam?: true;
}

export interface Invited {
  member: Member;
  /** Shown once where no mail server is set; null: it was mailed. */
  invite_url: string | null;
}

interface Within {
  org_id: string;
  scope_key?: string;
}

/** Members and open invitations that a list shows; further invitations are refused. */
export const MEMBERS_MAX = 1_000;
/** Invitations per day: each mails a person who may not want it. */
const PER_DAY = 200;
/** Of a partner's own team, counted apart: no partner keeps the organization, or another partner, from inviting. */
const PER_DAY_OF_TEAM = 50;
const DAY_MS = 86_400_000;

export function createInvitations(deps: PeopleDeps) {
  const { collections, clock, mail } = deps;
  const { accessLinks, memberships, people, windows } = collections;

  const open = () => ({
    kind: 'invite' as const,
    used_at: { $exists: false },
    expires_at: { $gt: clock.now() },
  });

  const requireRoom = async ({ org_id, scope, isOwnTeam }: InviteInput): Promise<void> => {
    const place = { org_id, scope_key: scopeKey(scope) };
    const members = await memberships.countDocuments(place, { limit: MEMBERS_MAX });
    const invited = await accessLinks.countDocuments(
      { ...open(), ...place },
      { limit: MEMBERS_MAX },
    );
    if (members + invited >= MEMBERS_MAX) {
      throw new AppError('conflict', `At most ${MEMBERS_MAX} members are possible.`);
    }
    const who = isOwnTeam ? 'The team of a portal' : 'An organization';
    const perDay = isOwnTeam ? PER_DAY_OF_TEAM : PER_DAY;
    const key = isOwnTeam ? `invites:${org_id}:${place.scope_key}` : `invites:${org_id}`;
    const limits = { all: perDay, writes: perDay, windowMs: DAY_MS };
    const use = await useWindow(windows, key, limits, false);
    if (use.allowed) return;
    throw new AppError(
      'rate_limited',
      `${who} can invite ${perDay} people a day. Try again later.`,
      { retry_after: Math.ceil(use.resetMs / 1_000) },
    );
  };

  const requireStranger = async ({ org_id, scope }: InviteInput, email: string): Promise<void> => {
    const person = await findByEmail(people, email);
    const place = { org_id, scope_key: scopeKey(scope) };
    if (person && (await memberships.findOne({ person_id: person._id, ...place }))) {
      throw new AppError('conflict', 'This address already belongs to a member.');
    }
  };

  const mailInvite = async (invite: InviteDoc, url: string, token: string): Promise<void> => {
    const { organization, party } = await namesOf(collections, invite.org_id, invite.scope);
    const isSent = await sendLink(deps, mailOf({ invite, url, token, organization, party }));
    if (isSent) return;
    await accessLinks.deleteOne({ _id: invite._id });
    throw unavailable('The invitation could not be sent. Check the address and try again.');
  };

  return {
    async list(orgId: string, within: Within, limit: number): Promise<Member[]> {
      if (limit <= 0) return [];
      const found = await accessLinks
        .find({ ...open(), ...within, org_id: orgId })
        .sort({ scope_key: 1, created_at: 1 })
        .limit(limit)
        .toArray();
      return found.flatMap((link) => (link.kind === 'invite' ? [invitedOf(link)] : []));
    },
    async invite(input: InviteInput): Promise<Invited> {
      const { org_id, scope, role, by } = input;
      const email = checkEmail(input.email);
      checkRole(scope, role);
      await requireStranger(input, email);
      await requireRoom(input);
      const { token, link } = newLink('invite', clock.now());
      const doc: InviteDoc = {
        ...link,
        id: newId('inv'),
        org_id,
        scope,
        scope_key: scopeKey(scope),
        role,
        email,
        by,
        is_mailed: mail !== null,
      };
      await accessLinks.insertOne(doc);
      const url = linkUrl(deps.baseUrl(), 'invite', token);
      if (mail) await mailInvite(doc, url, token);
      // The new invitation replaces an earlier one to this address, which may carry another role.
      const place = { org_id, scope_key: doc.scope_key, email: { $in: storedForms(email) } };
      await accessLinks.deleteMany({ ...open(), ...place, _id: { $ne: doc._id } });
      return { member: invitedOf(doc), invite_url: mail ? null : url };
    },
    /** @param by vouches for the new role from now on, as its sender did for the earlier one */
    async update(within: Within, id: string, role: AnyRole, by: Inviter): Promise<Member> {
      const found = await accessLinks.findOne({ ...open(), ...within, id });
      if (found?.kind !== 'invite') throw noSuchMember();
      checkRole(found.scope, role);
      const { matchedCount } = await accessLinks.updateOne(
        { _id: found._id, ...open() },
        { $set: { role, by } },
      );
      if (matchedCount === 0) throw noSuchMember();
      return invitedOf({ ...found, role });
    },
    async remove(within: Within, id: string): Promise<Member> {
      const removed = await accessLinks.findOneAndDelete({ ...open(), ...within, id });
      if (removed?.kind !== 'invite') throw noSuchMember();
      return invitedOf(removed);
    },
  };
}

function mailOf(from: {
  invite: InviteDoc;
  url: string;
  token: string;
  organization: string;
  party: string;
}) {
  const { invite, url, token } = from;
  const organization = inOneLine(from.organization);
  const party = inOneLine(from.party);
  const what = party === '' ? organization : `the portal of ${organization} for ${party}`;
  return {
    to: invite.email,
    token,
    subject: `Invitation to ${what}`.slice(0, 200),
    text:
      `${inOneLine(invite.by.name)} invites ${invite.email} to ${what}.\n\nOpen this link within 7 days to accept; it ` +
      `works once:\n\n${url}\n\nIf you did not expect this invitation, ignore this email.\n`,
  };
}

function invitedOf(invite: InviteDoc): Member {
  const { id, scope, role, email, created_at: since, expires_at } = invite;
  return { id, state: 'invited', scope, role, email, name: '', since, expires_at };
}

export const noSuchMember = (): AppError => new AppError('not_found', 'There is no such member.');
