/** What a session may act for. Read again each time: a member who was removed is out at the next request. */
import { AppError } from '../lib/errors.js';
import type { PeopleDeps } from './deps.js';
import type { FoundMembership } from './entered.js';
import { namesOf } from './scopes.js';
import type { MembershipDoc } from './store/personDocs.js';
import type { Membership, SignedIn } from './types.js';

/** A membership with the names that a person chooses by. */
export interface MembershipView extends Membership {
  organization: string;
  /** The name of the buyer or supplier; empty for the organization itself. */
  party: string;
  /** The role was changed, or access ended for this session: signing in again opens it. */
  needs_sign_in: boolean;
}

interface MembershipReading {
  /** As it was read with the session of the same request; absent: it is read now. */
  found?: FoundMembership;
  /** In place of the usual check, for a caller that reads what the membership opens anyway. */
  isOpenNow?: (membership: Membership) => Promise<boolean>;
}

/** Of one person. */
const MEMBERSHIPS_MAX = 200;

export function createMemberships({ collections, isOpen }: PeopleDeps) {
  const { memberships } = collections;
  return {
    /** What this session may act for, ordered by organization and scope. */
    async memberships(signedIn: SignedIn): Promise<MembershipView[]> {
      const found = await memberships
        .find({ person_id: signedIn.person.id, ...tenantOf(signedIn) })
        .sort({ org_id: 1, scope_key: 1 })
        .limit(MEMBERSHIPS_MAX)
        .toArray();
      const views = await Promise.all(
        found.map(async (doc) => {
          const membership = membershipOf(doc);
          if (!(await isOpen(membership))) return [];
          const names = await namesOf(collections, doc.org_id, doc.scope);
          return [{ ...membership, ...names, needs_sign_in: needsSignIn(doc, signedIn) }];
        }),
      );
      return views.flat();
    },
    /**
     * @throws {AppError} `not_found` for any id outside this person's open memberships, existing or not;
     * `unauthorized` where the person must sign in again for it
     */
    async membership(
      signedIn: SignedIn,
      membershipId: string,
      { found, isOpenNow = isOpen }: MembershipReading = {},
    ): Promise<Membership> {
      const _id = membershipId;
      const doc =
        found === undefined
          ? await memberships.findOne({ _id, person_id: signedIn.person.id })
          : found;
      if (doc?._id !== _id || !isOf(signedIn, doc)) throw noSuchMembership();
      const membership = membershipOf(doc);
      if (!(await isOpenNow(membership))) throw noSuchMembership();
      if (needsSignIn(doc, signedIn)) {
        throw new AppError('unauthorized', 'Your access was changed. Sign in again.');
      }
      return membership;
    },
  };
}

/** A provider vouches for the people of one organization only. */
const tenantOf = ({ oidc_org_id, via }: SignedIn) =>
  via === 'oidc' ? { org_id: oidc_org_id ?? '' } : {};

const isOf = ({ person, via, oidc_org_id }: SignedIn, doc: MembershipDoc): boolean =>
  doc.person_id === person.id && (via !== 'oidc' || doc.org_id === (oidc_org_id ?? ''));

/** For this membership only: an organization cannot end access to the person's other memberships. */
const needsSignIn = (
  { _id, access_from }: MembershipDoc,
  { barred, confirmed_at }: SignedIn,
): boolean => barred.includes(_id) || (access_from !== undefined && confirmed_at < access_from);

const membershipOf = ({ _id, org_id, person_id, scope, role }: MembershipDoc): Membership => ({
  id: _id,
  org_id,
  person_id,
  scope,
  role,
});

const noSuchMembership = (): AppError => new AppError('not_found', 'There is no such page.');
