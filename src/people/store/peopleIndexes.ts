/** The indexes of people, memberships, sessions and links. */
import type { IndexRow } from '../../platform/mongo/indexRow.js';

const DAY_SECONDS = 86_400;
/** Ended at the time that the document names. */
const AT_ITS_END = { expireAfterSeconds: 0 };

export const PEOPLE_INDEXES: readonly IndexRow[] = [
  {
    collection: 'people',
    key: { email: 1 },
    options: { unique: true },
    serves: 'sign-in: the person of an address, of which there is one',
  },
  {
    collection: 'memberships',
    key: { person_id: 1, org_id: 1, scope_key: 1 },
    options: { unique: true },
    serves: 'what a person belongs to, each scope once',
  },
  {
    collection: 'memberships',
    key: { org_id: 1, scope_key: 1, created_at: 1 },
    serves: 'the members of an organization or of one partner, oldest first; its admins',
  },
  {
    collection: 'sessions',
    key: { person_id: 1, created_at: -1 },
    serves: 'the sessions of a person, newest first; ending them',
  },
  {
    collection: 'sessions',
    key: { oidc_org_id: 1 },
    options: { sparse: true },
    serves: 'ending the sessions by an identity provider that an organization gives up',
  },
  {
    collection: 'sessions',
    key: { expires_at: 1 },
    options: AT_ITS_END,
    serves: 'removal of sessions that are over',
  },
  {
    collection: 'access_links',
    key: { org_id: 1, scope_key: 1, created_at: 1 },
    options: { partialFilterExpression: { kind: 'invite' } },
    serves: 'open invitations of an organization or of one partner, oldest first',
  },
  {
    collection: 'access_links',
    key: { person_id: 1, created_at: 1 },
    options: { partialFilterExpression: { kind: 'recovery' } },
    serves: "a person's links of recovery that can still be used",
  },
  {
    collection: 'access_links',
    key: { expires_at: 1 },
    options: { expireAfterSeconds: 30 * DAY_SECONDS },
    serves: 'removal of links a month after their end',
  },
  {
    collection: 'sign_in_attempts',
    key: { expires_at: 1 },
    options: AT_ITS_END,
    serves: 'removal of counts that say nothing any more',
  },
  {
    collection: 'oidc_flows',
    key: { expires_at: 1 },
    options: AT_ITS_END,
    serves: 'removal of sign-ins that never came back',
  },
  {
    collection: 'identities',
    key: { person_id: 1 },
    serves: 'the providers that a person is known by',
  },
];
