/** Which passwords are taken (NIST SP 800-63B: length, and not among the commonest; no rules of composition). */
import { invalidField } from './faults.js';

const LENGTH_MIN = 12;
const LENGTH_MAX = 256;

/** Those of 12 characters and more that lists of broken passwords show most, in small letters and without marks. */
const COMMONEST: ReadonlySet<string> = new Set(
  (
    '123456789012 1234567890123 12345678901234 123456789123 123123123123 121212121212 112233445566 ' +
    '123456123456 012345678901 098765432109 987654321098 qwertyuiop12 qwertyuiop123 qwertyuiopas ' +
    'qwertyuiopasdfghjkl asdfghjkl123 qwerty123456 qwerty1234567 1qaz2wsx3edc 1qaz2wsx3edc4rfv ' +
    'zaq12wsxcde3 q1w2e3r4t5y6 qazwsxedcrfv abcdefghijkl abcdefghijklm abcdefgh1234 abc123456789 ' +
    'abcd12345678 a1b2c3d4e5f6 password1234 password12345 password123456 password2024 password2025 ' +
    'password2026 passwordpassword passw0rd1234 mypassword123 mypassword1234 newpassword123 ' +
    'changeme1234 changemeplease letmein12345 letmein123456 welcome12345 welcome123456 admin1234567 ' +
    'administrator administrator1 administrator123 adminadmin123 adminadminadmin superadmin123 ' +
    'iloveyou1234 iloveyou12345 iloveyouforever ilovemyfamily ilovejesus123 football1234 baseball1234 ' +
    'basketball123 liverpool123 manchester123 chelsea12345 sunshine1234 princess1234 superman1234 ' +
    'batman123456 pokemon12345 dragon123456 monkey123456 michael12345 charlie12345 jordan123456 ' +
    'trustno1trustno1 secret123456 secretsecret testtesttest test12345678 testing12345 demo12345678 ' +
    'correcthorsebatterystaple correct horse battery staple leadwire1234 leadwireleadwire'
  )
    .split(' ')
    .concat('correct horse battery staple'),
);

/**
 * @param email whose it is: its address is no password
 * @throws {AppError} `validation_failed` on `password`
 */
export function checkPassword(password: string, email: string): void {
  // Characters as people count them: code points.
  const length = Array.from(password).length;
  if (length < LENGTH_MIN) {
    throw invalidField(
      'password',
      length === 0 ? 'required' : 'out_of_range',
      `password must have at least ${LENGTH_MIN} characters.`,
    );
  }
  if (length > LENGTH_MAX) {
    throw invalidField(
      'password',
      'too_long',
      `password must have at most ${LENGTH_MAX} characters.`,
    );
  }
  if (isGuessedFirst(password.toLowerCase(), email)) {
    throw invalidField(
      'password',
      'not_allowed',
      'This password is easy to guess. Choose another, such as four words that do not belong together.',
    );
  }
}

function isGuessedFirst(password: string, email: string): boolean {
  const [local = ''] = email.split('@');
  const isAddress = password === email || password === local;
  return COMMONEST.has(password) || isAddress || isRepeated(password) || isRun(password);
}

/** One to three characters again and again. */
const isRepeated = (password: string): boolean => /^(.{1,3}?)\1+$/su.test(password);

/** Each character follows the one before it, upwards or downwards: `abcdefghijkl`, `987654321098`. */
function isRun(password: string): boolean {
  const codes = Array.from(password, (character) => character.codePointAt(0) ?? 0);
  const step = (codes[1] ?? 0) - (codes[0] ?? 0);
  return (
    Math.abs(step) <= 1 && codes.every((code, n) => n === 0 || code - (codes[n - 1] ?? 0) === step)
  );
}
