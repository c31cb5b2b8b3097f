/** An address under which a stranger has made an account, where no mail server could prove whose it is. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateSync } from 'otplib';
import { createRecoveryToken } from '../../src/people/links/hostLinks.js';
import { cookieIn, newEmail, newPlace, openPeople, PASSWORD, type PeopleBed } from './bed.js';

const OWNERS = 'what the owner chose now';

describe('an address that a stranger was first to use', () => {
  let bed: PeopleBed;
  beforeAll(async () => {
    bed = await openPeople();
  });
  afterAll(() => bed.stop());

  /** Another organization was shown the link, and made the account with a second factor and a provider. */
  const squat = async (email: string) => {
    const org = await bed.org('Squatters');
    await bed.join(org);
    const stranger = await bed.join(org, 'viewer', email);
    const { secret } = await bed.people.account.beginTotp(stranger.signedIn);
    const code = generateSync({ secret, epoch: Math.floor(Number(bed.now()) / 1_000) });
    await bed.people.account.confirmTotp(stranger.signedIn, code);
    const person_id = stranger.signedIn.person.id;
    await bed.db.identities.insertOne({
      _id: `of ${email}`,
      org_id: org,
      issuer: 'https://login.example.com',
      subject: 'stranger',
      person_id,
      created_at: bed.now(),
    });
    return { ...stranger, person_id };
  };
  const recover = async (email: string, options: { givesToOwner?: boolean }) => {
    const token = await createRecoveryToken(bed.db, email, bed.now(), options);
    return bed.people.recovery.finish(token, OWNERS, newPlace());
  };
  const left = async (person_id: string) => [
    await bed.db.memberships.countDocuments({ person_id }),
    await bed.db.identities.countDocuments({ person_id }),
  ];

  it('is given back by the operator, without anything of the stranger, and accepts then', async () => {
    const email = newEmail();
    const { token, person_id } = await squat(email);
    const org = await bed.org('Owners');
    const invite = await bed.invite(org, 'operator', email);
    const input = { name: 'Olive Owner', password: OWNERS };
    await expect(
      bed.people.invites.accept(invite.token, input, null, newPlace()),
    ).rejects.toMatchObject({ code: 'unauthorized' });
    const { state, cookies } = await recover(email, { givesToOwner: true });
    expect(state).toBe('signed_in');
    const owner = await bed.read(cookieIn(cookies));
    if (!owner) throw new Error('nobody is signed in');
    expect([await bed.read(token), await left(person_id)]).toEqual([null, [0, 0]]);
    const stranger = bed.people.signIn({ email, password: PASSWORD }, newPlace());
    await expect(stranger).rejects.toMatchObject({ code: 'unauthorized' });
    await bed.people.invites.accept(invite.token, {}, owner, newPlace());
    expect(await bed.people.memberships(owner)).toMatchObject([{ org_id: org, role: 'operator' }]);
    expect(await bed.db.people.findOne({ email })).toMatchObject({ proved_at: expect.any(Date) });
  });

  it('keeps its second factor and what it belongs to where the operator only helps with a password', async () => {
    const email = newEmail();
    const { person_id } = await squat(email);
    expect((await recover(email, {})).state).toBe('code_needed');
    expect(await left(person_id)).toEqual([1, 1]);
  });
});
