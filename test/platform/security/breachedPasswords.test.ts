import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openBreachedPasswords } from '../../../src/platform/security/breachedPasswords.js';

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex').toUpperCase();

describe('a file of stolen passwords', () => {
  let folder: string;
  let written = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'leadwire-stolen-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const write = async (text: string) => {
    const path = join(folder, `${(written += 1)}.txt`);
    await writeFile(path, text);
    return path;
  };
  /** Which of the asked ones the file has. */
  const found = async (text: string, asked: readonly string[]) => {
    const list = await openBreachedPasswords(await write(text));
    const answers = await Promise.all(asked.map((password) => list.has(password)));
    await list.close();
    return asked.filter((_, n) => answers[n]);
  };
  const fileOf = (passwords: readonly string[], lineOf = (hash: string) => hash, end = '\n') =>
    passwords
      .map(sha1)
      .sort()
      .map((hash) => lineOf(hash) + end)
      .join('');

  it('has each of its passwords, and no other, whatever its size and the length of its lines', async () => {
    const passwords = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 20 }), {
      minLength: 2,
      maxLength: 60,
      // The service compares a password as it is typed on any keyboard.
      selector: (text) => text.normalize('NFKC'),
    });
    const counts = fc.array(fc.nat(), { minLength: 60, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        passwords,
        counts,
        fc.constantFrom('\n', '\r\n'),
        async (all, count, end) => {
          const asked = all.map((text) => text.normalize('NFKC'));
          const half = asked.slice(0, Math.ceil(asked.length / 2));
          let line = 0;
          const text = fileOf(half, (hash) => `${hash}:${count[(line += 1) % 60]}`, end);
          expect(await found(text, asked)).toEqual(half);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('has passwords of a file in small letters, without counts or a last line break', async () => {
    const all = ['one', 'two', 'three'];
    const text = fileOf(all).toLowerCase().trimEnd();
    expect(await found(text, [...all, 'four'])).toEqual(all);
  });

  it('finds one of 20,000', async () => {
    const all = Array.from({ length: 20_000 }, (_, n) => `password ${n}`);
    const asked = ['password 0', 'password 7777', 'password 19999', 'password 20000', ''];
    expect(await found(fileOf(all), asked)).toEqual(asked.slice(0, 3));
  });

  it('does without blank lines at its end', async () => {
    const all = ['one', 'two', 'three'];
    expect(await found(`${fileOf(all)}\r\n\n`, [...all, 'four', 'five', 'six'])).toEqual(all);
  });

  const [first = '', ...others] =
    fileOf(Array.from({ length: 200 }, (_, n) => `${n}`)).match(/.+\n/g) ?? [];
  const last = others.pop() ?? '';

  it.each([
    ['is empty', ''],
    ['is cut off in its last line', `${fileOf(['one', 'two', 'three'])}0123ABC`],
    ['is in order at its ends only', [first, ...others.reverse(), last].join('')],
    ['has the passwords themselves', 'password\n123456\nqwerty\n'],
    ['has other hashes', `${'a'.repeat(32)}\n${'b'.repeat(32)}\n`],
    [
      'is not in order',
      `${fileOf(['one', 'two', 'three']).split('\n').reverse().join('\n').trim()}\n`,
    ],
  ])('is refused where it %s', async (_, text) => {
    await expect(openBreachedPasswords(await write(text))).rejects.toThrow(
      'BREACHED_PASSWORDS_FILE: each line must begin with a SHA-1 hash of 40 hexadecimal digits, in ascending order.',
    );
  });

  it('is refused where there is none, with its path', async () => {
    const path = join(folder, 'none.txt');
    await expect(openBreachedPasswords(path)).rejects.toThrow(
      new RegExp(`^BREACHED_PASSWORDS_FILE: .*ENOENT.*${path}`),
    );
  });
});
