/** The collections of this room: their documents and typed handles. */
import type { Db } from 'mongodb';
import type { AttemptsDoc } from './attempts.js';
import type { LinkDoc } from './linkDoc.js';
import type { IdentityDoc, OidcFlowDoc, OidcSettingsDoc } from './oidcDocs.js';
import type { MembershipDoc, PersonDoc, SessionDoc, TeamDoc } from './personDocs.js';

export const peopleCollections = (db: Db) => ({
  people: db.collection<PersonDoc>('people'),
  memberships: db.collection<MembershipDoc>('memberships'),
  teams: db.collection<TeamDoc>('teams'),
  sessions: db.collection<SessionDoc>('sessions'),
  accessLinks: db.collection<LinkDoc>('access_links'),
  attempts: db.collection<AttemptsDoc>('sign_in_attempts'),
  oidcSettings: db.collection<OidcSettingsDoc>('oidc_settings'),
  oidcFlows: db.collection<OidcFlowDoc>('oidc_flows'),
  identities: db.collection<IdentityDoc>('identities'),
});
export type PeopleCollections = ReturnType<typeof peopleCollections>;
