/** Who stands before a portal: the membership, its partner, and what the operator allows. */
import { findBuyer } from '../../account/buyers/buyers.js';
import { findSupplier } from '../../account/suppliers/suppliers.js';
import type { People } from '../../people/people.js';
import type { SignedIn } from '../../people/types.js';
import { partyOf, portalOf, type Party } from '../../portal/settings.js';
import { AppError } from '../../lib/errors.js';
import type { PartnerContext, PartnerDeps } from './call.js';

/** What the service itself needs beside its calls. */
export interface PortalDeps extends PartnerDeps {
  people: Pick<People, 'members' | 'membership'>;
}

/** A portal that is open for this session, read anew for this request. */
export type OpenPortal = Omit<PartnerContext, keyof PartnerDeps | 'author'>;

/** One text for every portal that is not there, is closed, or is another's: which of these it is, is not said. */
const noPortal = (): AppError => new AppError('not_found', 'There is no such portal.');

/**
 * @throws {AppError} `not_found`, the same for a membership that is none of this person's, one of an organization
 * itself, a portal that is closed, and a partner that was deleted
 */
export async function openPortal(
  signedIn: SignedIn,
  membershipId: string,
  { people, collections }: Pick<PortalDeps, 'people' | 'collections'>,
): Promise<OpenPortal> {
  const membership = await people.membership(signedIn, membershipId).catch(unknownIsNone);
  const { org_id, scope } = membership;
  const party = partyOf(scope);
  if (!party) throw noPortal();
  const [settings, org, named] = await Promise.all([
    portalOf(collections, org_id, scope),
    collections.orgs.findOne({ _id: org_id }),
    readParty(org_id, party, collections).catch(unknownIsNone),
  ]);
  if (!settings || !org) throw noPortal();
  return {
    org_id,
    side: party.side,
    party_id: party.party_id,
    party_name: named.name,
    membership,
    signedIn,
    settings,
    org: { name: org.name, time_zone: org.time_zone, currency: org.currency },
  };
}

const readParty = (
  orgId: string,
  { side, party_id }: Party,
  collections: PortalDeps['collections'],
): Promise<{ name: string }> =>
  side === 'buyer'
    ? findBuyer(collections, orgId, party_id)
    : findSupplier(collections, orgId, party_id);

function unknownIsNone(error: unknown): never {
  throw error instanceof AppError && error.code === 'not_found' ? noPortal() : error;
}
