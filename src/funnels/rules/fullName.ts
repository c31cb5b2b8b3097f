/** One entry for a whole name, kept as the two fields that every campaign has. */
import type { FieldRule } from '../../fields/fieldRule.js';

export const FULL_NAME = 'full_name';
const PARTS = ['first_name', 'last_name'];

/** The fields of the mapping that an asked name fills in: two for `full_name`, where the mapping has none of that name. */
export const mappedNames = (name: string, fields: readonly FieldRule[]): readonly string[] =>
  name === FULL_NAME && !fields.some((rule) => rule.name === FULL_NAME) ? PARTS : [name];

/** The first word, and all that follow it; null for a single word. */
export function splitFullName(text: string): { first_name: string; last_name: string } | null {
  const [first, ...rest] = text.trim().split(/\s+/u);
  return first === undefined || rest.length === 0
    ? null
    : { first_name: first, last_name: rest.join(' ') };
}
