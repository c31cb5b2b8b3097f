/** Codecs: values that callers write in one form and that are stored in another. */
import { z } from 'zod';
import { published } from './published.js';
import { checkBy } from './sentences.js';
import { customIssue } from './zodIssues.js';

/** The schema of the form that callers write: what is published, and checked before the value's owner reads it. */
export function wireOf(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodDefault) return wireOf(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodNullable) return wireOf(schema.unwrap() as z.ZodType).nullable();
  return schema instanceof z.ZodPipe ? wireOf(schema.in as z.ZodType) : schema;
}

/**
 * Shows a stored value as callers see it, within the bounds of today or not: an earlier release may have stored it.
 * Made once for each setting, because a campaign has thousands of values.
 */
export function showing(schema: z.ZodType): (stored: unknown) => unknown {
  if (schema instanceof z.ZodDefault) return showing(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodNullable) {
    const inner = showing(schema.unwrap() as z.ZodType);
    return (stored) => (stored === null ? null : inner(stored));
  }
  if (!(schema instanceof z.ZodCodec)) return (stored) => stored;
  const { reverseTransform } = schema.def;
  return (stored) => reverseTransform(stored, { value: stored, issues: [] });
}

export const shownBy = (schema: z.ZodType, stored: unknown): unknown => showing(schema)(stored);

/** For answers: settings that every record has, by the schema that reads them. It publishes, and checks nothing. */
export const viewShape = <S extends z.ZodObject>(
  schema: S,
): { [K in keyof S['shape']]: z.ZodType } =>
  Object.fromEntries(
    Object.entries(schema.shape as Record<string, z.ZodType>).map(([key, one]) => [
      key,
      published(wireOf(one)).describe(one.description ?? ''),
    ]),
  ) as { [K in keyof S['shape']]: z.ZodType };

/**
 * A structured value, such as a schedule: it is published, and refused as a whole with a sentence for each of
 * its problems. Its stored form, written again, is the same.
 * @param name what the sentences call it
 * @param example published with it: those of a schema that transforms are not
 */
export const wholeValue = <S extends z.ZodType>(
  schema: S,
  name: string,
  example: z.input<S>,
): z.ZodCodec<z.ZodType<z.input<S>, z.input<S>>, z.ZodCustom<z.output<S>, z.output<S>>> =>
  z.codec(published(schema).meta({ examples: [example] }), z.custom<z.output<S>>(), {
    decode(given, context): z.output<S> {
      const read = checkBy(schema, given, name);
      if (read.ok) return read.value as z.output<S>;
      for (const problem of read.problems)
        context.issues.push({
          ...customIssue('invalid_format', problem.slice(name.length).trimStart()),
          input: given,
        });
      return z.NEVER;
    },
    encode: (stored) => stored as z.input<S>,
  });
