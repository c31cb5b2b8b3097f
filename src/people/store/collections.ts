/** The collections of `src/people` and of the folders below it: their documents and typed handles. */
import type { Collection, Db } from 'mongodb';
import { accountCollections, type AccountCollections } from '../../account/store/collections.js';
import type { AttemptsDoc } from './attemptsDoc.js';
import type { LinkDoc } from './linkDoc.js';
import type { IdentityDoc, OidcFlowDoc, OidcSettingsDoc } from './oidcDocs.js';
import type { MembershipDoc, PersonDoc, TeamDoc } from './personDocs.js';
import type { SessionDoc } from './sessionDoc.js';

export interface PeopleCollections extends AccountCollections {
  people: Collection<PersonDoc>;
  memberships: Collection<MembershipDoc>;
  teams: Collection<TeamDoc>;
  sessions: Collection<SessionDoc>;
  accessLinks: Collection<LinkDoc>;
  attempts: Collection<AttemptsDoc>;
  oidcSettings: Collection<OidcSettingsDoc>;
  oidcFlows: Collection<OidcFlowDoc>;
  identities: Collection<IdentityDoc>;
}

export const peopleCollections = (db: Db): PeopleCollections => ({
  ...accountCollections(db),
  people: db.collection('people'),
  memberships: db.collection('memberships'),
  teams: db.collection('teams'),
  sessions: db.collection('sessions'),
  accessLinks: db.collection('access_links'),
  attempts: db.collection('sign_in_attempts'),
  oidcSettings: db.collection('oidc_settings'),
  oidcFlows: db.collection('oidc_flows'),
  identities: db.collection('identities'),
});
