/**
 * What is wrong with a value that is refused as a whole, such as a schedule: each text says where in it the problem is.
 */
import type { z } from 'zod';

const SENTENCES_MAX = 50;

/** A value in its normal form, or every problem in a sentence each, without its full stop. */
export type Checked<T> = { ok: true; value: T } | { ok: false; problems: string[] };

/** @param name what the value is called in its problems, such as `schedule` */
export function checkBy<T>(schema: z.ZodType<T>, input: unknown, name: string): Checked<T> {
  const parsed = schema.safeParse(input, { reportInput: true });
  return parsed.success
    ? { ok: true, value: parsed.data }
    : { ok: false, problems: sentencesOf(parsed.error, name) };
}

/** Such as `schedule[1].days must list at least one day`, each once; the first 50. */
const sentencesOf = (error: z.ZodError, name: string): string[] => {
  const sentences = flat(error.issues).map(({ path, message }) =>
    `${fieldOf(name, path)} ${message}`.trim(),
  );
  return firstOf([...new Set(sentences)]);
};

/** The first 50, and how many more there are. */
export const firstOf = (sentences: readonly string[]): string[] =>
  sentences.length > SENTENCES_MAX
    ? [...sentences.slice(0, SENTENCES_MAX), `${sentences.length - SENTENCES_MAX} more problems`]
    : [...sentences];

/**
 * Of a union, the problems of the member whose kind of value was given; without such a member, the problem of the union.
 */
const flat = (issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] =>
  issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union') return [issue];
    const member = issue.errors.find((errors) => !errors.some(isOfAnotherKind));
    return member
      ? flat(member).map((one) => ({ ...one, path: [...issue.path, ...one.path] }))
      : [issue];
  });

const isOfAnotherKind = ({ code, path }: z.core.$ZodIssue): boolean =>
  code === 'invalid_type' && path.length === 0;

/**
 * The texts of a strict object.
 * @param keys which keys it has, as the end of a sentence
 * @param form the text for a value that is no object at all
 */
export const objectRules = (keys: string, form: string): { error: z.core.$ZodErrorMap<Wrong> } => ({
  error: (issue) => {
    if (issue.code === 'invalid_type') return form;
    const unknown = issue.keys.slice(0, 5).map((key) => `"${key.slice(0, 40)}"`);
    return `has an unknown key ${unknown.join(', ')}; ${keys}`;
  },
});

type Wrong = z.core.$ZodIssueUnrecognizedKeys | z.core.$ZodIssueInvalidType;

/** `delivery` and `response`, `accept_when`, 0 is `delivery.response.accept_when[0]`. */
export function fieldOf(prefix: string, path: readonly PropertyKey[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return `${prefix}${steps.join('')}`.replace(/^\./, '');
}
