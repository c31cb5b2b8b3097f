/** Reads the input of an action: in the spelling of its schema, as a whole, or refused with every problem. */
import { z } from 'zod';
import { didYouMean } from '../../lib/nearest.js';
import { AppError, type InputFault } from '../../lib/errors.js';
import { isCleanText } from '../../fields/fields.js';
import { normalizeInput } from './normalizeInput.js';
import { CONTROL_FIELDS } from '../../fields/mapping.js';
import { getOwn } from '../../lib/getOwn.js';

/** @throws {AppError} `invalid_input` listing every fault with its path */
export function readInput<I extends z.ZodObject>(
  schema: I,
  body: Record<string, unknown>,
): z.output<I> {
  const unkeepable = unkeepableTexts(body);
  if (unkeepable.length > 0) throw invalidInput(unkeepable);
  const parsed = schema.safeParse(normalizeInput(schema, body), { reportInput: true });
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.flatMap((issue) => faultsOf(issue, schema));
  throw invalidInput(details);
}

export const invalidInput = (details: InputFault[]): AppError =>
  new AppError('invalid_input', details.map(({ message }) => message).join(' '), { details });

/** The same for one fault. */
export const invalidField = (path: string, code: InputFault['code'], message: string): AppError =>
  invalidInput([{ path, code, message }]);

/**
 * For the fields of a test lead. @param setBy what sets the others, as the refusal names it
 * @throws {AppError} `invalid_input` naming every field that says how a lead is sent
 */
export function refuseControlFields(
  fields: Record<string, unknown>,
  setBy: 'action' | 'console',
): void {
  const details = Object.keys(fields)
    .filter((name) => CONTROL_FIELDS.includes(name))
    .map((name) => ({
      path: `fields.${name}`,
      code: 'not_allowed' as const,
      message: `fields.${name} cannot be given: the ${setBy} sets it.`,
    }));
  if (details.length > 0) throw invalidInput(details);
}

function faultsOf(issue: z.core.$ZodIssue, schema: z.ZodObject): InputFault[] {
  const path = pathOf(issue.path);
  const fault = (code: InputFault['code'], rule: string): InputFault[] => [
    { path, code, message: `${path === '' ? 'The input' : path} ${rule}.` },
  ];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey(key, issue.path, schema));
    case 'invalid_type':
      return issue.input == null
        ? fault('required', 'is required')
        : fault('invalid_type', `must be ${KINDS[issue.expected] ?? issue.expected}`);
    case 'invalid_value':
      if (issue.input == null) return fault('required', 'is required');
      return fault(
        'not_allowed',
        `must be ${oneOf(issue.values)}${callHint(issue.path, issue.input)}`,
      );
    case 'too_big':
      return isSize(issue.origin)
        ? fault('too_long', `must have at most ${issue.maximum} ${UNITS[issue.origin]}`)
        : fault('out_of_range', `must be at most ${issue.maximum}`);
    case 'too_small':
      return isSize(issue.origin)
        ? fault('required', `must have at least ${issue.minimum} ${UNITS[issue.origin]}`)
        : fault('out_of_range', `must be at least ${issue.minimum}`);
    case 'invalid_format':
      return fault('invalid_format', `must be ${FORMATS[issue.format] ?? issue.format}`);
    case 'not_multiple_of':
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return fault('invalid_format', `is not valid: ${issue.message}`);
  }
}

const oneOf = (values: readonly unknown[]): string =>
  `${values.length > 1 ? 'one of ' : ''}${values.map(String).join(', ')}`;

const UNITS = { string: 'characters', array: 'entries' } as const;
const isSize = (origin: string): origin is keyof typeof UNITS => origin in UNITS;
const KINDS: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};
const FORMATS: Record<string, string> = {
  uuid: 'a UUID',
  date: 'a date such as 2026-01-31',
  datetime: 'an instant such as 2026-01-31T12:00:00Z',
  email: 'an email address',
};

function unknownKey(key: string, inside: readonly PropertyKey[], schema: z.ZodObject): InputFault {
  const path = pathOf([...inside, key]);
  const hint = didYouMean(key, keysAt(schema, inside));
  return { path, code: 'not_allowed', message: `${path} is not a key of this input.${hint}` };
}

/** The keys that the schema has at the place of a problem. */
function keysAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const inner = unwrapped(schema);
  const [step, ...rest] = path;
  if (step === undefined) return inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
  if (inner instanceof z.ZodArray) return keysAt(inner.element, rest);
  if (!(inner instanceof z.ZodObject)) return [];
  const shape: Record<string, z.ZodType | undefined> = inner.shape;
  const next = getOwn(shape, String(step));
  return next ? keysAt(next, rest) : [];
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  const isWrapper =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault;
  return isWrapper ? unwrapped(schema.unwrap()) : schema;
}

const pathOf = (path: readonly PropertyKey[]): string => path.map(String).join('.');

// Words of clients that set up phone calls elsewhere: Leadwire distributes leads.

/** Keys of a campaign that set what it distributes, and how. */
const KEYS: ReadonlySet<string> = new Set(['campaign_type', 'routing_method']);

const CALL_WORDS: ReadonlySet<string> = new Set(['CALL', 'CALLS', 'STATIC', 'RING_TREE', 'RTB']);

/** Why a word for calls is refused, appended to the valid values; empty for any other word. */
function callHint(path: readonly PropertyKey[], value: unknown): string {
  if (typeof value !== 'string' || !KEYS.has(String(path.at(-1)))) return '';
  const word = value.trim().toUpperCase();
  return CALL_WORDS.has(word)
    ? `. ${word} is for calls: Leadwire distributes leads, not calls`
    : '';
}

// Texts that the database cannot store as they are: an input is kept in the record of changes, its parts in the account.

/** Every text, and every object with a key, that contains NUL (U+0000) or half of a surrogate pair, at any depth. */
function unkeepableTexts(value: unknown, path: readonly string[] = []): InputFault[] {
  const at = path.join('.');
  const subject = at === '' ? 'The input' : at;
  const fault = (what: string): InputFault => ({
    path: at,
    code: 'not_allowed',
    message: `${subject} ${what} NUL (U+0000) or a broken character; remove it.`,
  });
  if (typeof value === 'string') return isCleanText(value) ? [] : [fault('contains')];
  if (typeof value !== 'object' || value === null) return [];
  const entries = Object.entries(value);
  const inside = entries.flatMap(([key, inner]) =>
    isCleanText(key) ? unkeepableTexts(inner, [...path, key]) : [],
  );
  const isKeepable = entries.every(([key]) => isCleanText(key));
  return isKeepable ? inside : [fault('has a key that contains'), ...inside];
}
