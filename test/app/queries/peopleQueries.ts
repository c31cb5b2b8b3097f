/** Queries of sign-in, members and their sessions. */
import { INVITER, linkIn, newPlace, openPeople, PASSWORD } from '../../people/bed.js';
import type { TestDatabase } from '../../support/database.js';
import type { Recorder } from './explain.js';

export async function sendPeople(
  { during }: Pick<Recorder, 'during'>,
  on: TestDatabase,
): Promise<void> {
  const bed = await openPeople({ isMailed: true, on });
  const { people } = bed;
  const org = await bed.org();
  await bed.join(org);
  const member = await bed.join(org, 'viewer');
  const { signedIn, email, membership_id } = member;
  await during('invite', () => bed.invite(org));
  for (const scope of [undefined, { kind: 'organization' }] as const)
    await during(`members.list ${scope?.kind ?? ''}`, () => people.members.list(org, scope));
  await during('enter', () => people.enter(member.token, membership_id));
  await during('membership', () => people.membership(signedIn, membership_id));
  await during('members.update', () =>
    people.members.update(org, membership_id, { role: 'admin', by: INVITER }),
  );
  await during('members.sessions', () => people.members.sessions(org, membership_id));
  await during('memberships', () => people.memberships(signedIn));
  await during('session', () => people.session(member.token));
  await during('sessions.list', () => people.sessions.list(signedIn));
  await during('sessions.revokeOthers', () => people.sessions.revokeOthers(signedIn));
  await during('signIn', () => people.signIn({ email, password: PASSWORD }, newPlace()));
  await during('recovery.request', async () => {
    await people.recovery.request(email, newPlace());
    await bed.settled();
  });
  const token = linkIn(bed.mails.findLast(({ to }) => to.includes(email))?.text ?? '');
  await during('recovery.finish', () =>
    people.recovery.finish(token, 'four other words instead', newPlace()),
  );
  await during('oidc.configure', () => people.oidc.configure(org, null));
  await during('members.remove', () => people.members.remove(org, membership_id));
  // The account was created by a link shown on screen, so its address is unconfirmed until a mailed link is opened.
  const shown = await openPeople({ on });
  const unproved = await shown.join(org, 'viewer');
  const invited = await bed.invite(await bed.org(), 'viewer', unproved.email);
  // Another password than the one of the unconfirmed account: it replaces that one.
  const input = { name: 'Pat Person', password: 'four words of another kind' };
  await during('invites.accept', () =>
    people.invites.accept(invited.token, input, null, newPlace()),
  );
  await Promise.all([bed.stop(), shown.stop()]);
}
