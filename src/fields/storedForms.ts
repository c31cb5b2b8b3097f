/**
 * The forms in which one phone or email may be stored. Earlier releases kept the domain of an address as it was typed,
 * and 00, 011 or the zero of `(0)` as digits of a phone; the claims, keys, lists and accounts of that time are still
 * found by asking for these forms too. The phones of North America, and the addresses of nearly everyone, have one form.
 */
import { normalizeEmail, readableEmail } from './email.js';
import { normalizePhone } from './phone.js';

const E164 = /^\+[0-9]{10,15}$/;
const NORTH_AMERICA = '+1';
const ASCII = /^[\x21-\x7e]*$/;

/** @param value in the normal form of this or an earlier release; it comes first */
export function storedForms(value: string): string[] {
  if (E164.test(value)) return formsOfPhone(value);
  return value.includes('@') ? formsOfEmail(value) : [value];
}

function formsOfEmail(value: string): string[] {
  if (ASCII.test(value) && !value.includes('xn--')) return [value];
  const email = normalizeEmail(value);
  return email === null ? [value] : [...new Set([value, email, readableEmail(email)])];
}

function formsOfPhone(value: string): string[] {
  const number = normalizePhone(value) ?? value;
  if (number.startsWith(NORTH_AMERICA)) return [...new Set([value, number])];
  const digits = number.slice(1);
  const code = countryCode(digits);
  const written = ['00', '011', `${code}0`].map((prefix) =>
    prefix.startsWith('0') ? `+${prefix}${digits}` : `+${prefix}${digits.slice(code.length)}`,
  );
  return [...new Set([value, number, ...written.filter((form) => E164.test(form))])];
}

/** Country codes of two digits (ITU-T E.164); 7 has one, and all others have three. */
const TWO_DIGITS = /^(?:2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

const countryCode = (digits: string): string =>
  digits.startsWith('7') ? '7' : (TWO_DIGITS.exec(digits)?.[0] ?? digits.slice(0, 3));
