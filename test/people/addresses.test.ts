/** One person has one address, however its domain is written, also where an earlier release stored it as it was typed. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { linkIn, newPlace, openPeople, PASSWORD, type PeopleBed } from './bed.js';

const NEW_PASSWORD = 'five other words that differ';

describe('an address of a domain that is not written in ASCII', () => {
  let bed: PeopleBed;
  let org: string;
  let drawn = 0;
  beforeAll(async () => {
    bed = await openPeople({ isMailed: true });
    org = await bed.org();
  });
  afterAll(() => bed.stop());

  /** One address: as it is stored now, as an earlier release stored it, and as people type it. */
  const address = () => {
    const local = `pat.${(drawn += 1)}`;
    return {
      ascii: `${local}@xn--bcher-kva.example`,
      earlier: `${local}@bücher.example`,
      typed: [
        `${local}@BÜCHER.example`,
        `${local}@XN--BCHER-KVA.example`,
        `${local}@bu\u0308cher。example`,
      ],
    };
  };
  const signIn = (email: string, password = PASSWORD) =>
    bed.people.signIn({ email, password }, newPlace()).then(
      ({ state }) => state,
      (error: unknown) => (error as { code: string }).code,
    );
  /** A member whose address an earlier release stored. */
  const earlierMember = async () => {
    const { ascii, ...rest } = address();
    const { signedIn } = await bed.join(org, 'viewer', ascii);
    await bed.db.people.updateOne({ email: ascii }, { $set: { email: rest.earlier } });
    return { ascii, ...rest, id: signedIn.person.id };
  };

  it('is stored in one form, and signs in in every one', async () => {
    const { ascii, earlier, typed } = address();
    await bed.join(org, 'viewer', ascii);
    expect(await bed.db.people.countDocuments({ email: ascii })).toBe(1);
    for (const one of [ascii, earlier, ...typed]) expect(await signIn(one)).toBe('signed_in');
  });

  it('signs in when an earlier release stored it as it was typed', async () => {
    const { ascii, earlier, typed } = await earlierMember();
    for (const one of [ascii, earlier, ...typed]) expect(await signIn(one)).toBe('signed_in');
    expect(await signIn(ascii, 'not the right password')).toBe('unauthorized');
  });

  it('is locked for all its forms together', async () => {
    const { ascii, earlier } = await earlierMember();
    const from = newPlace();
    for (const email of [ascii, earlier, ascii, earlier, ascii])
      await bed.people.signIn({ email, password: 'wrong' }, from).catch(() => undefined);
    await expect(
      bed.people.signIn({ email: earlier, password: PASSWORD }, from),
    ).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('means the account that is written like this where an earlier release made two', async () => {
    const { ascii, earlier, id } = await earlierMember();
    const other = {
      _id: 'per_other',
      email: ascii,
      name: 'Other',
      created_at: new Date(),
      epoch: 1,
    };
    await bed.db.people.insertOne(other);
    expect(await signIn(earlier)).toBe('signed_in');
    expect(await signIn(ascii)).toBe('unauthorized');
    expect(await bed.db.people.countDocuments({ _id: { $in: [id, other._id] } })).toBe(2);
  });

  it('gets a new password by each of its forms', async () => {
    const { ascii, earlier } = await earlierMember();
    await bed.people.recovery.request(ascii, newPlace());
    await bed.settled();
    const token = linkIn(bed.mails.findLast(({ to }) => to.includes(ascii))?.text ?? '');
    await bed.people.recovery.finish(token, NEW_PASSWORD, newPlace());
    expect(await signIn(earlier, NEW_PASSWORD)).toBe('signed_in');
  });

  it('is a member once, and an invitation in another form opens its account', async () => {
    const { ascii, typed, id } = await earlierMember();
    const [email = ''] = typed;
    await expect(bed.invite(org, 'viewer', email)).rejects.toMatchObject({ code: 'conflict' });
    const { token } = await bed.invite(await bed.org(), 'viewer', ascii);
    const input = { name: 'Pat', password: PASSWORD };
    expect(await bed.people.invites.accept(token, input, null, newPlace())).toMatchObject({
      state: 'signed_in',
    });
    const people = bed.db.people.find({
      email: new RegExp(`^${ascii.split('@')[0] ?? ''}@`),
    });
    expect((await people.toArray()).map(({ _id }) => _id)).toEqual([id]);
  });

  it('is stored in its form of today when an earlier invitation is accepted', async () => {
    const { ascii, earlier } = address();
    const { token } = await bed.invite(org, 'viewer', ascii);
    await bed.db.accessLinks.updateOne({ email: ascii }, { $set: { email: earlier } });
    const input = { name: 'Pat', password: PASSWORD };
    await bed.people.invites.accept(token, input, null, newPlace());
    expect(await bed.db.people.countDocuments({ email: ascii })).toBe(1);
    expect(await signIn(earlier)).toBe('signed_in');
  });
});
