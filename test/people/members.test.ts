/** Members of an organization and of its partners: changes by admins, and their effect on open sessions. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Scope } from '../../src/people/types.js';
import { linkIn, newEmail, newPlace, openPeople, PASSWORD, type PeopleBed } from './bed.js';

const LAST = { code: 'conflict', message: expect.stringContaining('last admin') as unknown };
const NOT_FOUND = { code: 'not_found' };
const BY = { kind: 'operator', name: 'Test' } as const;

describe('members', () => {
  let bed: PeopleBed;
  beforeAll(async () => {
    bed = await openPeople();
  });
  afterAll(() => bed.stop());

  it('keep one admin when all admins leave or step down concurrently', async () => {
    for (let round = 0; round < 4; round++) {
      const org = await bed.org();
      const admins = [];
      for (let n = 0; n < 4; n++) admins.push(await bed.join(org));
      const { members } = bed.people;
      const ended = await Promise.allSettled(
        admins.map(({ membership_id }, n) =>
          n % 2
            ? members.remove(org, membership_id)
            : bed.elsewhere.members.update(org, membership_id, { role: 'viewer', by: BY }),
        ),
      );
      const refused = ended.filter(({ status }) => status === 'rejected');
      expect(refused).toMatchObject([{ reason: LAST }]);
      const left = (await members.list(org)).filter(({ role }) => role === 'admin');
      expect(left).toHaveLength(1);
      await expect(members.remove(org, left[0]?.id ?? '')).rejects.toMatchObject(LAST);
    }
  });

  it('lose access at their next request when they are removed', async () => {
    const org = await bed.org();
    await bed.join(org);
    const { signedIn, membership_id } = await bed.join(org, 'operator');
    expect(await bed.elsewhere.membership(signedIn, membership_id)).toMatchObject({ org_id: org });
    await bed.people.members.remove(org, membership_id);
    const asked = bed.elsewhere.membership(signedIn, membership_id);
    await expect(asked).rejects.toMatchObject(NOT_FOUND);
    expect(await bed.elsewhere.memberships(signedIn)).toEqual([]);
  });

  it('must sign in again for the organization that changed their role, and for no other', async () => {
    const [org, other] = [await bed.org(), await bed.org()];
    await bed.join(org);
    const person = await bed.join(org, 'viewer');
    const { token: link } = await bed.invite(other, 'viewer', person.email);
    const elsewhere = await bed.people.invites.accept(link, {}, person.signedIn, newPlace());
    await bed.people.members.update(org, person.membership_id, { role: 'analyst', by: BY });
    const stale = await bed.read(person.token);
    if (!stale) throw new Error('the session itself goes on');
    await expect(bed.people.membership(stale, person.membership_id)).rejects.toMatchObject({
      code: 'unauthorized',
    });
    expect(await bed.people.membership(stale, elsewhere.membership_id ?? '')).toMatchObject({
      org_id: other,
      role: 'viewer',
    });
    await bed.people.confirmFresh(stale, { password: PASSWORD }, newPlace());
    const fresh = await bed.read(person.token);
    expect(fresh && (await bed.people.membership(fresh, person.membership_id))).toMatchObject({
      role: 'analyst',
    });
  });

  it('of one organization are hidden from another, and those of one partner from another partner', async () => {
    const [org, other] = [await bed.org(), await bed.org()];
    const { membership_id, signedIn } = await bed.join(org);
    const { members } = bed.people;
    const buyer: Scope = { kind: 'buyer', buyer_id: 'buyer-1' };
    const attempts = (within: [string, Scope?]) => [
      members.update(within[0], membership_id, { role: 'viewer', by: BY }, within[1]),
      members.remove(within[0], membership_id, within[1]),
      members.sessions(within[0], membership_id, within[1]),
      members.revokeSession(within[0], membership_id, signedIn.session_id, within[1]),
    ];
    const ended = await Promise.allSettled([...attempts([other]), ...attempts([org, buyer])]);
    expect(ended).toEqual(
      ended.map(() => ({
        status: 'rejected',
        reason: expect.objectContaining(NOT_FOUND),
      })),
    );
    const stranger = await bed.join(other);
    const foreign = bed.people.membership(stranger.signedIn, membership_id);
    const none = bed.people.membership(stranger.signedIn, 'mem_0');
    const answers = await Promise.allSettled([foreign, none]);
    const texts = answers.map((one) => one.status === 'rejected' && String(one.reason));
    expect(texts[0]).toBe(texts[1]);
  });

  it('have the roles of their scope, and an address once', async () => {
    const org_id = await bed.org();
    const admin = await bed.join(org_id);
    const supplier: Scope = { kind: 'supplier', supplier_id: 's-1' };
    const { members } = bed.people;
    const base = { org_id, by: BY, email: newEmail() };
    await expect(
      members.invite({ ...base, scope: supplier, role: 'operator' }),
    ).rejects.toMatchObject({ extras: { details: [{ path: 'role', code: 'not_allowed' }] } });
    await expect(
      members.invite({ ...base, email: 'nobody', scope: supplier, role: 'admin' }),
    ).rejects.toMatchObject({ extras: { details: [{ path: 'email' }] } });
    await expect(
      members.invite({
        ...base,
        email: admin.email,
        scope: { kind: 'organization' },
        role: 'viewer',
      }),
    ).rejects.toMatchObject({ code: 'conflict' });
    const first = await members.invite({ ...base, scope: supplier, role: 'viewer' });
    const second = await members.invite({ ...base, scope: supplier, role: 'admin' });
    expect(await bed.people.invites.read(linkIn(first.invite_url ?? ''), null)).toBeNull();
    const listed = await members.list(org_id, supplier);
    expect(listed).toEqual([second.member]);
    expect(listed).toMatchObject([{ state: 'invited', role: 'admin', email: base.email }]);
  });

  it('are invited by teams of partners and by the organization out of counts of their own', async () => {
    const org_id = await bed.org();
    const [one, other] = ['buyer-8', 'buyer-9'].map((buyer_id): Scope => ({
      kind: 'buyer',
      buyer_id,
    }));
    if (!one || !other) throw new Error('there are two');
    const invite = (scope: Scope, isOwnTeam?: true) =>
      bed.people.members.invite({
        org_id,
        scope,
        role: 'viewer',
        email: newEmail(),
        by: BY,
        ...(isOwnTeam && { isOwnTeam }),
      });
    for (let n = 0; n < 50; n++) await invite(one, true);
    await expect(invite(one, true)).rejects.toMatchObject({
      code: 'rate_limited',
      message: 'The team of a portal can invite 50 people a day. Try again later.',
      extras: { retry_after: expect.any(Number) as unknown },
    });
    expect(await bed.db.windows.countDocuments({ _id: `invites:${org_id}` })).toBe(0);
    await invite(other, true);
    await invite(one);
    const used = await bed.db.windows.findOne({ _id: `invites:${org_id}` });
    expect(used?.uses.all).toBe(1);
  });

  it('have sessions that an admin ends for this organization alone', async () => {
    const [org, other] = [await bed.org(), await bed.org()];
    await bed.join(org);
    const person = await bed.join(org, 'viewer');
    const { token: link } = await bed.invite(other, 'viewer', person.email);
    const { membership_id } = await bed.people.invites.accept(
      link,
      {},
      person.signedIn,
      newPlace(),
    );
    const [session] = await bed.people.members.sessions(org, person.membership_id);
    expect(session).toMatchObject({ id: person.signedIn.session_id, is_current: false });
    await bed.people.members.revokeSession(org, person.membership_id, session?.id ?? '');
    const now = await bed.read(person.token);
    if (!now) throw new Error('the session itself goes on');
    await expect(bed.elsewhere.membership(now, person.membership_id)).rejects.toMatchObject({
      code: 'unauthorized',
    });
    expect(await bed.elsewhere.membership(now, membership_id ?? '')).toMatchObject({
      org_id: other,
    });
    expect(await bed.people.members.sessions(org, person.membership_id)).toEqual([]);
  });

  it('have no access while the portal is closed', async () => {
    const closed = await openPeople({
      on: bed.on,
      isOpen: ({ scope }) => Promise.resolve(scope.kind === 'organization'),
    });
    const org_id = await bed.org();
    const scope: Scope = { kind: 'buyer', buyer_id: 'buyer-2' };
    const email = newEmail();
    const made = await bed.people.members.invite({ org_id, scope, role: 'admin', email, by: BY });
    const input = { name: 'Bea Buyer', password: PASSWORD };
    const link = linkIn(made.invite_url ?? '');
    const { membership_id } = await bed.people.invites.accept(link, input, null, newPlace());
    const person = await bed.db.people.findOne({ email });
    const [session] = await bed.db.sessions.find({ person_id: person?._id ?? '' }).toArray();
    expect(session).toBeDefined();
    const signedIn = {
      session_id: session?.id ?? '',
      person: { id: person?._id ?? '', email, name: '' },
      is_fresh: true,
      confirmed_at: new Date(),
      via: 'password',
      barred: [],
    } as const;
    expect(await bed.people.membership(signedIn, membership_id ?? '')).toMatchObject({
      role: 'admin',
    });
    await expect(closed.people.membership(signedIn, membership_id ?? '')).rejects.toMatchObject(
      NOT_FOUND,
    );
    await closed.stop();
  });
});
