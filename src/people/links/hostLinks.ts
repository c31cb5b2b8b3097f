/** Links made on the server's own host by an operator with access to its database: no mail server is needed. */
import { AppError } from '../../lib/errors.js';
import { checkEmail } from '../rules/identity.js';
import type { PeopleCollections } from '../store/collections.js';
import { findByEmail } from '../store/findByEmail.js';
import { newLink } from './links.js';

type LinkCollections = Pick<PeopleCollections, 'accessLinks' | 'memberships' | 'people'>;

/**
 * The link that makes the first admin of an organization; it revokes earlier ones.
 * @returns its token; null when there is an admin
 */
export async function createSetupToken(
  { accessLinks, memberships }: LinkCollections,
  orgId: string,
  now: Date,
): Promise<string | null> {
  const admin = await memberships.findOne({
    org_id: orgId,
    scope_key: 'organization',
    role: 'admin',
  });
  if (admin) return null;
  const { token, link } = newLink('setup', now);
  await accessLinks.deleteMany({ kind: 'setup', org_id: orgId });
  await accessLinks.insertOne({ ...link, org_id: orgId });
  return token;
}

/**
 * A link that signs a member of the organization in, once, within half an hour.
 * @returns its token; null when this person is no member
 */
export async function createConsoleToken(
  { accessLinks, memberships, people }: LinkCollections,
  { org_id, person_id }: { org_id: string; person_id: string },
  now: Date,
): Promise<string | null> {
  const [person, membership] = await Promise.all([
    people.findOne({ _id: person_id }),
    memberships.findOne({ person_id, org_id, scope_key: 'organization' }),
  ]);
  if (!person || !membership) return null;
  const { token, link } = newLink('console', now);
  await accessLinks.insertOne({ ...link, org_id, person_id, epoch: person.epoch });
  return token;
}

/**
 * A link by which a person sets a new password.
 * @param options.dropsSecondFactor for a person who has lost the authenticator and the backup codes
 * @param options.givesToOwner for the owner of an address that another person used first: that person's access is removed
 * @returns its token
 * @throws {AppError} `validation_failed` for a text that is no address, `not_found` for an address without an account
 */
export async function createRecoveryToken(
  { accessLinks, people }: LinkCollections,
  email: string,
  now: Date,
  { dropsSecondFactor = false, givesToOwner = false } = {},
): Promise<string> {
  checkEmail(email);
  const person = await findByEmail(people, email);
  if (!person) throw new AppError('not_found', 'No account has this address.');
  const { token, link } = newLink('recovery', now);
  await accessLinks.insertOne({
    ...link,
    person_id: person._id,
    is_mailed: false,
    drops_second_factor: dropsSecondFactor || undefined,
    gives_to_owner: givesToOwner || undefined,
  });
  return token;
}
