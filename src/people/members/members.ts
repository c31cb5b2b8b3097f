/** The members of an organization and of its partners' portals, as its admins manage them. */
import type { ClientSession, Filter } from 'mongodb';
import { AppError } from '../../lib/errors.js';
import { retryTransaction } from '../../platform/mongo/transaction.js';
import type { PeopleDeps } from '../deps.js';
import { checkRole, scopeKey } from '../scopes.js';
import type { Sessions } from '../sessions/sessions.js';
import type { MembershipDoc } from '../store/personDocs.js';
import type { AnyRole, Inviter, Member, Scope, SessionInfo } from '../types.js';
import {
  createInvitations,
  MEMBERS_MAX,
  noSuchMember,
  type Invited,
  type InviteInput,
} from './invitations.js';

import { resetPassword } from './passwordReset.js';

/** One of the organization's members; with a scope, of that one alone. */
interface Named {
  orgId: string;
  memberId: string;
  scope: Scope | undefined;
}

export type Members = ReturnType<typeof createMembers>;

/**
 * Ids of members of another organization, or outside of `scope`, are `not_found`. A caller that may manage one partner's
 * team alone passes its scope.
 */
export function createMembers(deps: PeopleDeps, sessions: Sessions) {
  const { collections, clock } = deps;
  const { memberships, people, teams } = collections;
  const invitations = createInvitations(deps);

  const within = (orgId: string, scope: Scope | undefined) => ({
    org_id: orgId,
    scope_key: scope && scopeKey(scope),
  });

  const membershipOf = async (
    { orgId, memberId, scope }: Named,
    session?: ClientSession,
  ): Promise<MembershipDoc> => {
    const filter: Filter<MembershipDoc> = { _id: memberId, ...within(orgId, scope) };
    const found = await memberships.findOne(filter, { session });
    if (!found) throw noSuchMember();
    return found;
  };

  const shown = async (docs: readonly MembershipDoc[]): Promise<Member[]> => {
    const ids = docs.map(({ person_id }) => person_id);
    const found = await people
      .find({ _id: { $in: ids } }, { projection: { email: 1, name: 1 } })
      .toArray();
    const byId = new Map(found.map((person) => [person._id, person]));
    return docs.flatMap((doc) => {
      const person = byId.get(doc.person_id);
      return person ? [memberOf(doc, person)] : [];
    });
  };

  /** Each change that takes an admin away writes the same document: of two at once one starts over. */
  const requireOtherAdmin = async (
    { _id, org_id, scope_key }: MembershipDoc,
    session: ClientSession,
  ): Promise<void> => {
    const counted = { $inc: { changes: 1 } };
    await teams.updateOne({ _id: org_id }, counted, { upsert: true, session });
    const others = { org_id, scope_key, role: 'admin' as const, _id: { $ne: _id } };
    if (!(await memberships.findOne(others, { session }))) throw lastAdmin();
  };

  /**
   * Changes one membership so that the organization keeps an admin.
   * @param leavesAdmin the member is an admin after the change
   */
  const change = (
    named: Named,
    leavesAdmin: boolean,
    work: (doc: MembershipDoc, session: ClientSession) => Promise<MembershipDoc>,
  ): Promise<MembershipDoc> =>
    retryTransaction(
      memberships,
      async (session) => {
        const doc = await membershipOf(named, session);
        const isAdmin = doc.scope.kind === 'organization' && doc.role === 'admin';
        if (isAdmin && !leavesAdmin) await requireOtherAdmin(doc, session);
        return work(doc, session);
      },
      'The members were changed at the same time. Try again.',
    );

  const one = async (doc: MembershipDoc): Promise<Member> => {
    const [member] = await shown([doc]);
    if (!member) throw noSuchMember();
    return member;
  };

  return {
    /** Members and open invitations, members first, oldest first. @param scope absent: of every scope */
    async list(orgId: string, scope?: Scope): Promise<Member[]> {
      const filter = within(orgId, scope);
      const docs = await memberships
        .find(filter)
        .sort({ scope_key: 1, created_at: 1 })
        .limit(MEMBERS_MAX)
        .toArray();
      const invited = await invitations.list(orgId, filter, MEMBERS_MAX - docs.length);
      return [...(await shown(docs)), ...invited];
    },
    /** @throws {AppError} `validation_failed`, `conflict` (a member already, or too many) */
    invite: (input: InviteInput): Promise<Invited> => invitations.invite(input),
    /** @throws {AppError} `not_found`, `validation_failed`, `conflict` (the last admin) */
    async update(
      orgId: string,
      memberId: string,
      { role, by }: { role: AnyRole; by: Inviter },
      scope?: Scope,
    ): Promise<Member> {
      if (isInvitation(memberId))
        return invitations.update(within(orgId, scope), memberId, role, by);
      const named = { orgId, memberId, scope };
      const changed = await change(named, role === 'admin', async (doc, session) => {
        checkRole(doc.scope, role);
        if (doc.role === role) return doc;
        const access_from = clock.now();
        await memberships.updateOne({ _id: doc._id }, { $set: { role, access_from } }, { session });
        return { ...doc, role, access_from };
      });
      return one(changed);
    },
    /** Removes a member (access ends at the next request) or cancels an invitation. @throws {AppError} `not_found`, `conflict` (the last admin) */
    async remove(orgId: string, memberId: string, scope?: Scope): Promise<Member> {
      if (isInvitation(memberId)) return invitations.remove(within(orgId, scope), memberId);
      const removed = await change({ orgId, memberId, scope }, false, async (doc, session) => {
        await memberships.deleteOne({ _id: doc._id }, { session });
        return doc;
      });
      return one(removed);
    },
    /**
     * A new password for a member. @returns the link to hand over; null: it was mailed
     * @throws {AppError} `not_found`, `conflict`: an invitation, or a person who belongs to another organization
     */
    async resetPassword(orgId: string, memberId: string): Promise<string | null> {
      if (isInvitation(memberId))
        throw new AppError(
          'conflict',
          'The invitation is not accepted yet. Invite the person again.',
        );
      return resetPassword(deps, await membershipOf({ orgId, memberId, scope: undefined }));
    },
    /** Sessions that may act for this membership, newest first. @throws {AppError} `not_found` */
    async sessions(orgId: string, memberId: string, scope?: Scope): Promise<SessionInfo[]> {
      const doc = await membershipOf({ orgId, memberId, scope });
      return sessions.list(sessionsFor(doc));
    },
    /** Ends the access of a session to this membership. The person's other memberships keep it: they are not this organization's. */
    async revokeSession(
      orgId: string,
      memberId: string,
      sessionId: string,
      scope?: Scope,
    ): Promise<void> {
      const doc = await membershipOf({ orgId, memberId, scope });
      const { matchedCount } = await collections.sessions.updateOne(
        { ...sessionsFor(doc), id: sessionId },
        { $push: { barred: doc._id } },
      );
      if (matchedCount === 0) throw new AppError('not_found', 'There is no such session.');
    },
  };
}

/** What may act for a membership: sessions by another organization's provider may not. */
const sessionsFor = (doc: MembershipDoc) => ({
  person_id: doc.person_id,
  barred: { $ne: doc._id },
  $or: [{ oidc_org_id: { $exists: false } }, { oidc_org_id: doc.org_id }],
});

const isInvitation = (memberId: string): boolean => memberId.startsWith('inv_');

const lastAdmin = (): AppError =>
  new AppError(
    'conflict',
    'This is the last admin of the organization. Make another member an admin first.',
  );

const memberOf = (
  { _id, scope, role, created_at }: MembershipDoc,
  { email, name }: { email: string; name: string },
): Member => ({ id: _id, state: 'active', scope, role, email, name, since: created_at });
