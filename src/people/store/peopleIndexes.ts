/** The indexes of people, memberships, sessions and links. */
import { index, type IndexRow } from '../../platform/mongo/indexRow.js';

const DAY_SECONDS = 86_400;
/** Ended at the time that the document names. */
const AT_ITS_END = { expireAfterSeconds: 0 };

export const PEOPLE_INDEXES: readonly IndexRow[] = [
  index('people', { email: 1 }, 'sign-in: the person of an address, of which there is one', {
    unique: true,
  }),
  index(
    'memberships',
    { person_id: 1, org_id: 1, scope_key: 1 },
    'what a person belongs to, each scope once',
    { unique: true },
  ),
  index(
    'memberships',
    { org_id: 1, scope_key: 1, created_at: 1 },
    'the members of an organization or of one partner, oldest first; its admins',
  ),
  index(
    'sessions',
    { person_id: 1, created_at: -1 },
    'the sessions of a person, newest first; ending them',
  ),
  index(
    'sessions',
    { oidc_org_id: 1 },
    'ending the sessions by an identity provider that an organization gives up',
    { sparse: true },
  ),
  index('sessions', { expires_at: 1 }, 'removal of sessions that are over', AT_ITS_END),
  index(
    'access_links',
    { org_id: 1, scope_key: 1, created_at: 1 },
    'open invitations of an organization or of one partner, oldest first',
    { partialFilterExpression: { kind: 'invite' } },
  ),
  index(
    'access_links',
    { person_id: 1, created_at: 1 },
    "a person's links of recovery that can still be used",
    { partialFilterExpression: { kind: 'recovery' } },
  ),
  index('access_links', { expires_at: 1 }, 'removal of links a month after their end', {
    expireAfterSeconds: 30 * DAY_SECONDS,
  }),
  index(
    'sign_in_attempts',
    { expires_at: 1 },
    'removal of counts that say nothing any more',
    AT_ITS_END,
  ),
  index('oidc_flows', { expires_at: 1 }, 'removal of sign-ins that never came back', AT_ITS_END),
  index('identities', { person_id: 1 }, 'the providers that a person is known by'),
];
