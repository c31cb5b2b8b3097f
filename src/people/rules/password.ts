/** Which passwords are taken (NIST SP 800-63B: length, and not one that is guessed early; no rules of composition). */
import type { AppError } from '../../lib/errors.js';
import { invalidField } from './faults.js';

const LENGTH_MIN = 12;
const LENGTH_MAX = 256;
/** UTF-16 units as typed: more cannot be a password, and may take seconds to normalize or to hash. */
export const TYPED_MAX = 1_024;

/** @throws {AppError} `validation_failed` on `password`, before it is normalized */
export function checkTyped(typed: string): void {
  if (typed.length > TYPED_MAX) throw tooLong();
}

/** @throws {AppError} `validation_failed` on `password` */
export function checkLength(password: string): void {
  // Characters as people count them: code points.
  const length = Array.from(password).length;
  if (length < LENGTH_MIN) {
    throw invalidField(
      'password',
      length === 0 ? 'required' : 'out_of_range',
      `password must have at least ${LENGTH_MIN} characters.`,
    );
  }
  if (length > LENGTH_MAX) throw tooLong();
}

const tooLong = (): AppError =>
  invalidField('password', 'too_long', `password must have at most ${LENGTH_MAX} characters.`);

/** What an attacker of this account tries first: its address, the parts of that, and the name of the product. */
export function ownWords(email: string): string[] {
  const [local = ''] = email.split('@');
  const parts = email.split(MARKS).filter((part) => part.length > 1);
  return [email, local, local.replaceAll(MARKS, ''), ...parts, 'leadwire'];
}

const MARKS = /[^\p{L}\p{N}]+/gu;

export const easyToGuess = (): AppError =>
  invalidField(
    'password',
    'not_allowed',
    'This password is easy to guess. Choose another, such as four words that do not belong together.',
  );

export const knownToAttackers = (): AppError =>
  invalidField(
    'password',
    'not_allowed',
    'This password is in a published list of stolen passwords. Choose another, and change it wherever you use it.',
  );
