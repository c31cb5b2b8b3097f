/** Opens a portal for a session: the membership, its partner, and what the operator allows. */
import type { People } from '../../people/people.js';
import { readPortalRecord, type Party } from '../../portal/settings.js';
import { AppError } from '../../lib/errors.js';
import { permissionsGiven } from '../actions/roles.js';
import { callingPerson, type Caller } from '../calls/caller.js';
import type { Seat } from '../calls/me.js';
import type { PartnerContext, PartnerDeps } from './call.js';
import { asVisitor, partyAt, readSeat } from './visit.js';

/** What the service itself needs in addition to its calls. */
export interface PortalDeps extends PartnerDeps {
  people: Pick<People, 'members' | 'membership'>;
}

/** A portal that is open for this session, read again for this request. */
export type OpenPortal = Omit<PartnerContext, keyof PartnerDeps | 'author' | 'orgId'> & {
  /** An admin of the organization sees it, and not a person of the partner. */
  isVisit: boolean;
};

/** One text for every portal that does not exist, is closed, or is another person's: it does not reveal which. */
const noPortal = (): AppError => new AppError('not_found', 'There is no such portal.');

/**
 * @param seat its membership is of the partner, or as `readSeat` reads it
 * @throws {AppError} `not_found`, the same for a membership that is not this person's, one of an organization
 * itself, a portal that is closed, and a partner that was deleted
 */
export async function openPortal(
  { signedIn, membershipId, found }: Seat,
  { people, collections }: Pick<PortalDeps, 'people' | 'collections'>,
): Promise<OpenPortal> {
  const { membershipId: ownId, visited } = readSeat(membershipId);
  const opened: Opened[] = [];
  const own = await people
    .membership(signedIn, ownId, {
      // The path of a portal that is visited names more than the membership.
      found: ownId === membershipId ? found : undefined,
      async isOpenNow(one) {
        opened.push(...(await readPortal(one.org_id, partyAt(one, visited), collections)));
        return opened.length > 0;
      },
    })
    .catch(unknownIsNone);
  const [portal] = opened;
  if (!portal) throw noPortal();
  const membership = visited ? asVisitor(own, visited) : own;
  const opening = { ...portal, org_id: own.org_id, membership, signedIn };
  return { ...opening, caller: callerOf(opening), isVisit: visited !== null };
}

const callerOf = ({
  org_id,
  side,
  party_id,
  membership,
  signedIn,
  settings,
}: Omit<OpenPortal, 'caller' | 'isVisit'>): Caller => ({
  org_id,
  actor: callingPerson(signedIn, membership),
  permissions: permissionsGiven(side, membership.role),
  party: { kind: side, id: party_id },
  portal: { settings, isAdmin: membership.role === 'admin' },
});

type Opened = Omit<OpenPortal, 'org_id' | 'membership' | 'signedIn' | 'caller' | 'isVisit'>;

/** The portal of the partner; empty where there is none, or one that is not open. */
async function readPortal(
  org_id: string,
  party: Party | null,
  collections: PortalDeps['collections'],
): Promise<Opened[]> {
  if (!party) return [];
  const found = await readPortalRecord(collections, org_id, party);
  if (!found?.settings.is_enabled) return [];
  return [{ ...party, ...found }];
}

function unknownIsNone(error: unknown): never {
  throw error instanceof AppError && error.code === 'not_found' ? noPortal() : error;
}
