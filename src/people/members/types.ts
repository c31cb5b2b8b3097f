/** Who belongs to an organization and to its partners' portals. */
import type { Inviter, Member, OrgRole, PartnerRole, Scope, SessionInfo } from '../types.js';

export interface InviteInput {
  org_id: string;
  scope: Scope;
  role: OrgRole | PartnerRole;
  email: string;
  by: Inviter;
  /** An admin of the partner invites to its own team, and spends what the team may invite, not the organization. */
  isOwnTeam?: true;
}

export interface Invited {
  member: Member;
  /** Shown once where no mail server is set; null: it was mailed. */
  invite_url: string | null;
}

/**
 * Ids of members of another organization, or outside of `scope`, are `not_found`. A caller that may manage one partner's
 * team alone passes its scope.
 */
export interface Members {
  /** Members and open invitations, members first, oldest first. @param scope absent: of every scope */
  list(orgId: string, scope?: Scope): Promise<Member[]>;
  /** @throws {AppError} `validation_failed`, `conflict` (a member already, or too many) */
  invite(input: InviteInput): Promise<Invited>;
  /** @throws {AppError} `not_found`, `validation_failed`, `conflict` (the last admin) */
  update(
    orgId: string,
    memberId: string,
    change: { role: OrgRole | PartnerRole; by: Inviter },
    scope?: Scope,
  ): Promise<Member>;
  /** A membership, out at its next request, or an invitation. @throws {AppError} `not_found`, `conflict` (the last admin) */
  remove(orgId: string, memberId: string, scope?: Scope): Promise<Member>;
  /** Sessions that may act for this membership, newest first. @throws {AppError} `not_found` */
  sessions(orgId: string, memberId: string, scope?: Scope): Promise<SessionInfo[]>;
  /** Ends what the session may do for this membership; what else the person belongs to is not this organization's. */
  revokeSession(orgId: string, memberId: string, sessionId: string, scope?: Scope): Promise<void>;
}
