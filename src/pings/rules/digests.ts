/** What is kept of a ping's fields: enough to check that the lead has the same values, and nothing about the person. */
import type { Fields } from '../../fields/values.js';
import { storedForms } from '../../fields/storedForms.js';
import { getOwn } from '../../lib/getOwn.js';

/** A keyed hash of a text. */
export type Hash = (text: string) => string;

const digestOf = (name: string, value: Fields[string], hash: Hash): string =>
  hash(JSON.stringify(['ping', name, value]));

/** @param fields normalized, as a lead has them */
export const pingDigests = (fields: Fields, hash: Hash): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, digestOf(name, value, hash)]),
  );

/** The pinged fields that the lead lacks or has with another value, in their order. */
export const differingFields = (
  digests: Readonly<Record<string, string>>,
  fields: Fields,
  hash: Hash,
): string[] =>
  Object.entries(digests).flatMap(([name, digest]) => {
    const value = getOwn(fields, name);
    if (value === undefined) return [name];
    // A ping that an earlier release took may have another form of the same value.
    const forms = typeof value === 'string' ? storedForms(value) : [value];
    return forms.some((form) => digestOf(name, form, hash) === digest) ? [] : [name];
  });
