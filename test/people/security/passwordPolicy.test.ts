import { describe, expect, it } from '@jest/globals';
import { createLog } from '../../../src/lib/log.js';
import { createPasswordPolicy } from '../../../src/people/security/passwordPolicy.js';

const log = createLog('silent', 'test');
const NO_LIST = { breachedPasswords: null, log };
const EMAIL = 'mary.kowalski@brightleads.example';

describe('a password', () => {
  const policy = createPasswordPolicy(NO_LIST);
  const check = (password: string, email: string) => policy.check(password, email);

  it.each([
    ['nothing', '', 'required', 'password must have at least 12 characters.'],
    ['11 characters', 'xK9#mQ2$vL7', 'out_of_range', 'password must have at least 12 characters.'],
    [
      '257 characters',
      'kettle orbit'.padEnd(257, 'q8Z'),
      'too_long',
      'password must have at most 256 characters.',
    ],
  ])('of %s is refused for its length', async (_, password, code, message) => {
    await expect(check(password, EMAIL)).rejects.toMatchObject({
      code: 'validation_failed',
      extras: { field_errors: [{ field: 'password', code, message }] },
    });
  });

  it('of more than 1,024 units is refused before its marks are put in order, which takes seconds', async () => {
    const unordered = `a${'\u0301'.repeat(65_000)}${'\u0316'.repeat(65_000)}`;
    await expect(check(unordered, EMAIL)).rejects.toMatchObject({
      extras: { field_errors: [{ field: 'password', code: 'too_long' }] },
    });
  }, 2_000);

  it('has its length in characters as people count them', async () => {
    // Twelve characters of two UTF-16 units each.
    await check('🐙🛶🧲🪁🦔🧊🎻🪂🦉🧵🥝🪐', EMAIL);
    // Eleven characters, four of which may also be typed as two.
    const eleven = 'éttlé órbít'.normalize('NFD');
    expect(Array.from(eleven).length).toBeGreaterThan(12);
    await expect(check(eleven, EMAIL)).rejects.toMatchObject({
      extras: { field_errors: [{ code: 'out_of_range' }] },
    });
  });

  it.each([
    '123456789012',
    '987654321098',
    'abcdefghijkl',
    'abababababab',
    'passwordpassword',
    'Password1234',
    'P@ssw0rd1234',
    // Full-width: it is stored as password1234.
    'ｐａｓｓｗｏｒｄ１２３４',
    'password2026',
    'Password2026!',
    'qwertyuiop123',
    '1qaz2wsx3edc',
    'letmein12345',
    'welcome12345',
    'administrator1',
    'iloveyouforever',
    'manchester123',
    'a'.repeat(256),
    'mary.kowalski@brightleads.example',
    'marykowalski1',
    'brightleads12',
    'leadwire1234',
    'Leadwire2026!',
  ])('is refused because it is guessed early: %s', async (password) => {
    await expect(check(password, EMAIL)).rejects.toMatchObject({
      code: 'validation_failed',
      extras: {
        details: [
          {
            path: 'password',
            code: 'not_allowed',
            message:
              'This password is easy to guess. Choose another, such as four words that do not belong together.',
          },
        ],
      },
    });
  });

  it.each([
    'kettle orbit mango thirteen',
    'four words that differ',
    'xK9#mQ2$vL7p',
    'vier wörter ohne sinn',
    '我喜欢在雨天喝热茶和看书',
    'žabe skaču po mjesecu',
  ])('is taken whatever it is made of: %s', async (password) => {
    await check(password, EMAIL);
  });

  it('of another person is not compared with this address', async () => {
    await check('mary.kowalski@brightleads.example', 'someone@else.example');
  });

  it('is checked beside many others, and each gets its own answer', async () => {
    const asked = Array.from({ length: 40 }, (_, n) =>
      n % 2 === 0 ? `kettle orbit mango ${n}` : `password${1000 + n}`,
    );
    const answers = await Promise.allSettled(asked.map((password) => check(password, EMAIL)));
    expect(answers.map(({ status }) => status)).toEqual(
      asked.map((_, n) => (n % 2 === 0 ? 'fulfilled' : 'rejected')),
    );
  });

  it('is refused as busy where sixty are being checked', async () => {
    const policy = createPasswordPolicy(NO_LIST);
    const asked = Array.from({ length: 80 }, () => policy.check('kettle orbit mango', EMAIL));
    const answers = await Promise.allSettled(asked);
    const refused = answers.filter((one) => one.status === 'rejected');
    expect(refused).toHaveLength(20);
    expect(refused[0]?.reason).toMatchObject({
      code: 'unavailable',
      message: 'The password cannot be checked now. Try again in a few seconds.',
    });
  });
});

describe('a list of stolen passwords that cannot be read', () => {
  it('refuses no password for good: the person may try again', async () => {
    const breachedPasswords = { has: () => Promise.reject(new Error('EIO')) };
    const policy = createPasswordPolicy({ breachedPasswords, log });
    await expect(policy.check('four words that differ', EMAIL)).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The password cannot be checked now. Try again in a few seconds.',
    });
  });
});

describe('a list of stolen passwords', () => {
  const stolen = 'kettle orbit mango thirteen';
  const breachedPasswords = { has: (password: string) => Promise.resolve(password === stolen) };
  const policy = createPasswordPolicy({ breachedPasswords, log });

  it('refuses a password that is in it, and takes another', async () => {
    await policy.check('four words that differ', EMAIL);
    await expect(policy.check(stolen, EMAIL)).rejects.toMatchObject({
      code: 'validation_failed',
      extras: {
        field_errors: [
          {
            field: 'password',
            code: 'not_allowed',
            message:
              'This password is in a published list of stolen passwords. Choose another, and change it wherever you use it.',
          },
        ],
      },
    });
  });
});
