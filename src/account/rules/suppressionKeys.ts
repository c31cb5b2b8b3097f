import type { Fields } from '../../fields/values.js';
import { fieldOf } from '../../fields/fields.js';
import { normalizePhone, normalizeEmail } from '../../fields/normalize.js';
import { storedForms } from '../../fields/storedForms.js';

/** Replaces the id of a filter where a list has refused a lead. */
export const SUPPRESSION_ID = 'suppression';

export type SuppressedField = 'phone' | 'email';

/** MD5 of a text, lower-case hex. */
export type Md5 = (text: string) => string;

/** A lead's phone or email was found on a list. */
export interface SuppressionHit {
  list_id: string;
  field: SuppressedField;
}

export interface SuppressionKey {
  field: SuppressedField;
  md5: string;
}

const NORTH_AMERICAN = /^\+1[0-9]{10}$/;

/**
 * Every key that an entry for the lead may have. Ready-made lists differ in how a phone was written before it was
 * hashed: with country code, without it (North America), or with the plus sign of E.164; and earlier releases, like
 * other makers of lists, hashed other forms of some values.
 * @param fields normalized, as a lead has them
 */
export function suppressionKeys(fields: Fields, md5: Md5): SuppressionKey[] {
  const phone = fieldOf(fields, 'phone');
  const email = fieldOf(fields, 'email');
  const phones = phone === undefined ? [] : spellings(String(phone));
  const emails = email === undefined ? [] : storedForms(String(email).toLowerCase());
  return [
    ...phones.map((text) => ({ field: 'phone' as const, md5: md5(text) })),
    ...emails.map((text) => ({ field: 'email' as const, md5: md5(text) })),
  ];
}

const spellings = (phone: string): string[] => {
  const [, ...others] = storedForms(phone);
  return [...new Set([...spellingsOf(phone), ...others.flatMap(spellingsOf)])];
};

function spellingsOf(e164: string): string[] {
  const digits = e164.replace(/[^0-9]/g, '');
  // Lists from before a plus was read as written may hold ten digits after a plus with a 1 in front.
  const others = digits.length === 10 ? [`1${digits}`] : [];
  return [digits, `+${digits}`, ...(NORTH_AMERICAN.test(e164) ? [digits.slice(1)] : others)];
}

/** The MD5 of one value of a list, in its normal form; null when it is not such a value. */
export function suppressionEntry(field: SuppressedField, value: string, md5: Md5): string | null {
  const normal = field === 'phone' ? normalizePhone(value)?.slice(1) : normalizeEmail(value);
  return normal ? md5(normal) : null;
}
