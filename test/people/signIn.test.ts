/** Signing in with a password and a second factor, and limits on guessing. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generateSync } from 'otplib';
import { newToken } from '../../src/people/security/tokens.js';
import { DEVICE_COOKIE } from '../../src/people/types.js';
import {
  cookieIn,
  newEmail,
  newPlace,
  openPeople,
  PASSWORD,
  type Arrived,
  type PeopleBed,
} from './bed.js';

const WRONG = 'not the right password';
const MINUTE_MS = 60_000;

describe('signing in', () => {
  let bed: PeopleBed;
  let org: string;
  beforeAll(async () => {
    bed = await openPeople();
    org = await bed.org();
  });
  afterAll(() => bed.stop());

  const signIn = (email: string, password: string, from = newPlace()) =>
    bed.people.signIn({ email, password }, from).then(
      (result) => result.state,
      (error: unknown) => error as { code: string; message: string; extras: object },
    );

  it('accepts the address in any case, and issues a new token each time', async () => {
    const { email } = await bed.join(org);
    const input = { email: ` ${email.toUpperCase()} `, password: PASSWORD };
    const tokens = await Promise.all(
      [1, 2].map(async () => cookieIn((await bed.people.signIn(input, newPlace())).cookies)),
    );
    expect(new Set(tokens).size).toBe(2);
    for (const token of tokens) {
      expect(await bed.read(token)).toMatchObject({ person: { email }, via: 'password' });
    }
  });

  it('answers the same for an unknown address as for a wrong password', async () => {
    const { email } = await bed.join(org);
    const [wrong, unknown] = [await signIn(email, WRONG), await signIn(newEmail(), WRONG)];
    expect(wrong).toMatchObject({ code: 'unauthorized' });
    expect(unknown).toEqual(wrong);
  });

  it('locks a client after five wrong passwords, and answers the same for an unknown address', async () => {
    const { email } = await bed.join(org);
    const told = [];
    for (const address of [email, newEmail()]) {
      const from = newPlace();
      for (let n = 0; n < 5; n++) {
        expect(await signIn(address, WRONG, from)).toMatchObject({ code: 'unauthorized' });
      }
      told.push(await signIn(address, PASSWORD, from));
    }
    expect(told[0]).toMatchObject({
      code: 'rate_limited',
      message: expect.stringMatching(/Try again in 15 min/) as unknown as string,
    });
    expect((told[1] as { message: string }).message).toBe((told[0] as { message: string }).message);
    expect(await signIn(email, PASSWORD)).toBe('signed_in');
  });

  it('counts concurrent guesses', async () => {
    const { email } = await bed.join(org);
    const from = newPlace();
    const answers = await Promise.all(Array.from({ length: 30 }, () => signIn(email, WRONG, from)));
    const tried = answers.filter((one) => (one as { code: string }).code === 'unauthorized');
    expect(tried).toHaveLength(5);
  });

  it('locks a client address that tries many accounts, and twice as long the next time', async () => {
    const from = newPlace();
    for (let n = 0; n < 20; n++) await signIn(newEmail(), WRONG, from);
    expect(await signIn(newEmail(), WRONG, from)).toMatchObject({ code: 'rate_limited' });
    const minutes = async (): Promise<number> => {
      const refused = await signIn(newEmail(), WRONG, from);
      return Math.ceil((refused as { extras: { retry_after: number } }).extras.retry_after / 60);
    };
    expect(await minutes()).toBe(15);
    await bed.db.attempts.updateMany(
      { locked_until: { $gt: new Date() } },
      { $set: { locked_until: new Date() } },
    );
    // The first process knows the end of the lock, and does not ask.
    const input = () => ({ email: newEmail(), password: WRONG });
    for (let n = 0; n < 20; n++) {
      const refused = bed.elsewhere.signIn(input(), from);
      await expect(refused).rejects.toMatchObject({ code: 'unauthorized' });
    }
    const again = bed.elsewhere.signIn(input(), from);
    await expect(again).rejects.toMatchObject({
      message: expect.stringMatching(/Try again in 30 min/) as unknown,
    });
  });

  it('does not lock the owner out of a browser or address that has signed in before', async () => {
    const { email, device } = await bed.join(org);
    const home = newPlace();
    expect(await signIn(email, PASSWORD, home)).toBe('signed_in');
    for (let n = 0; n < 55; n++) await signIn(email, WRONG, newPlace());
    expect(await signIn(email, PASSWORD)).toMatchObject({ code: 'rate_limited' });
    expect(await signIn(email, PASSWORD, home)).toBe('signed_in');
    expect(await signIn(email, PASSWORD, newPlace(device))).toBe('signed_in');
  });

  it('does not lock out a browser that has signed in before, whoever else is behind its address', async () => {
    const { email, device } = await bed.join(org);
    const shared = newPlace();
    for (let n = 0; n < 5; n++) await signIn(email, WRONG, shared);
    for (let n = 0; n < 16; n++) await signIn(newEmail(), WRONG, shared);
    expect(await signIn(newEmail(), WRONG, shared)).toMatchObject({ code: 'rate_limited' });
    expect(await signIn(email, PASSWORD, { ...shared, device })).toBe('signed_in');
    const other = newToken();
    const unknown = await signIn(email, PASSWORD, { ...shared, device: other });
    expect(unknown).toMatchObject({ code: 'rate_limited' });
    for (let n = 0; n < 5; n++) {
      const refused = await signIn(email, WRONG, { ...newPlace(), device });
      expect(refused).toMatchObject({ code: 'unauthorized' });
    }
    const guessing = await signIn(email, PASSWORD, { ...newPlace(), device });
    expect(guessing).toMatchObject({ code: 'rate_limited' });
  });

  it('accepts a code of the authenticator once, however many requests send it at once', async () => {
    const person = await withSecondFactor(bed, await bed.join(org));
    bed.skip(MINUTE_MS);
    const code = person.code();
    const waiting = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const from = newPlace();
        const { state, cookies } = await bed.people.signIn(person.input, from);
        expect(state).toBe('code_needed');
        return cookieIn(cookies);
      }),
    );
    expect(await bed.read(waiting[0] ?? '')).toBeNull();
    expect(await bed.people.isCodeNeeded(waiting[0])).toBe(true);
    const tries = waiting.flatMap((token) => Array.from({ length: 4 }, () => token));
    const results = await Promise.allSettled(
      tries.map((token, n) =>
        (n % 2 ? bed.people : bed.elsewhere).secondFactor(token, code, newPlace()),
      ),
    );
    const won = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(won).toHaveLength(1);
    expect(await bed.read(cookieIn(won[0]?.cookies ?? []))).toMatchObject({ is_fresh: true });
    expect(cookieIn(won[0]?.cookies ?? [], DEVICE_COOKIE)).toHaveLength(43);
    const again = bed.people.secondFactor(waiting[1], code, newPlace());
    await expect(again).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('accepts codes up to one step early or late, and each backup code once', async () => {
    const person = await withSecondFactor(bed, await bed.join(org));
    const enter = async (code: string): Promise<unknown> => {
      const from = newPlace();
      const { cookies } = await bed.people.signIn(person.input, from);
      return bed.people.secondFactor(cookieIn(cookies), code, from).then(
        ({ state }) => state,
        (error: unknown) => (error as { code: string }).code,
      );
    };
    bed.skip(5 * MINUTE_MS);
    expect(await enter(person.code(-2 * MINUTE_MS))).toBe('unauthorized');
    expect(await enter(person.code(2 * MINUTE_MS))).toBe('unauthorized');
    expect(await enter(person.code(30_000))).toBe('signed_in');
    expect(await enter(person.code())).toBe('unauthorized');
    const [backup = ''] = person.backup;
    expect(await enter(backup.toUpperCase())).toBe('signed_in');
    expect(await enter(backup)).toBe('unauthorized');
    const rows = await bed.db.people.find({ email: person.input.email }).toArray();
    expect(JSON.stringify(rows)).not.toContain(person.secret);
    expect(JSON.stringify(rows)).not.toContain(backup.replace('-', ''));
  });

  it('is locked after five wrong codes', async () => {
    const person = await withSecondFactor(bed, await bed.join(org));
    const from = newPlace();
    const { cookies } = await bed.people.signIn(person.input, from);
    const enter = (code: string) => bed.people.secondFactor(cookieIn(cookies), code, from);
    for (let n = 0; n < 5; n++) {
      await expect(enter('000000')).rejects.toMatchObject({ code: 'unauthorized' });
    }
    bed.skip(MINUTE_MS);
    await expect(enter(person.code())).rejects.toMatchObject({ code: 'rate_limited' });
  });

  /** Codes by the clock of the bed, which the tests advance. */
  const withSecondFactor = async (on: PeopleBed, { signedIn, email }: Arrived) => {
    const { secret } = await on.people.account.beginTotp(signedIn);
    const code = (byMs = 0): string =>
      generateSync({ secret, epoch: Math.floor((Number(on.now()) + byMs) / 1_000) });
    const { backup_codes } = await on.people.account.confirmTotp(signedIn, code());
    return { secret, code, backup: backup_codes, input: { email, password: PASSWORD } };
  };
});
