/** Schemas as clients read them: JSON Schema, draft 2020-12, which OpenAPI 3.1 uses too. */
import { z } from 'zod';

export type JsonObject = Record<string, unknown>;

/**
 * What only zod needs is left out: the pattern of what `format` says already, and the bounds of exact
 * integers.
 * @param io `input`: what may be sent; `output`: what is returned
 * @throws {Error} for a type that JSON does not have
 */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const made: JsonObject = z.toJSONSchema(schema, {
    io,
    override({ zodSchema, jsonSchema: one }) {
      tidy(one);
      // zod takes examples for those of the output; here they are what callers send.
      const examples = z.globalRegistry.get(zodSchema)?.examples;
      if (io === 'input' && Array.isArray(examples)) one.examples = examples;
    },
  });
  delete made.$schema;
  return made;
}

function tidy(schema: JsonObject): void {
  if (schema.format === 'date-time' || schema.format === 'date') delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
