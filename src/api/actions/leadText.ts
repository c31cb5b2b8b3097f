/** What an operator types to find a lead, as the values that leads are found by. */
import { normalizeEmail, normalizePhone } from '../../fields/normalize.js';
import { lookupKeysOf } from '../../leads/rules/dedupe.js';

/** A name in its parts: `Aisha Smith`, or `Smith, Aisha`; of one word only the last. */
export function nameParts(text: string): { first: string; last: string } {
  const [last = '', first] = text.split(',').map((part) => part.trim());
  if (first !== undefined && first !== '') return { first, last };
  const [word = '', ...rest] = last.split(/\s+/);
  return rest.length === 0 ? { first: '', last: word } : { first: word, last: rest.join(' ') };
}

/** As it is written, and as names usually are. */
export const spellings = (word: string): string[] => [
  ...new Set([word, word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()]),
];

export const nameKeys = (field: 'first_name' | 'last_name', word: string): string[] =>
  spellings(word).flatMap((one) => lookupKeysOf(field, one));

/** A name has a letter, and is no email. */
export const isName = (text: string): boolean => /\p{L}/u.test(text) && !text.includes('@');

/**
 * The lookup keys of a lead that the text may be about, of each group one: a phone, an email, a click id, or a name, of
 * which both parts count.
 */
export function keysOfText(text: string): string[][] {
  const phone = normalizePhone(text);
  const email = normalizeEmail(text);
  const exact = [
    ...(phone === null ? [] : lookupKeysOf('phone', phone)),
    ...(email === null ? [] : lookupKeysOf('email', email)),
    ...lookupKeysOf('click_id', text),
  ];
  if (!isName(text)) return [exact];
  const { first, last } = nameParts(text);
  if (first === '')
    return [[...exact, ...nameKeys('last_name', last), ...nameKeys('first_name', last)]];
  return [nameKeys('last_name', last), nameKeys('first_name', first)];
}
