/** What a request of a signed-in person is known by: its session, and the membership that it names. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { record, type Recorder } from '../app/queries/explain.js';
import { openDatabase, type TestDatabase } from '../support/database.js';
import { openPeople, type PeopleBed } from './bed.js';

const NOT_FOUND = { code: 'not_found' };

describe('a request of a signed-in person', () => {
  let on: TestDatabase;
  let bed: PeopleBed;
  let recorder: Recorder;
  beforeAll(async () => {
    on = await openDatabase({ monitorCommands: true });
    bed = await openPeople({ on });
    recorder = record(on.client);
  });
  afterAll(async () => {
    await bed.stop();
    await on.drop();
  });

  it('has the membership that it names, where it is one of its own', async () => {
    const org = await bed.org();
    const [one, other] = [await bed.join(org), await bed.join(org, 'viewer')];
    const { people } = bed;
    const [own, foreign, none, unnamed] = await Promise.all([
      people.enter(one.token, one.membership_id),
      people.enter(one.token, other.membership_id),
      people.enter(one.token, 'mem_0'),
      people.enter(one.token),
    ]);
    expect(own?.membership).toMatchObject({ _id: one.membership_id, org_id: org });
    expect([foreign, none, unnamed]).toMatchObject([
      { membership: null, signedIn: one.signedIn },
      { membership: null },
      { membership: null },
    ]);
    expect(await people.enter('no token', one.membership_id)).toBeNull();
    expect(await people.enter(other.token.replaceAll(/\w/g, 'A'), one.membership_id)).toBeNull();
  });

  it('opens it only for the person and the id that it was read for', async () => {
    const org = await bed.org();
    const [one, other] = [await bed.join(org), await bed.join(org)];
    const { people } = bed;
    const found = (await people.enter(one.token, one.membership_id))?.membership;
    const { signedIn, membership_id } = one;
    expect(await people.membership(signedIn, membership_id, { found })).toMatchObject({
      id: membership_id,
    });
    const attempts = [
      people.membership(other.signedIn, membership_id, { found }),
      people.membership(signedIn, other.membership_id, { found }),
      people.membership(signedIn, membership_id, { found: null }),
      people.membership({ ...signedIn, via: 'oidc', oidc_org_id: 'another' }, membership_id, {
        found,
      }),
    ];
    for (const attempt of attempts) await expect(attempt).rejects.toMatchObject(NOT_FOUND);
  });

  it('costs one query with others that come at once, of whatever session', async () => {
    const org = await bed.org();
    const [one, other] = [await bed.join(org), await bed.join(org)];
    const asked = [one, one, other, one].map(({ token, membership_id }) => ({
      token,
      membership_id,
    }));
    const before = recorder.sent.length;
    await recorder.during('enter', async () => {
      const entered = await Promise.all(
        asked.map(({ token, membership_id }) => bed.people.enter(token, membership_id)),
      );
      expect(entered.map((each) => each?.membership?._id)).toEqual(
        asked.map(({ membership_id }) => membership_id),
      );
    });
    expect(recorder.sent.slice(before)).toMatchObject([{ collection: 'sessions' }]);
  });

  it('is not known any more once its session or its membership has ended', async () => {
    const org = await bed.org();
    await bed.join(org);
    const { token, membership_id, signedIn } = await bed.join(org, 'viewer');
    const { people, elsewhere } = bed;
    expect((await people.enter(token, membership_id))?.membership).not.toBeNull();
    await elsewhere.members.remove(org, membership_id);
    expect(await people.enter(token, membership_id)).toMatchObject({ membership: null });
    await elsewhere.signOut(token);
    expect(await people.enter(token, membership_id)).toBeNull();
    expect(await people.isSessionLive(signedIn)).toBe(false);
  });

  it('marks the session as seen once, however many come at once', async () => {
    const { token, membership_id } = await bed.join(await bed.org());
    bed.skip(61_000);
    const before = recorder.sent.length;
    await recorder.during('seen', async () => {
      await Promise.all([1, 2, 3].map(() => bed.people.enter(token, membership_id)));
      await bed.people.enter(token, membership_id);
    });
    expect(recorder.sent.slice(before).map(({ kind }) => kind)).toEqual([
      'aggregate',
      'update',
      'aggregate',
    ]);
  });
});
