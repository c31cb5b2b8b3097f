/** What a field mapping may do to a text before it is checked. */
import { normalizeDate, normalizePhone, normalizeZip } from './normalize.js';
import type { Transform } from './fieldRule.js';

/** The first letter of a word, and the letter after a one-letter prefix as in O'Brien. */
const WORD_START = /(?<![\p{L}\p{M}\p{N}'’])\p{L}|(?<=(?<![\p{L}\p{M}\p{N}'’])\p{L}['’])\p{L}/gu;

/** Text that a normalizer cannot read is left as it is, for the check of the field to judge. */
const TRANSFORMS: Record<Transform, (text: string) => string> = {
  trim: (text) => text.trim(),
  lowercase: (text) => text.toLowerCase(),
  uppercase: (text) => text.toUpperCase(),
  titlecase: (text) => text.toLowerCase().replace(WORD_START, (letter) => letter.toUpperCase()),
  phone_e164: (text) => normalizePhone(text) ?? text,
  date_iso: (text) => normalizeDate(text) ?? text,
  zip5: (text) => normalizeZip(text) ?? text,
  digits: (text) => text.replace(/[^0-9]/g, ''),
};

/** Applies the transforms in the order in which the mapping lists them. */
export const transformText = (text: string, transforms: readonly Transform[]): string =>
  transforms.reduce((current, name) => TRANSFORMS[name](current), text);
