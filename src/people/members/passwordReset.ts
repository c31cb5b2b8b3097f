/** A new password for a member, begun by an admin: mailed to the person, or a link to hand over. */
import { AppError, unavailable } from '../../lib/errors.js';
import type { PeopleDeps } from '../deps.js';
import { linkUrl, newLink } from '../links/links.js';
import { mailRecovery } from '../recovery.js';
import type { MembershipDoc } from '../store/personDocs.js';

/**
 * An admin who is shown the link could use it. So it is shown only for a person who belongs to no other organization,
 * and works only while that is so; a second factor stays.
 * @returns the link; null: it was mailed
 * @throws {AppError} `conflict`, `rate_limited`, `unavailable` where the mail was not taken
 */
export async function resetPassword(
  deps: PeopleDeps,
  { person_id, org_id }: Pick<MembershipDoc, 'person_id' | 'org_id'>,
): Promise<string | null> {
  const { accessLinks, memberships, people } = deps.collections;
  const person = await people.findOne({ _id: person_id });
  if (!person) throw new AppError('not_found', 'There is no such member.');
  if (deps.mail) {
    const isSent = await mailRecovery(deps, person);
    if (isSent === null)
      throw new AppError(
        'rate_limited',
        'Enough links were mailed to this person. Use one of them.',
      );
    if (!isSent) throw unavailable('The link could not be mailed. Try again later.');
    return null;
  }
  const elsewhere = { person_id, org_id: { $ne: org_id } };
  if (await memberships.findOne(elsewhere)) throw belongsElsewhere();
  const { token, link } = newLink('recovery', deps.clock.now());
  await accessLinks.insertOne({ ...link, person_id, is_mailed: false, only_org: org_id });
  return linkUrl(deps.baseUrl(), 'recover', token);
}

const belongsElsewhere = (): AppError =>
  new AppError(
    'conflict',
    'This person belongs to another organization, too. The operator of the installation makes the link: leadwire ' +
      'operator sign-in recovery-link --email ADDRESS.',
  );
