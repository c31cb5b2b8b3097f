/** One-time links: invitations, recovery, and the one that creates the first admin. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateSync } from 'otplib';
import { createSetupToken } from '../../src/people/links/hostLinks.js';
import {
  cookieIn,
  linkIn,
  newEmail,
  newPlace,
  openPeople,
  PASSWORD,
  type PeopleBed,
} from './bed.js';

const HALF_AN_HOUR_MS = 1_800_000;
const ME = { name: 'Pat Person', password: PASSWORD };
const OVER = { code: 'not_found' };

describe('links shown to an operator', () => {
  let bed: PeopleBed;
  beforeAll(async () => {
    bed = await openPeople();
  });
  afterAll(() => bed.stop());

  it('give one session for an invitation, however many use it at once', async () => {
    const org = await bed.org();
    const { token, email } = await bed.invite(org);
    const used = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) =>
        (n % 2 ? bed.people : bed.elsewhere).invites.accept(token, ME, null, newPlace()),
      ),
    );
    expect(used.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refusals = used.flatMap((one) =>
      one.status === 'rejected' ? [one.reason as { code: string }] : [],
    );
    expect(new Set(refusals.map(({ code }) => code))).toEqual(new Set(['not_found']));
    const person = await bed.db.people.findOne({ email });
    expect(await bed.db.sessions.countDocuments({ person_id: person?._id ?? '' })).toBe(1);
    expect(await bed.db.memberships.countDocuments({ person_id: person?._id ?? '' })).toBe(1);
  });

  it('change nothing when they are opened, and show what they are for', async () => {
    const org = await bed.org('Acme Leads');
    const { token, email } = await bed.invite(org, 'analyst');
    const shown = {
      organization: 'Acme Leads',
      party: '',
      role: 'analyst',
      email,
      needs: 'password',
    };
    for (let n = 0; n < 3; n++) {
      expect(await bed.people.invites.read(token, null)).toMatchObject(shown);
    }
    await bed.people.invites.accept(token, ME, null, newPlace());
    expect(await bed.people.invites.read(token, null)).toBeNull();
  });

  it('expire after seven days, and end when they are withdrawn', async () => {
    const org = await bed.org();
    const { token, email } = await bed.invite(org);
    const [listed] = (await bed.people.members.list(org)).filter((one) => one.email === email);
    await bed.people.members.remove(org, listed?.id ?? '');
    await expect(bed.people.invites.accept(token, ME, null, newPlace())).rejects.toMatchObject(
      OVER,
    );
    const late = await openPeople({ on: bed.on });
    const other = await late.invite(await late.org());
    late.skip(7 * 86_400_000 + 1_000);
    expect(await late.people.invites.read(other.token, null)).toBeNull();
    await late.stop();
  });

  it('do not open an existing account by an invitation without its password', async () => {
    const victim = await bed.join(await bed.org('Victim'));
    const { token } = await bed.invite(await bed.org('Attacker'), 'viewer', victim.email);
    expect(await bed.people.invites.read(token, null)).toMatchObject({ needs: 'password' });
    const wrong = { ...ME, password: 'four words that are wrong' };
    const place = newPlace();
    for (let n = 0; n < 5; n++) {
      const guess = bed.people.invites.accept(token, wrong, null, place);
      await expect(guess).rejects.toMatchObject({ code: 'unauthorized' });
    }
    const locked = bed.people.invites.accept(token, ME, null, place);
    await expect(locked).rejects.toMatchObject({ code: 'rate_limited' });
    const stranger = await bed.join(await bed.org());
    const asOther = bed.people.invites.accept(token, ME, stranger.signedIn, newPlace());
    await expect(asOther).rejects.toMatchObject({ code: 'forbidden' });
    const accepted = await bed.people.invites.accept(token, {}, victim.signedIn, newPlace());
    expect(accepted).toMatchObject({ state: 'signed_in', cookies: [] });
    expect(await bed.people.memberships(victim.signedIn)).toHaveLength(2);
  });

  it('are accepted by the password of the account that the address has, which keeps its name', async () => {
    const { email, signedIn } = await bed.join(await bed.org());
    const { token } = await bed.invite(await bed.org(), 'viewer', email);
    const input = { name: 'Another Name', password: PASSWORD };
    const { state, cookies } = await bed.people.invites.accept(token, input, null, newPlace());
    expect(state).toBe('signed_in');
    const again = await bed.read(cookieIn(cookies));
    expect(again?.person).toEqual(signedIn.person);
    expect(await bed.people.memberships(signedIn)).toHaveLength(2);
  });

  it('wait for the second factor of an account that has one', async () => {
    const { email, signedIn } = await bed.join(await bed.org());
    const { secret } = await bed.people.account.beginTotp(signedIn);
    await bed.people.account.confirmTotp(signedIn, generateSync({ secret }));
    const { token } = await bed.invite(await bed.org(), 'viewer', email);
    const asked = await bed.people.invites.accept(token, ME, null, newPlace());
    expect(asked).toMatchObject({ state: 'code_needed', membership_id: null });
    expect(await bed.people.invites.read(token, signedIn)).toMatchObject({ needs: 'accept' });
    expect(await bed.db.memberships.countDocuments({ person_id: signedIn.person.id })).toBe(1);
  });

  it('refuse invalid input the same way, whether or not the address has an account', async () => {
    const { email } = await bed.join(await bed.org());
    const org = await bed.org();
    const [known, unknown] = [await bed.invite(org, 'viewer', email), await bed.invite(org)];
    const faulty = [
      { ...ME, password: 'short' },
      { ...ME, name: 'n'.repeat(121) },
    ];
    for (const input of faulty) {
      const refusals = await Promise.all(
        [known, unknown].map(({ token }) =>
          bed.people.invites
            .accept(token, input, null, newPlace())
            .catch((error: unknown) => error),
        ),
      );
      expect(refusals[0]).toEqual(refusals[1]);
      expect(refusals[0]).toMatchObject({ code: 'validation_failed' });
    }
    const shown = async ({ token }: { token: string }) => bed.people.invites.read(token, null);
    expect({ ...(await shown(known)), email: '' }).toEqual({
      ...(await shown(unknown)),
      email: '',
    });
  });

  it('name a new account after its address when no name is given', async () => {
    const { token, email } = await bed.invite(await bed.org());
    const input = { name: ' ', password: PASSWORD };
    await bed.people.invites.accept(token, input, null, newPlace());
    expect(await bed.db.people.findOne({ email })).toMatchObject({ name: email });
  });

  it('are void once their sender may no longer invite', async () => {
    const strict = await openPeople({
      on: bed.on,
      mayInvite: () => Promise.resolve(false),
    });
    const { token, email } = await strict.invite(await strict.org());
    await expect(strict.people.invites.accept(token, ME, null, newPlace())).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('is void'),
    });
    expect(await bed.db.people.countDocuments({ email })).toBe(0);
    await strict.stop();
  });

  it('create the first admin once, and no further one', async () => {
    const org = await bed.org();
    const token = (await createSetupToken(bed.db, org, new Date())) ?? '';
    expect(await bed.people.invites.read(token, null)).toMatchObject({ kind: 'setup', email: '' });
    const made = await Promise.allSettled(
      Array.from({ length: 10 }, () =>
        bed.people.invites.accept(token, { ...ME, email: newEmail() }, null, newPlace()),
      ),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await bed.people.members.list(org)).toMatchObject([{ role: 'admin', state: 'active' }]);
    expect(await createSetupToken(bed.db, org, new Date())).toBeNull();
  });

  it('refuse a password that is short, long, common, or the address', async () => {
    const { token, email } = await bed.invite(await bed.org());
    for (const password of ['', 'short', 'x'.repeat(257), 'Password1234', 'abababababab', email]) {
      const refused = bed.people.invites.accept(token, { name: 'P', password }, null, newPlace());
      await expect(refused).rejects.toMatchObject({
        code: 'validation_failed',
        extras: { details: [{ path: 'password' }] },
      });
    }
    await bed.people.invites.accept(token, ME, null, newPlace());
  });
});

describe('mailed links', () => {
  let bed: PeopleBed;
  beforeAll(async () => {
    bed = await openPeople({ isMailed: true });
  });
  afterAll(() => bed.stop());

  it('are not shown to the person who invites', async () => {
    const org_id = await bed.org('Acme');
    const email = newEmail();
    const scope = { kind: 'organization' } as const;
    const by = { kind: 'operator', name: 'Olga\r\nBcc: x@example.com' } as const;
    const made = await bed.people.members.invite({ org_id, scope, role: 'viewer', email, by });
    expect(made.invite_url).toBeNull();
    expect(bed.mails.at(-1)).toMatchObject({ to: [email], subject: 'Invitation to Acme' });
    expect(bed.mails.at(-1)?.text).not.toMatch(/^Bcc/m);
  });

  it('give an unconfirmed account to the person who reads its mail', async () => {
    const email = newEmail();
    const unproved = await openPeople({ on: bed.on });
    const squatter = await unproved.join(await bed.org('Squatter'), 'admin', email);
    const { token } = await bed.invite(await bed.org('Real'), 'viewer', email);
    const password = 'another four words';
    await bed.people.invites.accept(token, { name: 'Owner', password }, null, newPlace());
    expect(await bed.read(squatter.token)).toBeNull();
    const old = bed.people.signIn({ email, password: PASSWORD }, newPlace());
    await expect(old).rejects.toMatchObject({ code: 'unauthorized' });
    const again = await bed.invite(await bed.org('Third'), 'viewer', email);
    expect(await bed.people.invites.read(again.token, null)).toMatchObject({ needs: 'password' });
    const wrong = { name: 'Other', password: PASSWORD };
    await expect(
      bed.people.invites.accept(again.token, wrong, null, newPlace()),
    ).rejects.toMatchObject({ code: 'unauthorized' });
    await unproved.stop();
  });

  it('set a new password once, and end every session', async () => {
    const { email, token: old } = await bed.join(await bed.org());
    await bed.people.recovery.request(email.toUpperCase(), newPlace());
    await bed.settled();
    const link = linkIn(bed.mails.at(-1)?.text ?? '');
    expect(await bed.people.recovery.read(link)).toEqual({ email });
    const password = 'quite another password';
    const used = await Promise.allSettled(
      Array.from({ length: 20 }, () => bed.people.recovery.finish(link, password, newPlace())),
    );
    const won = used.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(won).toHaveLength(1);
    expect(await bed.read(old)).toBeNull();
    expect(await bed.read(cookieIn(won[0]?.cookies ?? []))).toMatchObject({ is_fresh: true });
    await bed.people.signIn({ email, password }, newPlace());
  });

  it('leave the second factor of the first admin on, whose account the operator gave', async () => {
    const token = (await createSetupToken(bed.db, await bed.org(), new Date())) ?? '';
    const email = newEmail();
    const made = await bed.people.invites.accept(token, { ...ME, email }, null, newPlace());
    const signedIn = await bed.read(cookieIn(made.cookies));
    if (!signedIn) throw new Error('the first admin is signed in');
    const { secret } = await bed.people.account.beginTotp(signedIn);
    await bed.people.account.confirmTotp(signedIn, generateSync({ secret }));
    await bed.people.recovery.request(email, newPlace());
    await bed.settled();
    const link = linkIn(bed.mails.at(-1)?.text ?? '');
    const recovered = await bed.people.recovery.finish(link, 'quite another password', newPlace());
    expect(recovered.state).toBe('code_needed');
  });

  it('stay valid when another person requests more, up to five', async () => {
    const { email } = await bed.join(await bed.org());
    const before = bed.mails.length;
    for (let n = 0; n < 12; n++) await bed.people.recovery.request(email, newPlace());
    await bed.settled();
    const mine = bed.mails.slice(before).filter(({ to }) => to.includes(email));
    expect(mine).toHaveLength(5);
    for (const { text = '' } of mine) {
      expect(await bed.people.recovery.read(linkIn(text))).toEqual({ email });
    }
    const late = await openPeople({ on: bed.on });
    late.skip(HALF_AN_HOUR_MS + 1_000);
    expect(await late.people.recovery.read(linkIn(mine[0]?.text ?? ''))).toBeNull();
    await late.stop();
    const last = linkIn(mine.at(-1)?.text ?? '');
    await bed.people.recovery.finish(last, 'quite another password', newPlace());
    await bed.people.recovery.request(email, newPlace());
    await bed.settled();
    expect(bed.mails).toHaveLength(before + 6);
    expect(await bed.people.recovery.read(linkIn(mine[0]?.text ?? ''))).toBeNull();
  });

  it('are not mailed to unknown addresses, with the same answer', async () => {
    const before = bed.mails.length;
    await bed.people.recovery.request(newEmail(), newPlace());
    await bed.settled();
    expect(bed.mails).toHaveLength(before);
  });
});
