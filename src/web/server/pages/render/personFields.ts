/** The fields about a person that several forms share. */
import type { Faults } from '../faults.js';
import { field, type Field } from './field.js';
import type { Markup } from '../../../render/template.js';

/** The values a form was sent with, and its faults. */
export interface Filled {
  values?: Partial<Record<string, string>>;
  faults?: Faults;
}

const KNOWN = {
  name: { label: 'Your name', autocomplete: 'name' },
  email: { label: 'Email address', type: 'email', autocomplete: 'username' },
  current_password: {
    label: 'Current password',
    type: 'password',
    autocomplete: 'current-password',
  },
  password: {
    label: 'New password',
    type: 'password',
    autocomplete: 'new-password',
    hint: 'At least 12 characters. Several random words are easy to remember and hard to guess.',
  },
  code: { label: 'Code', autocomplete: 'one-time-code', maxlength: 40 },
} as const satisfies Record<string, Omit<Field, 'name'>>;

export type PersonField = keyof typeof KNOWN;

/** Fields that are never sent back once typed. */
const SECRET: readonly PersonField[] = ['current_password', 'password', 'code'];

export interface PersonFieldsOptions extends Filled {
  /** Changes of some fields, such as another label. */
  with?: Partial<Record<PersonField, Partial<Field>>>;
  /** The page opens with the cursor in the first field; default: only where one is at fault. */
  opensHere?: boolean;
  /** Before the ids of the fields, where a page has several forms. */
  prefix?: string;
}

/**
 * The fields of a form, top down: each with what was typed (no passwords, no codes), its fault, and the cursor in the
 * first faulty one.
 */
export function personFields(
  names: readonly PersonField[],
  { values = {}, faults, with: changes = {}, opensHere = false, prefix = '' }: PersonFieldsOptions,
): Markup[] {
  const faulty = faults && names.find((name) => Object.hasOwn(faults.fields, name));
  const opens = opensHere && faults?.alert === undefined ? names[0] : undefined;
  const focus = faulty ?? opens;
  return names.map((name) =>
    field({
      ...KNOWN[name],
      name,
      id: `${prefix}${name}`,
      value: SECRET.includes(name) ? undefined : values[name],
      fault: faults?.fields[name],
      hasFocus: name === focus,
      ...changes[name],
    }),
  );
}
