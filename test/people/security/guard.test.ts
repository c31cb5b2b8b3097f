/** What guesses and requests of strangers cost: the counts that are stored, and when the database is not asked at all. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createGuard, type Guard } from '../../../src/people/security/guard.js';
import { newToken } from '../../../src/people/security/tokens.js';
import { createKeyring } from '../../../src/platform/security/seal.js';
import { openDatabase, type TestDatabase } from '../../support/database.js';

const keyring = createKeyring('test secret of thirty-two letters');
const LIMITED = { code: 'rate_limited' };
const BUSY = { code: 'unavailable', extras: { retry_after: 2 } };
const SOME = { atOnce: 300, perSecond: 5 };

let drawn = 0;
const anEmail = (): string => `guess.${(drawn += 1)}@example.com`;

describe('guesses of strangers', () => {
  let on: TestDatabase;
  let now = 0;
  beforeAll(async () => {
    on = await openDatabase();
  });
  afterAll(() => on.drop());

  const clock = { now: () => new Date(), monotonic: () => now };
  const open = (limits?: Parameters<typeof createGuard>[1]): Guard =>
    createGuard({ collections: on.collections, keyring, clock }, limits);
  const stored = () => on.collections.attempts.find().sort({ _id: 1 }).toArray();
  const guess = (guard: Guard, ip: string, email = anEmail()) =>
    guard.enter('password', email, { ip }, []);
  const times = async (count: number, work: (n: number) => Promise<unknown>) => {
    for (let n = 0; n < count; n++) await work(n);
  };

  it('store nothing from an address that is locked, whatever accounts they name', async () => {
    const guard = open();
    await times(20, () => guess(guard, '192.0.2.1'));
    await expect(guess(guard, '192.0.2.1')).rejects.toMatchObject(LIMITED);
    const before = await stored();
    await times(50, () => expect(guess(guard, '192.0.2.1')).rejects.toMatchObject(LIMITED));
    await times(5, () =>
      expect(
        guard.enter('code', 'per_x', { ip: '192.0.2.1', device: newToken() }, []),
      ).rejects.toMatchObject(LIMITED),
    );
    expect(() => guard.requireOpen({ ip: '192.0.2.1' })).toThrow(/Too many attempts/);
    expect(await stored()).toEqual(before);
    // Another process asks the database once, for the address alone.
    const elsewhere = open();
    await expect(guess(elsewhere, '192.0.2.1')).rejects.toMatchObject(LIMITED);
    expect(await stored()).toHaveLength(before.length);
  });

  it('of one account from an address ask the database no more than every few seconds', async () => {
    const guard = open();
    const email = anEmail();
    await times(5, () => guess(guard, '192.0.2.2', email));
    await expect(guess(guard, '192.0.2.2', email)).rejects.toMatchObject(LIMITED);
    const before = await stored();
    await times(50, () => expect(guess(guard, '192.0.2.2', email)).rejects.toMatchObject(LIMITED));
    expect(await stored()).toEqual(before);
    // The owner sets a new password in another process.
    await open().forget('password', email, { ip: '192.0.2.2' });
    now += 5_001;
    await guess(guard, '192.0.2.2', email);
  });

  it('are counted for an IPv6 /48 together, however many of its networks they come from', async () => {
    const guard = open();
    await times(100, (n) => guess(guard, `2001:db8:7:${n.toString(16)}::1`));
    const before = await stored();
    await times(20, (n) =>
      expect(guess(guard, `2001:db8:7:a${n.toString(16)}::1`)).rejects.toMatchObject(LIMITED),
    );
    expect(await stored()).toHaveLength(before.length);
    await guess(guard, '2001:db8:8::1');
  });

  it('have a budget together, beyond which nothing is stored; a browser that is known is let in', async () => {
    const guard = open({ password: { atOnce: 3, perSecond: 1 }, recovery: SOME, provider: SOME });
    await times(3, (n) => guess(guard, `203.0.113.${n}`));
    const before = await stored();
    await times(20, (n) =>
      expect(guess(guard, `203.0.113.1${n}`)).rejects.toMatchObject({
        ...BUSY,
        message: 'Too many people are signing in right now. Try again in a few seconds.',
      }),
    );
    expect(await stored()).toEqual(before);
    const own = { ip: '203.0.113.200', device: newToken() };
    const entered = await guard.enter('password', anEmail(), own, guard.placesOf(own));
    expect(entered.isOwn).toBe(true);
    now += 1_001;
    await guess(guard, '203.0.113.201');
    await expect(guess(guard, '203.0.113.202')).rejects.toMatchObject(BUSY);
  });

  it.each(['recovery', 'provider'] as const)(
    'and requests (%s) have limits of the same kinds',
    async (what) => {
      const limits = { password: SOME, recovery: SOME, provider: SOME };
      const guard = open({ ...limits, [what]: { atOnce: 2, perSecond: 1 } });
      const ask = (ip: string) => guard.enterRequest(what, { ip });
      await times(2, (n) => ask(`198.18.0.${n}`));
      const before = await stored();
      await times(10, (n) => expect(ask(`198.18.1.${n}`)).rejects.toMatchObject(BUSY));
      expect(await stored()).toEqual(before);
      if (what === 'provider') return;
      const other = open();
      await times(20, () => other.enterRequest(what, { ip: '198.18.2.1' }));
      const locked = () => expect(other.enterRequest(what, { ip: '198.18.2.1' }));
      await locked().rejects.toMatchObject(LIMITED);
      const then = await stored();
      await times(10, () => locked().rejects.toMatchObject(LIMITED));
      expect(await stored()).toEqual(then);
    },
  );
});
