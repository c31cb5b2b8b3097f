/** A new password for a member, begun by an admin of the organization. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { linkIn, newPlace, openPeople, PASSWORD, type PeopleBed } from './bed.js';

const NEW_PASSWORD = 'quite another password';

describe('where no mail is set up', () => {
  let bed: PeopleBed;
  beforeAll(async () => {
    bed = await openPeople();
  });
  afterAll(() => bed.stop());

  const reset = async (org: string, memberId: string) =>
    linkIn((await bed.people.members.resetPassword(org, memberId)) ?? '');
  const finish = (link: string) => bed.people.recovery.finish(link, NEW_PASSWORD, newPlace());

  it('an admin is shown a link that sets a password once and ends the sessions of before', async () => {
    const org = await bed.org();
    const { membership_id, token } = await bed.join(org, 'viewer');
    const link = await reset(org, membership_id);
    expect((await finish(link)).state).toBe('signed_in');
    expect(await bed.read(token)).toBeNull();
    await expect(finish(link)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('nobody is shown one for a person of another organization, an invited one, or a stranger', async () => {
    const [org, other] = [await bed.org(), await bed.org('Other')];
    const { membership_id, email } = await bed.join(org);
    const { token } = await bed.invite(other, 'viewer', email);
    await bed.people.invites.accept(token, { password: PASSWORD }, null, newPlace());
    await expect(reset(org, membership_id)).rejects.toMatchObject({ code: 'conflict' });
    await expect(reset(other, membership_id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(reset(org, 'inv_1')).rejects.toMatchObject({ code: 'conflict' });
  });

  it('it ends when the person joins another organization, even at the same time', async () => {
    const [org, other] = [await bed.org(), await bed.org('Other')];
    for (let n = 0; n < 8; n += 1) {
      const { membership_id, email } = await bed.join(org);
      const link = await reset(org, membership_id);
      const { token } = await bed.invite(other, 'viewer', email);
      const join = () =>
        bed.elsewhere.invites.accept(token, { password: PASSWORD }, null, newPlace());
      const both = n % 2 === 0 ? [join(), finish(link)] : [finish(link), join()];
      const done = await Promise.allSettled(both);
      expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    }
  });
});

describe('where mail is set up', () => {
  let bed: PeopleBed;
  beforeAll(async () => {
    bed = await openPeople({ isMailed: true });
  });
  afterAll(() => bed.stop());

  it('the person is mailed the link, and the admin is shown none', async () => {
    const org = await bed.org();
    const { membership_id, email } = await bed.join(org);
    expect(await bed.people.members.resetPassword(org, membership_id)).toBeNull();
    const link = linkIn(bed.mails.findLast(({ to }) => to.includes(email))?.text ?? '');
    expect(await bed.people.recovery.read(link)).toEqual({ email });
  });

  it('at most five links are mailed while the first can be used', async () => {
    const org = await bed.org();
    const { membership_id } = await bed.join(org);
    for (let n = 0; n < 5; n += 1) await bed.people.members.resetPassword(org, membership_id);
    await expect(bed.people.members.resetPassword(org, membership_id)).rejects.toMatchObject({
      code: 'rate_limited',
    });
  });
});
