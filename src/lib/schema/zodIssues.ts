/** Settings that a person gave, read by their schema: what is valid, and every problem by its field. */
import type { z } from 'zod';
import { type FieldError, type FieldErrorCode, invalidFields } from '../errors.js';
import { didYouMean } from '../nearest.js';
import { fieldOf } from './sentences.js';

/** A problem of one setting. A path without steps means the settings as a whole. */
export interface Problem {
  path: readonly PropertyKey[];
  code: FieldErrorCode;
  /** The rest of a sentence that begins with the field, or with a colon, a dot or a bracket what follows it at once; without its full stop. */
  rule: string;
}

/**
 * The issue that a schema's check adds so that it keeps this code. It carries no value: issues are shown and logged.
 */
export const customIssue = (
  code: FieldErrorCode,
  rule: string,
  path: PropertyKey[] = [],
): { code: 'custom'; message: string; path: PropertyKey[]; params: { code: FieldErrorCode } } => ({
  code: 'custom',
  message: rule,
  path,
  params: { code },
});

interface ReadParts<S extends z.ZodObject> {
  /** The valid settings, each with its default; all of them where there is no problem. */
  values: Partial<z.output<S>>;
  problems: Problem[];
}

/**
 * Reads each setting by itself, so that a wrong one hides neither the others nor the rules that need context.
 * @param unknown the problem of a key that the schema does not have; `hint` names its nearest key, or is empty
 */
export function readParts<S extends z.ZodObject>(
  schema: S,
  input: object,
  unknown: (hint: string) => string,
): ReadParts<S> {
  const shape: Record<string, z.ZodType> = schema.shape;
  const keys = Object.keys(shape);
  const given = new Map(Object.entries(input));
  const problems = [...given.keys()]
    .filter((key) => !keys.includes(key))
    .map((key): Problem => ({
      path: [key],
      code: 'not_allowed',
      rule: unknown(didYouMean(key, keys)),
    }));
  const values = Object.entries(shape).flatMap(([key, part]): [string, unknown][] => {
    const read = part.safeParse(given.get(key), { reportInput: true });
    if (read.success) return read.data === undefined ? [] : [[key, read.data]];
    problems.push(...problemsOf(read.error, [key]));
    return [];
  });
  return { values: Object.fromEntries(values) as Partial<z.output<S>>, problems };
}

/** The issues of a schema with our codes, each problem once. The rule is the message that the schema gives. */
export function problemsOf(error: z.ZodError, inside: readonly PropertyKey[] = []): Problem[] {
  // By field and message: a large input may have tens of thousands.
  const problems = new Map<string, Problem>();
  for (const issue of error.issues) {
    const path = [...inside, ...issue.path];
    const sentence = `${fieldOf('', path)} ${issue.message}`;
    if (!problems.has(sentence))
      problems.set(sentence, { path, code: codeOf(issue), rule: issue.message });
  }
  return [...problems.values()];
}

function codeOf(issue: z.core.$ZodIssue): FieldErrorCode {
  switch (issue.code) {
    case 'custom':
      return (issue.params?.code ?? 'invalid_format') as FieldErrorCode;
    case 'invalid_type':
      if (issue.input === undefined) return 'required';
      return isNumeric(issue.expected) ? 'out_of_range' : 'invalid_type';
    case 'too_big':
      return isNumeric(issue.origin) ? 'out_of_range' : 'too_long';
    case 'too_small':
      return isNumeric(issue.origin) ? 'out_of_range' : 'required';
    case 'not_multiple_of':
      return 'out_of_range';
    case 'invalid_value':
    case 'unrecognized_keys':
      return 'not_allowed';
    case 'invalid_union':
      return 'invalid_type';
    case 'invalid_format':
    case 'invalid_key':
    case 'invalid_element':
      return 'invalid_format';
  }
}

const isNumeric = (kind: string): boolean => kind === 'number' || kind === 'int';

/**
 * Refuses settings with problems; returns where there are none.
 * @param prefix stands before each field's name: `delivery`, `ping`
 * @throws {AppError} `validation_failed` with every problem
 */
export function refuseProblems(prefix: string, problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  const field_errors = problems.map(({ path, code, rule }): FieldError => {
    const field = fieldOf(prefix, path);
    const message = `${field}${/^[:.[]/.test(rule) ? '' : ' '}${rule}`;
    return { field, code, message: /[.?]$/.test(message) ? message : `${message}.` };
  });
  throw invalidFields(field_errors);
}

/** Settings as `T` of those read without a problem. */
export function settled<S extends z.ZodObject>(
  prefix: string,
  { values, problems }: ReadParts<S>,
): z.output<S> {
  refuseProblems(prefix, problems);
  return values as z.output<S>;
}

/**
 * The given values over the current ones. Null resets a setting to its default, whatever its current value: it is left
 * out.
 * @param keys those that are kept from the current settings
 */
export function layOver(
  input: object,
  current: object | undefined,
  keys: readonly string[],
): Record<string, unknown> {
  const kept = Object.entries(current ?? {}).filter(([key]) => keys.includes(key));
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  const laid = new Map<string, unknown>([...kept, ...given]);
  return Object.fromEntries([...laid].filter(([, value]) => value != null));
}
