/** Who calls: a key, a person of the organization, or a person of one of its partners. They differ only in their rights. */
import type { ActingParty } from '../../account/store/auditDocs.js';
import type { Permission } from '../../account/store/keyDocs.js';
import type { Membership, SignedIn } from '../../people/types.js';
import type { PortalSettings } from '../../portal/settingsSchema.js';

/** The caller, and the organization that it acts for. */
export interface Caller {
  org_id: string;
  actor: CallingKey | CallingPerson;
  permissions: readonly Permission[];
  /** Of a partner's person: the partner that it acts for, and what its portal allows. */
  party?: ActingParty;
  portal?: { settings: PortalSettings; isAdmin: boolean };
}

interface CallingKey {
  kind: 'key';
  id: string;
  name: string;
  /** The key is refused after this; absent: never. */
  expires_at?: Date;
}

/** A member of the organization or of a partner's team, by a role. */
interface CallingPerson {
  kind: 'person';
  id: string;
  name: string;
  membership_id: string;
  /** The person signed in, or confirmed it, a short time ago. */
  is_fresh: boolean;
  /** The role may not see data of people. */
  seesNoPeople?: boolean;
}

export const callingPerson = (
  { person, is_fresh }: SignedIn,
  { id }: Membership,
): CallingPerson => ({
  kind: 'person',
  id: person.id,
  name: person.name,
  membership_id: id,
  is_fresh,
});

export const seesNoPeople = ({ actor }: Pick<Caller, 'actor'>): boolean =>
  actor.kind === 'person' && actor.seesNoPeople === true;
