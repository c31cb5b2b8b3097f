/** Opens a portal for a session: the membership, its partner, and what the operator allows. */
import type { People } from '../../people/people.js';
import type { Membership } from '../../people/types.js';
import { partyOf, readPortalRecord } from '../../portal/settings.js';
import { AppError } from '../../lib/errors.js';
import { permissionsGiven } from '../actions/roles.js';
import { callingPerson, type Caller } from '../calls/caller.js';
import type { Seat } from '../calls/me.js';
import type { PartnerContext, PartnerDeps } from './call.js';

/** What the service itself needs in addition to its calls. */
export interface PortalDeps extends PartnerDeps {
  people: Pick<People, 'members' | 'membership'>;
}

/** A portal that is open for this session, read again for this request. */
export type OpenPortal = Omit<PartnerContext, keyof PartnerDeps | 'author' | 'orgId'>;

/** One text for every portal that does not exist, is closed, or is another person's: it does not reveal which. */
const noPortal = (): AppError => new AppError('not_found', 'There is no such portal.');

/**
 * @throws {AppError} `not_found`, the same for a membership that is not this person's, one of an organization
 * itself, a portal that is closed, and a partner that was deleted
 */
export async function openPortal(
  { signedIn, membershipId, found }: Seat,
  { people, collections }: Pick<PortalDeps, 'people' | 'collections'>,
): Promise<OpenPortal> {
  const opened: Opened[] = [];
  const membership = await people
    .membership(signedIn, membershipId, {
      found,
      async isOpenNow(one) {
        opened.push(...(await readPortal(one, collections)));
        return opened.length > 0;
      },
    })
    .catch(unknownIsNone);
  const [portal] = opened;
  if (!portal) throw noPortal();
  const opening = { ...portal, org_id: membership.org_id, membership, signedIn };
  return { ...opening, caller: callerOf(opening) };
}

const callerOf = ({
  org_id,
  side,
  party_id,
  membership,
  signedIn,
  settings,
}: Omit<OpenPortal, 'caller'>): Caller => ({
  org_id,
  actor: callingPerson(signedIn, membership),
  permissions: permissionsGiven(side, membership.role),
  party: { kind: side, id: party_id },
  portal: { settings, isAdmin: membership.role === 'admin' },
});

type Opened = Omit<OpenPortal, 'org_id' | 'membership' | 'signedIn' | 'caller'>;

/** What the membership opens; empty where it is no portal, or one that is not open. */
async function readPortal(
  { org_id, scope }: Membership,
  collections: PortalDeps['collections'],
): Promise<Opened[]> {
  const party = partyOf(scope);
  if (!party) return [];
  const found = await readPortalRecord(collections, org_id, party);
  if (!found?.settings.is_enabled) return [];
  return [{ ...party, ...found }];
}

function unknownIsNone(error: unknown): never {
  throw error instanceof AppError && error.code === 'not_found' ? noPortal() : error;
}
