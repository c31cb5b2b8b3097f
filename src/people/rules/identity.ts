/** What a person is called and reached by. */
import { normalizeEmail } from '../../fields/normalize.js';
import { invalidField } from './faults.js';

const NAME_MAX = 120;
/** Control characters, and those that turn the direction of what follows: a name stands in other people's pages. */
const UNSHOWN = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * The address as it is stored: in small letters, without blanks.
 * @throws {AppError} `validation_failed` on `email`
 */
export function checkEmail(text: string): string {
  const email = normalizeEmail(text);
  if (email !== null) return email;
  throw invalidField(
    'email',
    'invalid_format',
    'email must be an address such as name@example.com.',
  );
}

/** However each was written, or stored by an earlier release. */
export const isSameAddress = (a: string, b: string): boolean => addressOf(a) === addressOf(b);

/** The address in its normal form, also where an earlier release stored its domain as it was typed. */
export const addressOf = (email: string): string => normalizeEmail(email) ?? email;

/**
 * The name without outer blanks.
 * @throws {AppError} `validation_failed` on `name` when it is empty or longer than 120 characters
 */
export function checkPersonName(text: string): string {
  const name = text.replace(UNSHOWN, '').trim();
  if (name === '') throw invalidField('name', 'required', 'name must not be empty.');
  if (name.length <= NAME_MAX) return name;
  throw invalidField('name', 'too_long', `name must have at most ${NAME_MAX} characters.`);
}
