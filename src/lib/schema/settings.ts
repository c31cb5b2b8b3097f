/** The kinds of settings that a person types, each with the rule that a refusal states. */
import { z } from 'zod';

/** @param min @param max inclusive */
export function wholeNumber(min: number, max: number) {
  const error = `must be a whole number, ${min} to ${max}`;
  return z.int(error).min(min, error).max(max, error);
}

/** @param min @param max inclusive */
export function numberWithin(
  min: number,
  max: number,
  error = `must be a number, ${min} to ${max}`,
) {
  return z.number(error).min(min, error).max(max, error);
}

export const flag = () => z.boolean('must be true or false');

export const choice = <const T extends readonly [string, ...string[]]>(choices: T) =>
  z.enum(choices, `must be ${choices.join(' or ')}`);

const text = (max: number) =>
  z.string('must be text').max(max, `must have at most ${max} characters`);

/** Null where it is empty or not given. */
export const optionalText = (max: number) =>
  text(max)
    .transform((given) => (given === '' ? null : given))
    .nullable()
    .default(null);

/** A list, or a single one, without blanks around each; it may be empty. */
export const texts = (max: number) =>
  z
    // A bound inside the union would be reported as if no member fitted: it is checked after it.
    .union([z.string(), z.array(z.string()).meta({ maxItems: max })], 'must be a list of texts')
    .transform((given) => [given].flat())
    .pipe(z.array(z.string().trim()).max(max, `must have at most ${max} entries`));

/** A text that must be there; a refusal states `rule` where it is missing, or empty. */
export const requiredText = (max: number, rule: string) =>
  z
    .string({ error: ({ input }) => (input === undefined ? rule : 'must be text') })
    .min(1, rule)
    .max(max, `must have at most ${max} characters`);
