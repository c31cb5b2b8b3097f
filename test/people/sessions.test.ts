/** Sessions: their lifetime, the ways to end them, and that an end applies in every process. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateSync } from 'otplib';
import { cookieIn, newPlace, openPeople, PASSWORD, type PeopleBed } from './bed.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NEW_PASSWORD = 'four quite new words';

describe('sessions', () => {
  let bed: PeopleBed;
  let org: string;
  beforeAll(async () => {
    bed = await openPeople();
    org = await bed.org();
  });
  afterAll(() => bed.stop());

  const signIn = async (email: string, password = PASSWORD): Promise<string> =>
    cookieIn((await bed.people.signIn({ email, password }, newPlace())).cookies);

  it('are stored as a hash, and their cookie is hidden from scripts and other sites', async () => {
    const { email, token } = await bed.join(org);
    const { cookies } = await bed.people.signIn({ email, password: PASSWORD }, newPlace());
    expect(cookies[0]).toMatch(
      /^__Host-lw=[\w-]{43}; Max-Age=604800; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
    );
    const rows = await bed.db.sessions.find({}).toArray();
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(await bed.read('x'.repeat(43))).toBeNull();
    expect(await bed.read(`${token}x`)).toBeNull();
  });

  it('end after 12 hours without a request, and after 7 days with them', async () => {
    const own = await openPeople({ on: bed.on });
    const { token } = await own.join(org);
    const idle = (await own.join(org)).token;
    const HOURS = 11;
    for (let passed = HOURS; passed < 7 * 24; passed += HOURS) {
      own.skip(HOURS * HOUR_MS);
      expect(await own.read(token)).not.toBeNull();
    }
    expect(await own.read(idle)).toBeNull();
    own.skip(HOURS * HOUR_MS);
    expect(await own.read(token)).toBeNull();
    await own.stop();
  });

  it('are over at the instant at which they end, and not a millisecond before', async () => {
    const { token, signedIn } = await bed.join(org);
    const stored = await bed.db.sessions.findOne({ id: signedIn.session_id });
    let now = new Date(Number(stored?.expires_at) - 1);
    const clock = { now: () => now, monotonic: () => performance.now() };
    const own = await openPeople({ collections: bed.db, clock });
    // It is read and not used: a use would prolong it.
    await bed.db.sessions.updateOne({ id: signedIn.session_id }, { $set: { seen_at: now } });
    expect(await own.read(token)).not.toBeNull();
    now = new Date(Number(now) + 1);
    expect(await own.read(token)).toBeNull();
    await own.stop();
  });

  it('record when they were last seen at most once a minute', async () => {
    const own = await openPeople({ on: bed.on });
    const { token, signedIn } = await own.join(org);
    const seen = async () =>
      (await bed.db.sessions.findOne({ id: signedIn.session_id }))?.seen_at.getTime();
    const first = await seen();
    own.skip(MINUTE_MS / 2);
    await own.read(token);
    expect(await seen()).toBe(first);
    own.skip(MINUTE_MS);
    await own.read(token);
    expect(await seen()).toBeGreaterThan(first ?? 0);
    await own.stop();
  });

  it('are fresh for 15 minutes, and again after a confirmation', async () => {
    const own = await openPeople({ on: bed.on });
    const { token } = await own.join(org);
    own.skip(16 * MINUTE_MS);
    const stale = await own.read(token);
    if (!stale) throw new Error('the session goes on');
    expect(stale.is_fresh).toBe(false);
    await expect(own.people.account.beginTotp(stale)).rejects.toMatchObject({ code: 'forbidden' });
    const wrong = own.people.confirmFresh(stale, { password: 'wrong password' }, newPlace());
    await expect(wrong).rejects.toMatchObject({ code: 'unauthorized' });
    await own.people.confirmFresh(stale, { password: PASSWORD }, newPlace());
    expect(await own.read(token)).toMatchObject({ is_fresh: true });
    await own.stop();
  });

  it('are listed for their owner, who ends one at once in every process', async () => {
    const person = await bed.join(org);
    const other = await signIn(person.email);
    const listed = await bed.people.sessions.list(person.signedIn);
    expect(listed).toHaveLength(2);
    expect(listed.filter(({ is_current }) => is_current)).toMatchObject([
      { id: person.signedIn.session_id, user_agent: 'Test browser', via: 'password' },
    ]);
    const otherId = listed.find(({ is_current }) => !is_current)?.id ?? '';
    const stranger = await bed.join(org);
    const foreign = bed.people.sessions.revoke(stranger.signedIn, otherId);
    await expect(foreign).rejects.toMatchObject({ code: 'not_found' });
    expect(await bed.read(other)).not.toBeNull();
    await bed.people.sessions.revoke(person.signedIn, otherId);
    expect(await bed.read(other)).toBeNull();
    expect(await bed.read(person.token)).not.toBeNull();
    await bed.people.signOut(person.token);
    expect(await bed.read(person.token)).toBeNull();
  });

  it('end with a new password, including those that begin while it is changed', async () => {
    const person = await bed.join(org);
    const others = await Promise.all([signIn(person.email), signIn(person.email)]);
    const input = { current_password: PASSWORD, password: NEW_PASSWORD };
    const [cookies, ...late] = await Promise.all([
      bed.people.account.changePassword(person.signedIn, input, newPlace()),
      ...Array.from({ length: 6 }, () => signIn(person.email).catch(() => '')),
    ]);
    for (const token of [person.token, ...others, ...late]) {
      expect(await bed.read(token)).toBeNull();
    }
    expect(await bed.read(cookieIn(cookies))).toMatchObject({ is_fresh: true });
    await signIn(person.email, NEW_PASSWORD);
  });

  it('cannot change the password without the current one', async () => {
    const { signedIn, email, token } = await bed.join(org);
    const input = { current_password: 'a guess of it', password: NEW_PASSWORD };
    await expect(
      bed.people.account.changePassword(signedIn, input, newPlace()),
    ).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await bed.read(token)).not.toBeNull();
    await signIn(email);
  });

  it('end when a second factor is added, except the one that adds it', async () => {
    const { signedIn, email, token } = await bed.join(org);
    const other = await signIn(email);
    const { secret } = await bed.people.account.beginTotp(signedIn);
    const epoch = Math.floor(Number(bed.now()) / 1_000);
    const wrong = bed.people.account.confirmTotp(signedIn, 'abcdef');
    await expect(wrong).rejects.toMatchObject({ extras: { details: [{ path: 'code' }] } });
    const code = generateSync({ secret, epoch });
    const { backup_codes } = await bed.people.account.confirmTotp(signedIn, code);
    expect(new Set(backup_codes).size).toBe(10);
    expect(await bed.read(other)).toBeNull();
    expect(await bed.read(token)).not.toBeNull();
    expect(await bed.people.account.view(signedIn)).toMatchObject({
      has_totp: true,
      backup_codes_left: 10,
    });
  });

  it('need a code of a second factor that is on, not the password alone, and cannot replace it', async () => {
    const { signedIn } = await bed.join(org);
    const { secret } = await bed.people.account.beginTotp(signedIn);
    const epoch = Math.floor(Number(bed.now()) / 1_000);
    const code = (steps: number) => generateSync({ secret, epoch: epoch + 30 * steps });
    await bed.people.account.confirmTotp(signedIn, code(0));
    const byPassword = bed.people.confirmFresh(signedIn, { password: PASSWORD }, newPlace());
    await expect(byPassword).rejects.toMatchObject({ code: 'unauthorized' });
    await bed.people.confirmFresh(signedIn, { code: code(1) }, newPlace());
    await expect(bed.people.account.beginTotp(signedIn)).rejects.toMatchObject({
      code: 'conflict',
      message: 'Two-step sign-in is on. Turn it off before you set up another authenticator.',
    });
  });

  it('cannot become fresh by a new password while a second factor is on', async () => {
    const own = await openPeople({ on: bed.on });
    const { signedIn, token } = await own.join(org);
    const { secret } = await own.people.account.beginTotp(signedIn);
    await own.people.account.confirmTotp(signedIn, generateSync({ secret }));
    own.skip(16 * MINUTE_MS);
    const stale = await own.read(token);
    if (!stale) throw new Error('the session goes on');
    const input = { current_password: PASSWORD, password: NEW_PASSWORD };
    await expect(own.people.account.changePassword(stale, input, newPlace())).rejects.toMatchObject(
      { code: 'forbidden' },
    );
    await own.stop();
  });

  it('cannot replace a second factor that another session turns on meanwhile', async () => {
    const { signedIn, email } = await bed.join(org);
    const other = await bed.read(await signIn(email));
    if (!other) throw new Error('the session goes on');
    const first = await bed.people.account.beginTotp(signedIn);
    await bed.people.account.confirmTotp(signedIn, generateSync({ secret: first.secret }));
    const before = await bed.db.people.findOne({ email });
    await expect(
      bed.people.account.confirmTotp(other, generateSync({ secret: first.secret })),
    ).rejects.toMatchObject({ code: 'conflict' });
    expect(await bed.db.people.findOne({ email })).toEqual(before);
  });
});
